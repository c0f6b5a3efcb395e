// Work over the held motion, a slice a frame: a trade-off, a comparison over the run.

import { computed } from '@preact/signals-core';
import type { ReactiveElement } from 'lit';
import type { Study, StudyCommand } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { strategy } from '../shell/strategy';
import { watched } from '../signals';
import { onFrame } from '../time/loop';

/** Work in a frame that is paused. */
const PAUSED_MS = 24;

/** A study of the wasm for an element, over many frames. It ends when settings or motion change; its results stay. */
export class HeldWork {
  @watched working = false;
  @watched private inputsKey: string | undefined;
  private readonly stale = computed(() => this.inputsKey !== undefined && this.inputsKey !== this.inputsKeyNow());

  constructor(
    /** The key of all that the results depend on. */
    private readonly inputsKeyNow: () => string,
    private readonly study: Study,
    private readonly sliceMs: number,
    /** Reads the results after each slice, and whether there is more to do. Returns false to end the work. */
    private readonly read: (more: boolean) => boolean,
  ) {}

  /** True if the results are of other settings or another motion. */
  get isStale(): boolean {
    return this.stale.value;
  }

  /** Begins anew. The motion must stand still for it. It throws in words where there is no such study. */
  begin(study: StudyCommand): void {
    this.working = false;
    lab.pause(true);
    lab.page.apply({ study });
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
      if (!this.working || lab.failure !== undefined || lab.now.progress !== 'done') return;
      if (this.isStale) this.stop();
      else lab.guard(() => this.read(lab.page.study(this.study, this.sliceMs)) || this.stop());
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
    private readonly study: 'ladder' | 'widths',
  ) {}

  follow(): () => void {
    return onFrame(() => {
      if (!this.element.checkVisibility() || lab.now.progress !== 'done' || strategy() !== 'snapshot') return;
      const before = this.more;
      const work = { whole: !lab.running };
      const study: Study = this.study === 'ladder' ? { ladder: work } : { widths: work };
      lab.guard(() => (this.more = lab.page.study(study, lab.running ? this.playingMs : PAUSED_MS)));
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
