// The calls of the laboratory that may fail, and who is told when something changes.

import { gated, isRefusal, Stopped } from './gate';
import { inWords } from './shell/failure';

/**
 * settings: any setting of A or B changed. figures: new figures, ten times a second. run: paused, resumed. looking: another
 * figure, packet or cube. notices, failed: as named.
 */
export type Change = 'settings' | 'figures' | 'run' | 'looking' | 'notices' | 'failed';

export abstract class Guarded extends EventTarget {
  /** Why nothing goes on, once something has gone wrong in the wasm. */
  failure: string | undefined;
  notices: string[] = [];

  /** Reads everything again after a change, and tells of it. */
  protected abstract changed(): void;

  on(changes: readonly Change[], listener: () => void): () => void {
    for (const change of changes) this.addEventListener(change, listener);
    return () => changes.forEach((change) => this.removeEventListener(change, listener));
  }

  fail(message: string): void {
    if (this.failure !== undefined) return;
    this.failure = message;
    this.tell('run');
    this.tell('failed');
  }

  /** Whatever the wasm throws ends in a sentence and a link, not in a frozen page. */
  guard(work: () => void): void {
    if (this.failure !== undefined) return;
    try {
      work();
    } catch (error) {
      // What the gate has shut has been said.
      if (!(error instanceof Stopped)) this.fail(inWords(error));
    }
  }

  /** A handle of the wasm that is called through the gate alone. */
  gated<T extends object>(handle: T): T {
    return gated(handle, { isShut: () => this.failure !== undefined, shut: (error) => this.fail(inWords(error)) });
  }

  /** Tells a refusal in a notice. */
  protected attempt(work: () => void, before = ''): void {
    this.guard(() => {
      try {
        work();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.notify([before + error.message]);
      }
      this.changed();
    });
  }

  notify(notices: string[]): void {
    this.notices = notices;
    this.tell('notices');
  }

  protected tell(change: Change): void {
    this.dispatchEvent(new Event(change));
  }
}
