// Messages between a page's figures and the engine that computes and draws them.

/** A figure that is to be computed and drawn. */
export interface Wanted {
  /** Number of the element on its page: one figure may stand there twice. */
  readonly key: number;
  readonly id: string;
  /** Place of its control's value. */
  readonly choice: number | undefined;
  readonly tick: number;
  readonly width: number;
  readonly height: number;
  /** Views one below the other, on narrow screens. */
  readonly isColumn: boolean;
  /** True for a picture that is kept: soft shadows, whatever time they take. */
  readonly isStill: boolean;
  /** Place of the seam, 0 to 1. */
  readonly seam: number;
  /** Colour of the sky, each component 0 to 1. */
  readonly paper: readonly [number, number, number];
}

export interface Order {
  /** The compiled module, in one of the first orders. */
  readonly module?: WebAssembly.Module;
  readonly wanted: readonly Wanted[];
}

/** A packet of a lane, in ticks; NaN where there is none. */
export interface PacketRow {
  readonly sent: number;
  readonly arrived: number;
  readonly baseline: number;
  readonly bits: number;
  readonly isLost: boolean;
}

/** Packets and frames of a lane, for a drawing. */
export interface LaneTrack {
  readonly packets: readonly PacketRow[];
  /** For each tick so far, 1 where the picture stood still. */
  readonly still: Uint8Array;
  readonly kbps: number;
}

/** Data of the drawing below the views. */
export interface Drawing {
  readonly tick: number;
  readonly length: number;
  readonly tracks: readonly LaneTrack[];
  /** Orientation of the large cube. */
  readonly turn: readonly number[];
  /** For each cube, 1 where it has changed within a tenth of a second. */
  readonly changed: Uint8Array;
  /** Three rows of 64 counts: index, position, orientation, by bits. */
  readonly widths: Uint32Array;
}

export interface Picture {
  readonly key: number;
  /** Tick that the figure has reached: smaller than the wanted one while it catches up. */
  readonly tick: number;
  readonly bitmap: ImageBitmap | undefined;
  /** In the order of the figure's numbers; NaN where there is none. */
  readonly values: readonly number[];
  readonly drawing: Drawing | undefined;
  /** A sentence, where this figure cannot run. */
  readonly failure?: string;
}

export interface Reply {
  readonly pictures: readonly Picture[];
  /** Last tick that has arrived, and that the motion will have. */
  readonly arrived: number;
  readonly length: number;
  /** A sentence, where no figure can run. */
  readonly failure?: string;
}
