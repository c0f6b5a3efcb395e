// The address bar shows the present link; Back and Forward undo and redo settings.

import { lab } from '../lab';
import { decoded } from './address';
import { settingsOf } from './parts';

/** Longest link, in characters. Chats and mail programs cut longer links; browsers take more. */
export const MOST_LINK_CHARACTERS = 6000;
/** Safari takes no more than 100 changes in some 30 s. */
const SETTLED_MS = 350;

/** The address that opens these settings anywhere. */
export function address(): string {
  return new URL(`#${lab.permalink}`, location.href).href;
}

function withoutInstant(link: string): string {
  return link.replace(/&at=\d+/, '');
}

/** The step of the tour that a link opens. */
function stepOf(link: string): string | undefined {
  return /(?:^|&)step=([^&]*)/.exec(link)?.[1];
}

/** Writes the link at each change. The first change is a step that Back undoes; changes that follow without a pause belong to that step. */
export function keepLinkCurrent(): void {
  let written = lab.permalink;
  const write = (step: boolean): void => {
    const link = lab.permalink;
    if (link.length > MOST_LINK_CHARACTERS) return;
    if (location.hash !== `#${link}`) history[step && settingsOf(link) !== settingsOf(written) ? 'pushState' : 'replaceState'](null, '', `#${link}`);
    written = link;
  };
  let unsettled: ReturnType<typeof setTimeout> | undefined;
  let goingBack = false;
  lab.on(['settings'], () => {
    if (goingBack) return;
    // An arrival at a link's instant changes no setting: what a person sets just after it is a step of its own.
    if (unsettled === undefined && settingsOf(lab.permalink) === settingsOf(written)) {
      write(false);
      return;
    }
    if (unsettled === undefined) write(true);
    clearTimeout(unsettled);
    unsettled = setTimeout(() => {
      unsettled = undefined;
      write(false);
    }, SETTLED_MS);
  });
  let waiting: ReturnType<typeof setTimeout> | undefined;
  lab.on(['looking', 'run'], () => {
    if (goingBack) return;
    // Another step of the tour is one to go back from, as a setting is; also while a change settles, as just after a reload.
    const isOther = stepOf(lab.permalink) !== stepOf(written);
    if (isOther || (unsettled === undefined && settingsOf(lab.permalink) !== settingsOf(written))) write(true);
    clearTimeout(waiting);
    waiting = setTimeout(() => write(false), SETTLED_MS);
  });
  /** The instant and state of links without an instant, when another link was opened. */
  const left = new Map<string, { at: number; running: boolean }>();
  window.addEventListener('popstate', () => {
    clearTimeout(unsettled);
    unsettled = undefined;
    if (written === withoutInstant(written)) left.set(written, { at: lab.span.at, running: lab.running });
    // What is undone is no step of its own.
    goingBack = true;
    const link = decoded(location.hash.slice(1));
    const before = left.get(link);
    lab.open(location.hash);
    // A step of the tour begins anew: what was done in it is no part of its link.
    const goesOn = link === withoutInstant(link) && !/(^|&)step=/.test(link);
    if (before !== undefined && goesOn) lab.goOn(before.at, before.running);
    goingBack = false;
    write(false);
  });
  window.addEventListener('pagehide', () => write(false));
  history.replaceState(null, '', `#${lab.permalink}`);
}
