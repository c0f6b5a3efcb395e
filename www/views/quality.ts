// How much is drawn: judged by how frames come. No clock and no document of its own, so that tests can play any machine to it.

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

/** Frames without their ticks: slower than this, and something has to go; slower than that, and two steps at once. */
const SLOW_MS = 25;
const VERY_SLOW_MS = 100;
/** Frames at least this fast leave room for more: 60 Hz with some jitter. */
const FAST_MS = 20;
/** Drawing that takes more of the page's own time than this would not be faster for being asked more often. */
const EASY_DRAW_MS = 8;
/** The cap of power-saving phones and of frames in other pages, and its steadiness. */
const CAP_MS = 1000 / 30;
const CAP_GRAIN_MS = 2.5;
const CAP_SHARE = 0.8;

/** The least time and the least number of frames that are judged, because a single hiccup must not count. */
const JUDGED_MS = 1500;
const FEWEST_FRAMES = 3;
/** Judgements without trouble before a step up; twice as many each time that step proves too much. */
const FIRST_PATIENCE = 3;
const MOST_PATIENCE = 48;

/** Steps down where frames are slow, and up again where they have long been fast. */
export class Quality {
  private place: number;
  private frames: { intervalMs: number; ownMs: number; drawMs: number }[] = [];
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
   * Takes a drawn frame: the time since the one before, on average over those left out. `tickMs` of it went to the
   * simulation's ticks, for which no picture is to blame. `drawMs` is the page's own time of asking for the drawing.
   * Returns true if the step has changed.
   */
  add(intervalMs: number, tickMs: number, drawMs: number): boolean {
    this.frames.push({ intervalMs, ownMs: Math.max(intervalMs - tickMs, drawMs), drawMs });
    this.judgedMs += intervalMs;
    if (this.judgedMs < JUDGED_MS || this.frames.length < FEWEST_FRAMES) return false;
    const before = this.place;
    this.judge();
    this.frames = [];
    this.judgedMs = 0;
    return this.place !== before;
  }

  private judge(): void {
    const ownMs = median(this.frames.map((frame) => frame.ownMs));
    const drawMs = median(this.frames.map((frame) => frame.drawMs));
    const easy = drawMs < EASY_DRAW_MS;
    if (easy && (ownMs < FAST_MS || this.isCapped())) {
      this.calm += 1;
      if (this.trying && this.calm >= FIRST_PATIENCE) this.trying = false;
      if (this.calm >= this.patience && this.place > this.best) this.stepUp();
    } else {
      this.calm = 0;
      if (ownMs > SLOW_MS) this.stepDown(ownMs > VERY_SLOW_MS ? 2 : 1);
    }
  }

  /** Frames that come every 33 ms like clockwork are held back, not slow. */
  private isCapped(): boolean {
    const steady = this.frames.filter(({ intervalMs }) => Math.abs(intervalMs - CAP_MS) < CAP_GRAIN_MS);
    return steady.length >= CAP_SHARE * this.frames.length;
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

/** The real speed of the simulation, if it cannot keep up with the set speed. */
export class Pace {
  private frames = 0;
  private wanted = 0;
  private kept = 0;
  private shown: number | undefined;

  /** Share of real time; undefined while the simulation keeps up, or nothing is known yet. */
  get behind(): number | undefined {
    return this.shown;
  }

  /** Takes a frame: its length in ticks at full speed, the due ticks, and the played or owed ticks. */
  add(frames: number, wanted: number, kept: number): void {
    this.frames += frames;
    this.wanted += wanted;
    this.kept += kept;
    if (this.frames < 60) return;
    this.shown = this.kept < 0.95 * this.wanted ? this.kept / this.frames : undefined;
    this.frames = this.wanted = this.kept = 0;
  }

  clear(): void {
    this.frames = this.wanted = this.kept = 0;
    this.shown = undefined;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
