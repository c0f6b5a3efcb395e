// The tour: which step is open, what was guessed, and what is measured of it.

import { tour_chapters, type TourChapter, type TourClaim, type TourStep } from '../pkg/snapshot_web';
import { lab } from './lab';
import { onFrame } from './loop';
import { isSheetOpen, toggleSheet } from './sheet';
import { Measuring } from './tour-measuring';

export type { TourAct, TourAsks, TourChapter, TourClaim, TourStep } from '../pkg/snapshot_web';

export const chapters: TourChapter[] = tour_chapters();
export const steps: readonly TourStep[] = chapters.flatMap((chapter) => chapter.steps);

const KEPT_AS = 'snapshot-lab-tour';

/** What a person has done, kept where the browser allows it. */
interface Kept {
  guesses: Record<string, string>;
  last?: string;
}

class Tour extends EventTarget {
  private readonly measuring = new Measuring(() => this.tell());
  private readonly kept: Kept = readKept();
  private shown: string | undefined;
  private asked: string | undefined;
  /** The tick at which playing stops. */
  private stopAt: number | undefined;
  /** Whether to play once the step's instant is reached and both lanes are made: some answer sooner. */
  private playsThen = false;
  /** Whether what the step asks to be done has been. */
  acted = false;

  constructor() {
    super();
    lab.on(['looking'], () => this.look());
    lab.on(['figures', 'settings'], () => this.notice());
    onFrame(() => this.measure());
    this.look();
  }

  /** The step that is open. */
  get step(): TourStep | undefined {
    const id = lab.looking.step;
    return id === null ? undefined : steps.find((step) => step.id === id);
  }

  /** What was guessed of the open step: an answer's name, a number, or '' for somebody who wanted to be shown. */
  get guess(): string | undefined {
    return this.step === undefined ? undefined : this.kept.guesses[this.step.id];
  }

  /** Steps of which something was guessed. */
  isAnswered(id: string): boolean {
    return this.kept.guesses[id] !== undefined;
  }

  claim(id: string): TourClaim | undefined {
    return this.step?.claims.find((claim) => claim.id === id);
  }

  /** What was measured of a claim of the open step; undefined until it is. */
  value(claim: string): number | undefined {
    return this.measuring.value(this.step?.id ?? '', claim);
  }

  /** Whether what is not measured yet never will be. */
  get isUnmeasured(): boolean {
    return this.measuring.failed;
  }

  /** Opens a step, or the one where the person left. */
  open(id: string = this.kept.last ?? steps[0]?.id ?? ''): void {
    this.stopAt = undefined;
    lab.openStep(steps.some((step) => step.id === id) ? id : (steps[0]?.id ?? ''));
    if (!isSheetOpen()) toggleSheet(true);
  }

  /** What the Tour button does. */
  toggle(): void {
    if (this.step === undefined) this.open();
    else if (isSheetOpen()) this.close();
    else toggleSheet(true);
  }

  /** The step so many before or after the open one. */
  beside(by: 1 | -1): TourStep | undefined {
    const place = steps.findIndex((step) => step === this.step);
    return place < 0 ? undefined : steps[place + by];
  }

  /** Leaves with settings and motion as they are. */
  close(): void {
    lab.closeStep();
    toggleSheet(false);
  }

  /** Takes a guess; the first one counts. Then the motion plays. */
  answer(guess: string): void {
    const { step } = this;
    if (step === undefined) return;
    this.kept.guesses[step.id] ??= guess;
    this.keep();
    this.play();
    this.tell();
  }

  /** Plays the step from its instant on. */
  play(): void {
    const { step } = this;
    this.playsThen = lab.progress.state !== 'done';
    if (step === undefined || this.playsThen) return;
    const from = Number(/(?:^|&)at=(\d+)/.exec(step.link)?.[1] ?? 0);
    if (lab.span.at !== from && lab.scripted && from >= lab.span.first && from <= lab.span.last) lab.seek(from);
    this.stopAt = lab.span.at + step.play_s * 60;
    lab.pause(false);
  }

  private look(): void {
    const { step } = this;
    if (step?.id !== this.shown) {
      this.shown = step?.id;
      this.acted = false;
      this.stopAt = undefined;
      this.playsThen = false;
      if (step !== undefined) {
        this.kept.last = step.id;
        this.keep();
      }
    }
    this.tell();
  }

  /** Has the open step measured, and the next one while this one is read. Frames come only where it is seen. */
  private measure(): void {
    if (this.asked === this.shown) return;
    this.asked = this.shown;
    const { step } = this;
    if (step === undefined) return this.measuring.stop();
    const wanted = [step, lab.looking.embed ? undefined : this.beside(1)].filter((step) => step !== undefined);
    const isUnknown = ({ id, claims }: TourStep): boolean => claims.some((claim) => this.measuring.value(id, claim.id) === undefined);
    this.measuring.ask(wanted.filter(isUnknown).map(({ id }) => id));
  }

  /** Stops in time, and sees what a person does. */
  private notice(): void {
    if (this.playsThen && lab.progress.state === 'done') this.play();
    if (this.stopAt !== undefined && lab.span.at >= this.stopAt) {
      this.stopAt = undefined;
      if (lab.running && lab.scripted) lab.pause(true);
    }
    const act = this.step?.act;
    if (this.acted || this.step === undefined || act === null || act === undefined || this.guess === undefined) return;
    if (act.kind === 'cut') this.acted = lab.isCut && this.stopAt === undefined;
    else if (act.kind === 'drive') this.acted = !lab.scripted;
    else {
      const value = Number(lab.a.settings[act.id]);
      this.acted = value >= act.least && value <= act.most;
    }
    if (this.acted) this.tell();
  }

  private keep(): void {
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify(this.kept));
    } catch {
      // Without a place to keep it, it is kept as long as the page.
    }
  }

  private tell(): void {
    this.dispatchEvent(new Event('change'));
  }
}

function readKept(): Kept {
  const kept: Kept = { guesses: {} };
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}');
    if (typeof read !== 'object' || read === null) return kept;
    const { guesses, last } = read as { guesses?: unknown; last?: unknown };
    for (const [id, guess] of Object.entries(typeof guesses === 'object' && guesses !== null ? guesses : {})) {
      if (typeof guess === 'string') kept.guesses[id] = guess;
    }
    if (typeof last === 'string') kept.last = last;
  } catch {
    // Not ours, or not allowed: nothing was guessed.
  }
  return kept;
}

export const tour = new Tour();
