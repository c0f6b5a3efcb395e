// What the page asks of the Worker, and what it hears back.

import type { ChallengeVerdict } from '../../pkg/snapshot_web';

/** The last minute as the laboratory gives it. */
export type Minute = Uint8Array<ArrayBuffer>;
export type Capture = File | Minute;

/**
 * judge: a capture. inputs: the keys pressed while it was made, a byte a tick. pack: a minute of which a file is made.
 * read: the bytes of a motion's file. They move to the Worker. jumpsOver: the place of the speed above which a step is a jump.
 */
export type Task = { judge: Capture; inputs?: File } | { pack: Minute } | { read: Minute; jumpsOver: number };

/** The verdicts of all codecs after some of a capture's packets. */
export interface Progress {
  judged: number;
  packets: number;
  verdicts: ChallengeVerdict[];
}

/** part: of the motion that was read, in order; undefined after the last. refused: in words, why nothing came of it, and what to do. */
export type Answer = { progress: Progress } | { packed: Uint8Array<ArrayBuffer> } | { part: Uint8Array<ArrayBuffer> | undefined } | { refused: string };
