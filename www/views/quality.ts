// How much is drawn: judged by the time that drawing takes. No clock and no document of its own, so that tests can play any machine to it.

import { watched } from '../signals';

/** A step between the best picture and the cheapest. */
export interface Step {
  /** True for soft shadows. Flat shadows cost a tenth. */
  readonly shadows: boolean;
  /** The most pixels drawn for one CSS pixel, along a side. */
  readonly pixelRatio: number;
  /** Frames for each drawn frame. */
  readonly drawnEvery: number;
}

const steps: readonly Step[] = [
  { shadows: true, pixelRatio: 2, drawnEvery: 1 },
  { shadows: false, pixelRatio: 2, drawnEvery: 1 },
  { shadows: false, pixelRatio: 1, drawnEvery: 1 },
  { shadows: false, pixelRatio: 0.7, drawnEvery: 1 },
  { shadows: false, pixelRatio: 0.5, drawnEvery: 1 },
  { shadows: false, pixelRatio: 0.35, drawnEvery: 1 },
  { shadows: false, pixelRatio: 0.35, drawnEvery: 2 },
  { shadows: false, pixelRatio: 0.35, drawnEvery: 4 },
];
/** The step where software begins, and gets no better: it has no smooth edges that more pixels would refine. */
const SOFTWARE_STEP = 3;

/** Drawing that takes longer than this is too much for a frame; longer than that, two steps at once. */
const SLOW_MS = 25;
const VERY_SLOW_MS = 100;
/** Drawing this fast leaves room for the next step, which has up to twice the pixels. */
const FAST_MS = 12;

/** Share of the time between frames from which drawing is to blame for a simulation that falls behind. */
const BLAMED = 0.25;

/** The least time and the least number of frames that are judged, because a single hiccup must not count. */
const JUDGED_MS = 1500;
const FEWEST_FRAMES = 3;
/** Judgements without trouble before a step up; twice as many each time that step proves too much. */
const FIRST_PATIENCE = 3;
const MOST_PATIENCE = 48;

/** Steps down where drawing takes long, and up again where it has long been fast. Whatever else makes frames slow is not laid to it. */
export class Quality {
  private place: number;
  private drawnMs: number[] = [];
  private judgedMs = 0;
  private calm = 0;
  private patience = FIRST_PATIENCE;
  /** The last step was one up, and has not proved itself yet. */
  private trying = false;

  constructor(private readonly best: number) {
    this.place = best;
  }

  static of(gpu: 'none' | 'software' | 'hardware'): Quality {
    return new Quality(gpu === 'hardware' ? 0 : SOFTWARE_STEP);
  }

  get step(): Step {
    return steps[this.place] as Step;
  }

  /**
   * Takes the time since the frame before, the time from the draw calls to the finished picture, and whether the simulation falls
   * behind. Returns true if the step has changed.
   */
  add(intervalMs: number, drawnMs: number, isBehind = false): boolean {
    this.drawnMs.push(drawnMs);
    this.judgedMs += intervalMs;
    if (this.judgedMs < JUDGED_MS || this.drawnMs.length < FEWEST_FRAMES) return false;
    const before = this.place;
    const drawn = median(this.drawnMs);
    this.judge(drawn, isBehind && drawn * this.drawnMs.length > BLAMED * this.judgedMs);
    this.drawnMs = [];
    this.judgedMs = 0;
    return this.place !== before;
  }

  private judge(drawnMs: number, isBlamed: boolean): void {
    if (drawnMs < FAST_MS && !isBlamed) {
      this.calm += 1;
      if (this.trying && this.calm >= FIRST_PATIENCE) this.trying = false;
      if (this.calm >= this.patience && this.place > this.best) this.stepUp();
    } else {
      this.calm = 0;
      if (drawnMs > SLOW_MS || isBlamed) this.stepDown(drawnMs > VERY_SLOW_MS ? 2 : 1);
    }
  }

  private stepUp(): void {
    this.place -= 1;
    this.calm = 0;
    this.trying = true;
  }

  private stepDown(by: number): void {
    this.place = Math.min(this.place + by, steps.length - 1);
    if (this.trying) this.patience = Math.min(2 * this.patience, MOST_PATIENCE);
    this.trying = false;
  }
}

/** A still that takes longer than this to draw would make a drag stick: while it changes, it has fewer pixels. */
const MOST_STILL_MS = 60;
/** Fewest pixels a side for one CSS pixel of a still that changes: the red cubes stay sharp. */
const LEAST_STILL_RATIO = 0.7;
/** Time without a change after which a still gets all pixels. A slow picture keeps the next change of a drag waiting for 300 ms. */
const QUIET_MS = 500;
/** Changes nearer than this are one. */
const SAME_MS = 8;
const PAUSE_CHANGES = 2;
/** Time after the last change in which a still is drawn again and again: the camera eases. */
const SETTLING_MS = 1000;

/** The number of pixels of a paused view. A view that stands has all pixels; one that changes has fewer, if drawing them is slow. */
export class Still {
  private changedAt = Number.NEGATIVE_INFINITY;
  private isNew = true;
  /** Changes in a row, each soon after the one before. A pause makes one or two, a drag many. */
  private changes = 0;
  /** Measured time of a picture with all pixels; 0 before the first. */
  private sharpMs = 0;

  /** The motion goes on: the next still is a new one. */
  begin(): void {
    this.isNew = true;
  }

  /** Takes note of a change of the still. */
  change(now: number): void {
    if (now - this.changedAt >= QUIET_MS) this.changes = 0;
    if (now - this.changedAt >= SAME_MS) this.changes += 1;
    this.changedAt = now;
  }

  /** Pixels for one CSS pixel, along a side, of `most`. */
  ratio(now: number, most: number): number {
    const isDragged = this.changes > PAUSE_CHANGES && now - this.changedAt < QUIET_MS;
    return this.isNew || !isDragged || this.sharpMs <= MOST_STILL_MS
      ? most
      : Math.min(most, Math.max(LEAST_STILL_RATIO, most * Math.sqrt(MOST_STILL_MS / this.sharpMs)));
  }

  /** Returns true if the picture may still move. */
  settles(now: number): boolean {
    return this.isNew || now - this.changedAt < SETTLING_MS;
  }

  /** Takes note of a drawn picture with that share of all pixels along a side, and of the time that it took, if that is known. */
  drawn(ratio: number, most: number, drawnMs: number | undefined): void {
    this.isNew = false;
    if (drawnMs !== undefined) this.sharpMs = drawnMs * (most / ratio) ** 2;
  }
}

/** The real speed of the simulation, if it cannot keep up with the set speed. */
export class Pace {
  private frames = 0;
  private wanted = 0;
  private kept = 0;
  /** Share of real time; undefined while the simulation keeps up, or nothing is known yet. */
  @watched behind: number | undefined;

  /** Takes a frame: its length in ticks at full speed, the due ticks, and the played or owed ticks. */
  add(frames: number, wanted: number, kept: number): void {
    this.frames += frames;
    this.wanted += wanted;
    this.kept += kept;
    if (this.frames < 60) return;
    this.behind = this.kept < 0.95 * this.wanted ? this.kept / this.frames : undefined;
    this.frames = this.wanted = this.kept = 0;
  }

  clear(): void {
    this.frames = this.wanted = this.kept = 0;
    this.behind = undefined;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
