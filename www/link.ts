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

export function keepLinkCurrent(): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let written = lab.permalink;
  const write = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    const link = lab.permalink;
    if (location.hash !== `#${link}`) {
      const settled = settingsOf(link) !== settingsOf(written);
      history[settled ? 'pushState' : 'replaceState'](null, '', `#${link}`);
    }
    written = link;
  };
  // A change is settled when none has followed it for a while: a slider that is dragged is one step back.
  const settle = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(write, SETTLED_MS);
  };
  lab.on(['settings', 'looking', 'run'], settle);
  window.addEventListener('popstate', () => {
    clearTimeout(waiting);
    lab.open(location.hash);
    clearTimeout(waiting);
    written = lab.permalink;
  });
  window.addEventListener('pagehide', write);
  history.replaceState(null, '', `#${lab.permalink}`);
}
