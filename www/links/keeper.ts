// The copy of what was done, outside the wasm, for when that can say nothing any more.

import { isRefusal } from '../gate';
import { hasActs } from './parts';

const KEEP_EVERY_MS = 2000;

/** The present recording as a fragment that replays it, and the instant at its end. */
export interface Kept {
  moment: string;
  time_s: number;
}

export class Keeper {
  kept: Kept | undefined;
  private keepAfter = 0;

  /** Copies the recording, every two seconds at most. */
  keep(share: () => string, time_s: number): void {
    const now = performance.now();
    if (now < this.keepAfter) return;
    this.keepAfter = now + KEEP_EVERY_MS;
    try {
      const moment = share();
      this.kept = hasActs(moment) ? { moment, time_s } : undefined;
    } catch (error) {
      // No link leads to what is too late; the one before it stays.
      if (!isRefusal(error)) throw error;
    }
  }
}
