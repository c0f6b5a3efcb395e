// What the page asks of the Worker, and what it hears back.

import type { AnalysisQuestion, Contested, Decided, JudgementWords, Limits, Told } from '../../pkg/snapshot_web';

export type Bytes = Uint8Array<ArrayBuffer>;
/** A capture's file, or a subject whose last minute is one. */
export type Capture = File | Bytes;

/** A task of the Worker. A subject is the motion with its lanes, as bytes of the laboratory. */
export type Task =
  /** Answers a question about a subject. */
  | { ask: AnalysisQuestion; about: Bytes }
  /** Judges a capture. */
  | { judge: Capture }
  /** Makes a file of the last minute of a subject. */
  | { pack: Bytes }
  /** Reads a motion's file, whose bytes move to the Worker. Steps above a speed are jumps: `jumpsOver` is its index in the table. */
  | { read: Bytes; jumpsOver: number }
  /** Reads a trace's file. */
  | { trace: Bytes }
  /** Computes a verdict on a subject until it is ended. Later limits follow as messages. */
  | { decide: { subject: Bytes; limits: Limits } }
  /** Writes an archive. */
  | { save: Saved }
  /** Unpacks an archive whose files have at most so many MB. */
  | { open: Bytes; most: Megabytes }
  /** Judges a client's recording against its server's. `taken` has options that change the client's positions. */
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
