// What the page asks of the Worker, and what it hears back.

import type { Contested, Decided, JudgementWords, Wishes } from '../../pkg/snapshot_web';

/** The last minute as the laboratory gives it. */
export type Minute = Uint8Array<ArrayBuffer>;
export type Capture = File | Minute;

/**
 * judge: a capture. pack: a minute of which a file is made.
 * save: an archive's parts. open: the bytes of an archive, whose files have at most so many MB.
 * trace: the bytes of a trace's file.
 * read: the bytes of a motion's file. They move to the Worker. jumpsOver: the place of the speed above which a step is a jump.
 * compare: what a server had and what a client drew. The answer has the judgement and what lane B can show, or a question.
 * taken: options that change the client's positions.
 * decide: a verdict on a motion, which goes on until it is ended. Wishes follow as messages of their own.
 */
export type Task =
  | { judge: Capture }
  | { pack: Minute }
  | { read: Minute; jumpsOver: number }
  | { trace: Minute }
  | { decide: Decision }
  | { save: Saved }
  | { open: Minute; most: Megabytes }
  | { compare: [server: File, client: File]; jumpsOver: number; taken: string };

/** Greatest lengths of files that are read. */
export interface Megabytes {
  motion: number;
  trace: number;
}

/** A file by its name. */
export interface Named {
  name: string;
  bytes: Minute;
}

/** A link's fragment, with the files that it names. */
export interface Saved {
  link: string;
  motion?: Named;
  trace?: Named;
  client?: Named;
}

/** A motion to judge over the settings of a link and a recorded network. */
export interface Decision {
  parts: Minute[];
  link: string;
  trace?: { file: Minute; begins_ms: number };
  wishes: Wishes;
}

/**
 * comparing: the finished share of a comparison. question: asks for the client's unit or axes. It has the options for a yes.
 * part: the next part of the motion; undefined after the last. parsed: a trace for the laboratory.
 * refused: in words, why nothing came of it, and what to do. stopped: another link was opened.
 */
export type Answer =
  | { decided: Decided }
  | { compared: JudgementWords; recording: Minute }
  | { comparing: number }
  | { question: string; options: string }
  | { progress: Contested }
  | { packed: Uint8Array<ArrayBuffer> }
  | { part: Uint8Array<ArrayBuffer> | undefined }
  | { saved: Saved }
  | { parsed: Minute }
  | { stopped: true }
  | { refused: string };
