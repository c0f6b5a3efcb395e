// What a person did, by entry of the tab's history: it is no part of the address. A reload, Back and Forward bring it again.

import type { Laboratory } from '../laboratory';
import { hasActs } from './parts';

const PLACE = 'done-by-entry';
const MOST_ENTRIES = 20;
/** A browser stores some 5 MB of an origin. */
const MOST_CHARACTERS = 1e6;

type Kept = [entry: string, moment: string];

/** Returns all that is kept, oldest first. Another program or version may have left anything there. */
function all(): Kept[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? '[]');
    const isKept = (one: unknown): one is Kept => Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
    return Array.isArray(stored) ? stored.filter(isKept) : [];
  } catch {
    // Where nothing may be stored a reload begins anew.
    return [];
  }
}

/** Returns the link of what was done at an entry. */
export function doneAt(entry: string | undefined): string | undefined {
  return all().find(([kept, moment]) => kept === entry && hasActs(moment))?.[1];
}

/** Keeps what was done at an entry, or forgets it; the newest entries stay. */
function keepAt(entry: string, moment: string | undefined): void {
  const others = all().filter(([kept]) => kept !== entry);
  const next: Kept[] = moment === undefined || moment.length > MOST_CHARACTERS ? others : [...others, [entry, moment]];
  while (next.length > MOST_ENTRIES || next.reduce((sum, [, { length }]) => sum + length, 0) > MOST_CHARACTERS) next.shift();
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(next));
  } catch {
    // The newest is lost then, and the page goes on.
  }
}

/** The name of the present entry; undefined until it has one. */
export function presentEntry(): string | undefined {
  const state: unknown = history.state;
  return typeof state === 'string' ? state : undefined;
}

export function newEntry(): string {
  return `entry ${performance.timeOrigin + performance.now()}`;
}

/** The work of entries: kept when one is left, and done once more where it is no longer on the tape. */
export class Entries {
  /** Entries whose work the tape still has. */
  private readonly onTape = new Set<string>();

  constructor(
    private readonly lab: Laboratory,
    private entry: string,
  ) {
    window.addEventListener('pagehide', () => keepAt(this.entry, this.done(true)));
  }

  /** Keeps what was done at the present entry, after a change that begins another. */
  left(next: string): void {
    this.leave(this.lab.keeper.kept?.moment, next, this.lab.now.last);
  }

  /** Opens a link at another entry, or what was done there. */
  open(hash: string, next: string): void {
    const { lab } = this;
    const { last } = lab.now;
    const moment = this.done(false);
    const again = this.onTape.has(next) ? undefined : doneAt(next);
    lab.open(again === undefined ? hash : `#${again}`);
    const stays = this.leave(moment, next, last);
    if (again !== undefined) lab.notify(['Your play was repeated here, up to where you were', ...lab.notices]);
    else if (moment !== undefined && !stays) lab.notify(['What you had done is kept: Back does it once more', ...lab.notices]);
  }

  /** The link of what a person has done up to here; the last copy where no link leads here, or where making one takes time. */
  private done(wait: boolean): string | undefined {
    const { lab } = this;
    // A motion of one's own is no part of a link: its file is brought back, or asked for.
    if (lab.state.motion !== undefined) return undefined;
    // On the way to what was done here.
    if (lab.now.progress === 'travelling') return doneAt(this.entry);
    if (lab.failure !== undefined || (lab.now.progress !== 'done' && !wait)) return lab.keeper.kept?.moment;
    try {
      const moment = lab.ask('share');
      return hasActs(moment) ? moment : undefined;
    } catch {
      return lab.keeper.kept?.moment;
    }
  }

  /** Returns true if the tape goes on: it has the last tick from before the change. */
  private leave(moment: string | undefined, next: string, last: number): boolean {
    const stays = this.lab.failure === undefined && this.lab.now.last >= last;
    keepAt(this.entry, moment);
    if (stays) this.onTape.add(this.entry).add(next);
    else {
      this.onTape.clear();
      this.lab.keeper.kept = undefined;
    }
    this.entry = next;
    return stays;
  }
}
