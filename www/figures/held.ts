// A question about the motion that is kept, for an element: a Worker answers it, and the answer stays.

import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { ReactiveElement } from 'lit';
import type { AnalysisAnswer, AnalysisQuestion } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import type { Bytes } from '../motion/file-tasks';
import { start } from '../motion/file-work';
import { strategy } from '../shell/strategy';
import { watched } from '../signals';
import { onFrame } from '../time/loop';

/** Time for which settings must stay before a question is asked of them by itself, ms: a slider that is dragged asks once. */
const STAYS_MS = 200;

/** The kinds of answers, by name. */
type Answers = { [Kind in AnalysisAnswer as keyof Kind]: Kind[keyof Kind] };

/** A question of one kind. It ends when settings or motion change; its answer stays. */
export class HeldQuestion<Kind extends keyof Answers> {
  /** The answer so far. */
  @watched answer: Answers[Kind] | undefined;
  @watched working = false;
  /** Why there is no answer, in words. */
  @watched trouble = '';
  /** The settings, and the ticks, that were asked about. */
  @watched private askedOf: string | undefined;
  private askedTicks = '';
  /** True once the question was answered to the end, or refused. */
  protected isOver = false;
  private readonly inputs: ReadonlySignal<string>;
  private readonly stale = computed(() => this.askedOf !== undefined && !this.isAsked());
  /** The question that waits until both lanes are worked out. */
  private waiting: AnalysisQuestion | undefined;
  private end = (): void => {};

  constructor(
    private readonly kind: Kind,
    question: AnalysisQuestion,
  ) {
    this.inputs = computed(() => {
      // The permalink changes with every setting, and with every packet that is lost or delivered by hand.
      void lab.permalink;
      return JSON.stringify([lab.state.trace, lab.ask({ analysis_inputs: { question } })]);
    });
  }

  /** True if the answer is of other settings or another motion. */
  get isStale(): boolean {
    return this.stale.value;
  }

  /** All that the answer depends on now. While the motion plays on, more ticks are no change. */
  protected get inputsNow(): string {
    return lab.running ? this.inputs.value : `${this.inputs.value} ${ticksNow()}`;
  }

  /** Asks anew. */
  ask(question: AnalysisQuestion): void {
    this.stop();
    this.trouble = '';
    this.waiting = question;
    this.working = true;
    this.isOver = false;
    [this.askedTicks, this.askedOf] = [ticksNow(), this.inputs.value];
  }

  /** Ends the work; the answer so far stays. */
  readonly stop = (): void => {
    this.end();
    this.end = (): void => {};
    this.waiting = undefined;
    this.working = false;
  };

  /** Goes on in each frame, until told to stop. */
  follow(): () => void {
    const stop = onFrame(() => this.pass());
    return () => {
      stop();
      this.stop();
    };
  }

  protected pass(): void {
    if (this.working && (this.isStale || lab.failure !== undefined)) this.stop();
    if (this.waiting !== undefined && lab.now.progress === 'done') lab.guard(() => this.begin());
  }

  protected isAsked(): boolean {
    return this.inputs.value === this.askedOf && (lab.running || ticksNow() === this.askedTicks);
  }

  private begin(): void {
    const { waiting: ask, kind } = this;
    if (ask === undefined) return;
    this.waiting = undefined;
    const about = lab.page.bytes('subject') as Bytes;
    this.end = start({ ask, about }, (message) => {
      if ('answered' in message) {
        const { answer, done } = message.answered;
        this.answer = (answer as Partial<Answers>)[kind] as Answers[Kind] | undefined;
        this.isOver = done;
        if (done) this.stop();
      } else {
        if ('refused' in message) [this.trouble, this.isOver] = [`${message.refused}.`, true];
        this.stop();
      }
    });
  }
}

/**
 * A question over snapshots that asks itself while its element is seen: anew for other settings, and for more ticks once paused.
 * While the motion plays, it asks again after as many ticks as it was asked of.
 */
export class SeenQuestion<Kind extends 'ladder' | 'widths'> extends HeldQuestion<Kind> {
  private seen = '';
  private seenAt = 0;
  private askedLast = 0;
  private askedCount = 0;

  constructor(
    private readonly element: ReactiveElement,
    private readonly question: Kind,
  ) {
    super(question, question);
  }

  protected override pass(): void {
    super.pass();
    if (!this.element.checkVisibility() || lab.now.progress !== 'done' || strategy() !== 'snapshot') return;
    const { first, last } = lab.now;
    // An earlier tick is one of a motion that began anew.
    const isOfMost = last >= this.askedLast && last - this.askedLast < Math.max(this.askedCount, 1);
    if (this.isAsked() && (this.working || (this.isOver && isOfMost))) return;
    const now = performance.now();
    if (this.inputsNow !== this.seen) [this.seen, this.seenAt] = [this.inputsNow, now];
    else if (now - this.seenAt >= STAYS_MS) {
      [this.askedLast, this.askedCount] = [last, last - first];
      this.ask(this.question);
    }
  }
}

function ticksNow(): string {
  const { first, last } = lab.now;
  return `${first} ${last}`;
}
