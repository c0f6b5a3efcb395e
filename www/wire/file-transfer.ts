// A file over the messages of a connection: its length first, then its parts. Both ends know how much has come.

import type { Wire } from './wire';

/** Longest file, bytes: a minute of shown frames of the largest world has less. */
export const FILE_BYTES_MAX = 64 << 20;
const PART = 1 << 16;

/** Sends a file as parts. */
export async function sendFile(wire: Wire, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (bytes.length > FILE_BYTES_MAX) throw new Error('These frames are too long to be sent');
  wire.post(JSON.stringify({ parcel: bytes.length }));
  for (let at = 0; at < bytes.length && wire.state === 'open'; at += PART) {
    wire.post(bytes.slice(at, at + PART));
    await wire.drained();
  }
}

/** A file that arrives. */
export class IncomingFile {
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private arrived = 0;

  /** Throws if the length is none. */
  constructor(length: number) {
    if (!Number.isInteger(length) || length < 1 || length > FILE_BYTES_MAX) throw new Error('This is the length of no file');
    this.bytes = new Uint8Array(length);
  }

  /** Share that has arrived. */
  get share(): number {
    return this.arrived / this.bytes.length;
  }

  /** Adds a part. Returns the file once it is whole. A part that is too long is refused. */
  add(part: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    if (this.arrived + part.length > this.bytes.length) throw new Error('More has arrived than was announced');
    this.bytes.set(part, this.arrived);
    this.arrived += part.length;
    return this.arrived === this.bytes.length ? this.bytes : undefined;
  }
}

/** Time without a further part, and time of a whole file, after which a file does not come any more, ms. */
const [STALLED_MS, WHOLE_MS] = [10_000, 120_000];

/** A file that this end has asked for. Times are arguments. */
export class Awaited<FileRequest> {
  private parcel: IncomingFile | undefined;
  private movedMs: number;

  constructor(
    readonly ask: FileRequest,
    private readonly askedMs: number,
  ) {
    this.movedMs = askedMs;
  }

  get share(): number {
    return this.parcel?.share ?? 0;
  }

  /** Takes the announced length. It throws if that is none, or the second one. */
  announce(length: number, nowMs: number): void {
    if (this.parcel !== undefined) throw new Error('A file was announced twice');
    this.parcel = new IncomingFile(length);
    this.movedMs = nowMs;
  }

  /** Adds a part. Returns the file once it is whole. It throws if more has come than was announced. */
  add(part: Uint8Array, nowMs: number): Uint8Array<ArrayBuffer> | undefined {
    // A part of a file before, which was given up.
    if (this.parcel === undefined) return undefined;
    if (part.length > 0) this.movedMs = nowMs;
    return this.parcel.add(part);
  }

  /** True if the rest is not to be waited for. */
  isLate(nowMs: number): boolean {
    return nowMs - this.movedMs > STALLED_MS || nowMs - this.askedMs > WHOLE_MS;
  }
}
