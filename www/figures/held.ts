// Work over the held motion, a slice a frame: a trade-off, a comparison over the run.

import { computed } from '@preact/signals-core';
import type { ReactiveElement } from 'lit';
import { lab } from '../lab';
import { strategy } from '../shell/strategy';
import { watched } from '../signals';
import { onFrame } from '../time/loop';

/** Work in a frame that is paused. */
const PAUSED_MS = 24;

/** Work of the wasm for an element, over many frames. It ends when settings or motion change. */
export class HeldWork<Work extends { free(): void }> {
  @watched working = false;
  /** The work; its results stay after its end. */
  @watched made: Work | undefined;
  @watched private inputsKey = '';
  private readonly stale = computed(() => this.made !== undefined && this.inputsKey !== this.inputsKeyNow());

  constructor(
    /** The key of all that the results depend on. */
    private readonly inputsKeyNow: () => string,
    /** Goes on for a slice. Returns true while there is more. */
    private readonly slice: (work: Work) => boolean,
  ) {}

  /** True if the results are of other settings or another motion. */
  get isStale(): boolean {
    return this.stale.value;
  }

  /** Begins anew. The motion must stand still for it. */
  begin(make: () => Work): void {
    this.working = false;
    this.made?.free();
    this.made = undefined;
    lab.pause(true);
    this.made = lab.gated(make());
    this.inputsKey = this.inputsKeyNow();
    this.working = true;
  }

  /** Ends it; the results so far stay. */
  readonly stop = (): void => {
    this.working = false;
  };

  /** Goes on in each frame, once the figures of the settings in force are worked out, until told to stop. */
  follow(): () => void {
    return onFrame(() => {
      const { made } = this;
      if (made === undefined || !this.working || lab.failure !== undefined || lab.now.progress !== 'done') return;
      if (this.isStale) this.stop();
      else lab.guard(() => this.slice(made) || this.stop());
    });
  }
}

/** Work of the wasm over snapshots while an element is seen, in the rest of each frame: over all held ticks if paused. */
export class SnapshotWork {
  /** True while there is more. */
  more = true;
  /** Key of the last work. */
  private worked = '';

  constructor(
    private readonly element: ReactiveElement,
    private readonly playingMs: number,
    /** Goes on for so long. Returns true while there is more. */
    private readonly slice: (overAll: boolean, ms: number) => boolean,
  ) {}

  follow(): () => void {
    return onFrame(() => {
      if (!this.element.checkVisibility() || lab.now.progress !== 'done' || strategy() !== 'snapshot') return;
      const before = this.more;
      lab.guard(() => (this.more = this.slice(!lab.running, lab.running ? this.playingMs : PAUSED_MS)));
      // What is done in one go, and what there is to show of B, is known only now.
      const of = `${lab.permalink} ${lab.running}`;
      const isOther = this.worked !== of;
      this.worked = of;
      if (!lab.running && (this.more || before || isOther)) this.element.requestUpdate();
    });
  }
}

/** The key of the held ticks and of these settings. */
export function inputsKey(...depends: readonly unknown[]): string {
  const { first, last } = lab.now;
  return JSON.stringify([first, last, ...depends]);
}
