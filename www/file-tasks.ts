// What the page asks of the Worker, and what it hears back.

import type { Verdict } from '../pkg/snapshot_web';

/** The last minute as the laboratory gives it. */
export type Minute = Uint8Array<ArrayBuffer>;
export type Capture = File | Minute;

/**
 * inputs: what was pressed while the capture was made, a byte a tick. pack: makes a file of it. read: the bytes of a motion's file,
 * which the page no longer has then. jumpsOver: the place of the speed above which a step is a jump.
 */
export type Task = { judge: Capture; inputs?: File } | { pack: Minute } | { read: Minute; jumpsOver: number };

/** All codecs, after so many packets of so many. */
export interface Progress {
  judged: number;
  packets: number;
  verdicts: Verdict[];
}

/** part: of the motion that was read, in order; undefined after the last. refused: in words, why nothing came of it, and what to do. */
export type Answer = { progress: Progress } | { packed: Uint8Array<ArrayBuffer> } | { part: Uint8Array<ArrayBuffer> | undefined } | { refused: string };
