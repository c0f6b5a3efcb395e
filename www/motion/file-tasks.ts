// What the page asks of the Worker, and what it hears back.

import type { AnalysisQuestion, Contested, Decided, JudgementWords, Told, Wishes } from '../../pkg/snapshot_web';

export type Bytes = Uint8Array<ArrayBuffer>;
/** A capture's file, or a subject whose last minute is one. */
export type Capture = File | Bytes;

/**
 * A subject is the motion that is kept with its lanes, as the laboratory gives it.
 * ask: a question about a subject.
 * judge: a capture. pack: a subject of whose last minute a file is made.
 * save: an archive's parts. open: the bytes of an archive, whose files have at most so many MB.
 * trace: the bytes of a trace's file.
 * read: the bytes of a motion's file. They move to the Worker. jumpsOver: the place of the speed above which a step is a jump.
 * compare: what a server had and what a client drew. The answer has the judgement and what lane B can show, or a question.
 * taken: options that change the client's positions.
 * decide: a verdict on a subject, which goes on until it is ended. Wishes follow as messages of their own.
 */
export type Task =
  | { ask: AnalysisQuestion; about: Bytes }
  | { judge: Capture }
  | { pack: Bytes }
  | { read: Bytes; jumpsOver: number }
  | { trace: Bytes }
  | { decide: { subject: Bytes; wishes: Wishes } }
  | { save: Saved }
  | { open: Bytes; most: Megabytes }
  | { compare: [server: File, client: File]; jumpsOver: number; taken: string };

/** Greatest lengths of files that are read. */
export interface Megabytes {
  motion: number;
  trace: number;
}

/** A file by its name. */
export interface Named {
  name: string;
  bytes: Bytes;
}

/** A link's fragment, with the files that it names. */
export interface Saved {
  link: string;
  motion?: Named;
  trace?: Named;
  client?: Named;
}

/**
 * comparing: the finished share of a comparison. question: asks for the client's unit or axes. It has the options for a yes.
 * part: the next part of the motion; undefined after the last. parsed: a trace for the laboratory.
 * refused: in words, why nothing came of it, and what to do. stopped: another link was opened.
 */
export type Answer =
  | Extract<Told, { answered: unknown }>
  | { decided: Decided }
  | { compared: JudgementWords; recording: Bytes }
  | { comparing: number }
  | { question: string; options: string }
  | { progress: Contested }
  | { packed: Bytes }
  | { part: Bytes | undefined }
  | { saved: Saved }
  | { parsed: Bytes }
  | { stopped: true }
  | { refused: string };
