// The tour: the open step, the guesses, and the measured figures.

import { computed } from '@preact/signals-core';
import { type TourChapter, type TourClaim, type TourStep, tour_chapters } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { closeSheet, isOpen, openPart } from '../shell/desk';
import { bits, keysHeld, touchHeld } from '../shell/keys';
import { remember, remembered } from '../shell/remember';
import { follow, watched } from '../signals';
import { keptFile } from '../tell/kept';
import { onFrame } from '../time/loop';
import { chances, type TourChance } from './chances';
import { Measuring } from './measuring';
import { lecture } from './present';

export type { TourAct, TourAsks, TourChapter, TourClaim, TourStep } from '../../pkg/snapshot_web';

export const chapters: TourChapter[] = tour_chapters();
export const steps: readonly TourStep[] = chapters.flatMap((chapter) => chapter.steps);
export const core: readonly TourStep[] = steps.filter((step) => step.core);

export function chapterOf(step: TourStep): TourChapter | undefined {
  return chapters.find((chapter) => chapter.steps.includes(step));
}

const KEPT_AS = 'snapshot-lab-tour';
/** A number counts as right within this share of the measured one, or by this factor where guesses span orders of magnitude. */
const NEAR_SHARE = 0.2;
const NEAR_FACTOR = 2;

/** A person's progress, kept where the browser allows it. */
interface Kept {
  guesses: Record<string, string>;
  /** The answer to "why?", by its words. */
  whys: Record<string, string>;
  /** The measured figure of a step whose question is a number. */
  measured: Record<string, number>;
  /** Name, date and free text of who takes the course, for the sheet. */
  person: Record<string, string>;
  last?: string;
}

class Tour {
  private readonly measuring = new Measuring(() => this.keepMeasured());
  @watched private kept: Kept = readKept();
  private shown: string | undefined;
  private asked: string | undefined;
  /** True if playing starts once the step's instant is reached and both lanes are made: some answer sooner. */
  private playsThen = false;
  /** An answer that came before both views stood. It counts once they do. */
  private held: { id: string; guess: string } | undefined;
  /** True if the step's task is done. */
  @watched acted = false;
  /** The value of the task's setting before the person touches it. */
  private untouched: string | undefined;
  private readonly standing = computed(() => this.guess !== undefined || lab.now.progress === 'done' || lab.failure !== undefined);

  constructor() {
    follow(
      () => lab.looking,
      () => this.look(),
    );
    follow(
      () => [lab.now, lab.state],
      () => this.notice(),
    );
    onFrame(() => {
      if (this.held !== undefined && this.isOpenToAnswers) this.giveHeld(this.held);
      this.measure();
      this.drive();
    });
  }

  /** The step that is open. */
  get step(): TourStep | undefined {
    const id = lab.looking.step;
    return id === null ? undefined : steps.find((step) => step.id === id);
  }

  /** The guess of the open step: an answer's name, a number, or '' for somebody who wanted to be shown. */
  get guess(): string | undefined {
    return this.step === undefined ? undefined : this.kept.guesses[this.step.id];
  }

  /** The spread of a claim about chance; undefined for others. */
  chance(claim: string): TourChance | undefined {
    return chances.get(`${this.step?.id ?? ''} ${claim}`);
  }

  /** The kept guess of a step, its reason, and the measured figure. */
  record(id: string): { guess: string | undefined; why: string | undefined; measured: number | undefined } {
    return { guess: this.kept.guesses[id], why: this.kept.whys[id], measured: this.kept.measured[id] };
  }

  /** True for a right guess, false for a wrong one. Undefined before a guess, for a shown answer, and until the figure is measured. */
  isRight({ id, asks }: TourStep): boolean | undefined {
    const { guess, measured } = this.record(id);
    if (guess === undefined || guess === '') return undefined;
    if (asks.kind === 'choice') return guess === asks.right;
    if (measured === undefined) return undefined;
    const value = Number(guess);
    if (asks.by_factors) return value <= measured * NEAR_FACTOR && value >= measured / NEAR_FACTOR;
    return Math.abs(value - measured) <= NEAR_SHARE * Math.max(measured, 1);
  }

  /** The person's own words of a field of the sheet. */
  personal(field: string): string {
    return this.kept.person[field] ?? '';
  }

  tellPersonal(field: string, text: string): void {
    this.kept.person[field] = text;
    this.keep();
  }

  /** Takes an answer to "why?", or '' for somebody who wants to be shown; the first one counts. */
  because(words: string): void {
    if (this.step === undefined) return;
    this.kept.whys[this.step.id] ??= words;
    this.keep();
  }

  /** Forgets all guesses. */
  beginAnew(): void {
    [this.kept.guesses, this.kept.whys, this.kept.measured] = [{}, {}, {}];
    this.keep();
    this.colour();
  }

  /** Steps of which something was guessed. */
  isAnswered(id: string): boolean {
    return this.kept.guesses[id] !== undefined;
  }

  claim(id: string): TourClaim | undefined {
    return this.step?.claims.find((claim) => claim.id === id);
  }

  /** The measured figure of a claim of the open step; undefined until it is measured. */
  value(claim: string): number | undefined {
    return this.measuring.value(this.step?.id ?? '', claim);
  }

  /** True if the missing figures will never be measured. */
  get isUnmeasured(): boolean {
    return this.measuring.failed;
  }

  /** Opens a step, or the one where the person left. */
  open(id: string = this.kept.last ?? steps[0]?.id ?? ''): void {
    lab.stopAt = undefined;
    lab.openStep(steps.some((step) => step.id === id) ? id : (steps[0]?.id ?? ''));
    openPart('settings');
  }

  /** Opens the tour, or else opens or closes its sheet: the work of the Tour button. */
  toggle(): void {
    if (this.step === undefined) this.open();
    else if (isOpen('settings')) this.close();
    else openPart('settings');
  }

  /**
   * The step before or after the open one. The core's steps follow one another, and a lecture's on a projector. Another step has the
   * rest of its chapter beside it.
   */
  beside(by: 1 | -1): TourStep | undefined {
    const { step } = this;
    if (step === undefined) return undefined;
    const minutes = lecture();
    const chapter = chapterOf(step);
    const lectures = steps.filter((other) => minutes !== undefined && other.lectures.includes(minutes));
    const beside = (other: TourStep): boolean => other.core || (!step.core && chapter?.steps.includes(other) === true);
    const order = lectures.includes(step) ? lectures : steps.filter(beside);
    return order[order.indexOf(step) + by];
  }

  /** Leaves with settings and motion as they are. */
  close(): void {
    lab.look((page) => page.close_step());
    closeSheet();
  }

  /** Takes a guess; the first one counts. Then the motion plays. */
  answer(guess: string): void {
    const { step } = this;
    if (step === undefined) return;
    this.held = this.isOpenToAnswers ? undefined : { id: step.id, guess };
    if (this.held !== undefined) return;
    this.kept.guesses[step.id] ??= guess;
    this.keepMeasured();
    this.keep();
    this.colour();
    this.play();
  }

  private giveHeld({ id, guess }: { id: string; guess: string }): void {
    this.held = undefined;
    if (this.step?.id === id) this.answer(guess);
  }

  /** True once both views stand at the instant of the question, and after its first answer. */
  get isOpenToAnswers(): boolean {
    return this.standing.value;
  }

  /** Plays the step from its instant on. */
  play(): void {
    const { step } = this;
    this.playsThen = lab.now.progress !== 'done';
    if (step === undefined || this.playsThen) return;
    const from = Number(/(?:^|&)at=(\d+)/.exec(step.link)?.[1] ?? 0);
    if (lab.now.at !== from && lab.scripted && from >= lab.now.first && from <= lab.now.last) lab.seek(from);
    lab.stopAt = lab.now.at + step.play_s * lab.tickRate;
    lab.pause(false);
  }

  /** In a step that asks to drive, a key or the stick starts the play too. */
  private drive(): void {
    if (lab.running || this.step?.act?.kind !== 'drive' || this.guess === undefined) return;
    if (((keysHeld.bits | touchHeld.bits) & ~bits.cut) === 0) return;
    lab.stopAt = undefined;
    lab.pause(false);
  }

  /** Shows a step's colours with the answer: before the guess they would give it away. */
  private colour(): void {
    const { step } = this;
    const shade = /(?:^|&)shade=(\w+)/.exec(step?.link ?? '')?.[1];
    if (shade === undefined || this.shown !== step?.id) return;
    if (this.guess === undefined) lab.look((page) => page.look_as('', lab.looking.ghost));
    else if (lab.looking.overlay === null) lab.look((page) => page.look_as(shade, lab.looking.ghost));
  }

  /** Keeps the measured figure of a guessed number for the score. */
  private keepMeasured(): void {
    const { step } = this;
    if (step?.asks.kind === 'number' && this.guess !== undefined) {
      const value = this.value(step.asks.claim);
      if (value !== undefined && this.kept.measured[step.id] === undefined) {
        this.kept.measured[step.id] = value;
        this.keep();
      }
    }
  }

  private look(): void {
    const { step } = this;
    if (step?.id !== this.shown) {
      this.shown = step?.id;
      this.acted = false;
      this.untouched = undefined;
      lab.stopAt = undefined;
      this.playsThen = false;
      if (step !== undefined) {
        this.kept.last = step.id;
        this.keep();
        if (this.guess === undefined) this.colour();
      }
    }
  }

  /** Has the open step measured, then the next step while a person reads. Frames come only where it is seen. */
  private measure(): void {
    if (this.asked === this.shown) return;
    this.asked = this.shown;
    const { step } = this;
    if (step === undefined) {
      this.measuring.stop();
      return;
    }
    const wanted = [step, lab.looking.embed ? undefined : this.beside(1)].filter((step) => step !== undefined);
    const isUnknown = ({ id, claims }: TourStep): boolean => claims.some((claim) => this.measuring.value(id, claim.id) === undefined);
    this.measuring.ask(wanted.filter(isUnknown).map(({ id }) => id));
  }

  /** Stops in time, and sees what a person does. */
  private notice(): void {
    if (this.playsThen && lab.now.progress === 'done') this.play();
    if (lab.stopAt !== undefined && lab.now.at >= lab.stopAt) {
      lab.stopAt = undefined;
      if (lab.running && lab.scripted) lab.pause(true);
    }
    const act = this.step?.act;
    if (this.acted || this.step === undefined || act === null || act === undefined || this.guess === undefined) return;
    if (act.kind === 'cut') this.acted = lab.now.is_cut && lab.stopAt === undefined;
    else if (act.kind === 'drive') this.acted = !lab.scripted;
    else if (act.kind === 'trace') this.acted = lab.ownTrace !== undefined;
    else if (act.kind === 'tell') this.acted = keptFile(act.test) !== undefined;
    else {
      const text = lab.a[act.id];
      this.untouched ??= text;
      const value = Number(text);
      this.acted = text !== this.untouched && value >= act.least && value <= act.most;
    }
  }

  private keep(): void {
    this.kept = { ...this.kept };
    remember(KEPT_AS, JSON.stringify(this.kept));
  }
}

function readKept(): Kept {
  const kept: Kept = { guesses: {}, whys: {}, measured: {}, person: {} };
  try {
    const read: unknown = JSON.parse(remembered(KEPT_AS) ?? '{}');
    if (typeof read !== 'object' || read === null) return kept;
    const { guesses, whys, measured, person, last } = read as Record<string, unknown>;
    for (const [id, guess] of entries(guesses)) if (typeof guess === 'string') kept.guesses[id] = guess;
    for (const [id, why] of entries(whys)) if (typeof why === 'string') kept.whys[id] = why;
    for (const [id, value] of entries(measured)) if (typeof value === 'number') kept.measured[id] = value;
    for (const [id, text] of entries(person)) if (typeof text === 'string') kept.person[id] = text;
    if (typeof last === 'string') kept.last = last;
  } catch {
    // Not ours: nothing was guessed.
  }
  return kept;
}

function entries(of: unknown): [string, unknown][] {
  return Object.entries(typeof of === 'object' && of !== null ? of : {});
}

export const tour = new Tour();
