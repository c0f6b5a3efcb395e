// The address bar says what is shown; Back and Forward undo and redo what was set.

import { lab } from './lab';

/** Safari takes no more than 100 changes in some 30 s. */
const SETTLED_MS = 350;

/** The address that opens these settings anywhere. */
export function address(): string {
  return new URL(`#${lab.permalink}`, location.href).href;
}

/** What of a link is settings: the instant, the figure and what is looked at are no step to go back to. */
function settingsOf(link: string): string {
  const own = /^(at|packet|cube|show)=/;
  return link
    .split('&')
    .filter((part) => !own.test(part))
    .join('&');
}

/** The first change is a step that Back undoes; what follows it without a pause, as when a slider is dragged, belongs to it. */
export function keepLinkCurrent(): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let written = lab.permalink;
  const write = (step: boolean): void => {
    const link = lab.permalink;
    if (location.hash !== `#${link}`) history[step && settingsOf(link) !== settingsOf(written) ? 'pushState' : 'replaceState'](null, '', `#${link}`);
    written = link;
  };
  /** A step has been written, and what is set now belongs to it. */
  let unsettled = false;
  const settle = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      unsettled = false;
      write(false);
    }, SETTLED_MS);
  };
  lab.on(['looking', 'run'], settle);
  lab.on(['settings'], () => {
    if (!unsettled) write(true);
    unsettled = true;
    settle();
  });
  window.addEventListener('popstate', () => {
    // What is undone is no step of its own.
    unsettled = true;
    lab.open(location.hash);
    write(false);
  });
  window.addEventListener('pagehide', () => write(false));
  history.replaceState(null, '', `#${lab.permalink}`);
}
