// The address bar shows the present link; Back and Forward undo and redo settings.

import { lab } from '../lab';
import { stopAll } from '../motion/file-work';
import { readNoMore } from '../motion/reading';
import { follow } from '../signals';
import { decoded, isLink } from './address';
import { settingsOf } from './parts';
import { Entries, newEntry, presentEntry } from './reload';

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

/** Opens a link that came in a file, as an entry of its own: Back undoes it. A part of another page leaves that page's history alone. */
export let openLink = (hash: string): void => lab.open(hash);

/** Makes all changes of an act one step with the step before: Back undoes both. */
export let withoutStep = (act: () => Promise<void>): Promise<void> => act();

/** Writes the link at each change, and tells when Back, Forward or an address has opened another. The first change is a step that Back undoes; changes that follow without a pause belong to that step. */
export function keepLinkCurrent(opened: () => void): void {
  let written = lab.permalink;
  let entry = presentEntry() ?? newEntry();
  const entries = new Entries(lab, entry);
  /** The settings before the step that has not settled yet. */
  let stepFrom: string | undefined;
  /** True while a step that led nowhere is taken back. */
  let returns = false;
  const show = (link: string, change: 'pushState' | 'replaceState' = 'replaceState'): void => history[change](entry, '', `#${link}`);
  const write = (step: boolean): void => {
    const link = lab.permalink;
    if (link.length > MOST_LINK_CHARACTERS) return;
    const isOther = step && settingsOf(link) !== settingsOf(written);
    if (isOther) {
      stepFrom = settingsOf(written);
      entry = newEntry();
      entries.left(entry);
    }
    if (location.hash !== `#${link}`) show(link, isOther ? 'pushState' : 'replaceState');
    written = link;
  };
  let unsettled: ReturnType<typeof setTimeout> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** Acts under way whose changes are no steps of their own. */
  let acts = 0;
  const heed = (): void => {
    if (acts > 0) return;
    const isSet = settingsOf(lab.permalink) !== settingsOf(written);
    if (isSet && unsettled === undefined) write(true);
    clearTimeout(isSet ? unsettled : waiting);
    const settled = setTimeout(() => {
      if (isSet) unsettled = undefined;
      // A step that ends where it began is none: Back would lead to the same address.
      returns = isSet && stepFrom === settingsOf(lab.permalink);
      if (isSet) stepFrom = undefined;
      if (returns) history.back();
      else write(false);
    }, SETTLED_MS);
    if (isSet) unsettled = settled;
    else waiting = settled;
  };
  follow(() => lab.permalink, heed);
  /** The instant and state of links without an instant, when another link was opened. */
  const left = new Map<string, { at: number; running: boolean }>();
  const go = (hash: string): void => {
    readNoMore();
    stopAll();
    clearTimeout(unsettled);
    unsettled = undefined;
    if (written === withoutInstant(written)) left.set(written, { at: lab.now.at, running: lab.running });
    // What is undone is no step of its own.
    acts += 1;
    const link = decoded(hash.slice(1));
    const before = left.get(link);
    entries.open(hash, entry);
    const goesOn = link === withoutInstant(link);
    if (before !== undefined && goesOn && lab.now.progress !== 'travelling') lab.goOn(before.at, before.running);
    acts -= 1;
    write(false);
  };
  withoutStep = async (act) => {
    acts += 1;
    try {
      await act();
    } finally {
      acts -= 1;
      write(false);
    }
  };
  openLink = (hash) => {
    entry = newEntry();
    show(lab.permalink, 'pushState');
    go(hash);
  };
  window.addEventListener('popstate', () => {
    const arrived = presentEntry();
    if (returns) {
      returns = false;
      entry = arrived ?? newEntry();
      entries.left(entry);
      return write(false);
    }
    // A place on the page, such as the controls: the link stays as it is.
    if (arrived === undefined && !isLink(location.hash)) {
      show(lab.permalink);
      return;
    }
    // Back from such a place.
    if (arrived === entry) return write(false);
    entry = arrived ?? newEntry();
    if (arrived === undefined) history.replaceState(entry, '');
    go(location.hash);
    opened();
  });
  window.addEventListener('pagehide', () => write(false));
  if (lab.permalink.length > MOST_LINK_CHARACTERS) history.replaceState(entry, '');
  else show(lab.permalink);
}
