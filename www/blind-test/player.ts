// A clip at the times of the display: which of its frames a frame of the screen shows, and how many the machine left out.

/** Intervals of the display from which its period is taken. */
const MEASURED = 61;
/** Part of a period by which a display may differ from the clip's rate and still show each frame once. */
const SAME = 0.05;

/** Period of a display: the median of the newest intervals between its frames. */
export class Refresh {
  private readonly intervals: number[] = [];
  private last: number | undefined;

  /** Takes note of a frame. */
  add(now: number): void {
    if (this.last !== undefined && now > this.last) this.intervals.push(now - this.last);
    if (this.intervals.length > MEASURED) this.intervals.shift();
    this.last = now;
  }

  /** Milliseconds between two frames; a display of 60 Hz is supposed until three have come. */
  get periodMs(): number {
    if (this.intervals.length < 3) return 1000 / 60;
    const sorted = [...this.intervals].sort((one, other) => one - other);
    return sorted[sorted.length >> 1] ?? 1000 / 60;
  }
}

/** One playing of a clip. */
export class Player {
  /** Frames of the display that were not shown in time. */
  drops = 0;
  private shown = 0;
  private last: number | undefined;

  /** The clip has so many frames, `tickMs` apart; the display has a period. */
  constructor(
    private readonly frames: number,
    private readonly tickMs: number,
    private readonly periodMs: number,
  ) {}

  /** Returns the clip's frame for a frame of the display; undefined after the last one. */
  at(now: number): number | undefined {
    if (this.last !== undefined) {
      const passed = Math.max(Math.round((now - this.last) / this.periodMs), 1);
      this.drops += passed - 1;
      this.shown += passed;
    }
    this.last = now;
    const isSame = Math.abs(this.periodMs / this.tickMs - 1) < SAME;
    const frame = isSame ? this.shown : Math.floor((this.shown * this.periodMs) / this.tickMs + 1e-3);
    return frame < this.frames ? frame : undefined;
  }
}
