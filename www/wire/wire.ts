// A connection between two pages: datagrams that may be lost, and messages that may not. All that comes passes one reader.

import { type Control, GUESTS_DATAGRAMS, HOSTS_DATAGRAMS, Reader } from './reader';
import { FAREWELLS } from './words';

/** connecting: the other end has not answered yet. */
export type WireState = 'connecting' | 'open' | 'closed';

/** The end that hears of its connection. */
export interface Hearer {
  /** A datagram of the other end, with the time of its event, ms. */
  datagram(bytes: Uint8Array, atMs: number): void;
  /** A message that cannot be lost: words of control, or a part of a file. */
  message(data: Control | Uint8Array): void;
  state(state: WireState): void;
}

const DEAF: Hearer = { datagram: () => {}, message: () => {}, state: () => {} };

export abstract class Wire {
  /** webrtc: over the network. window: between two windows of one browser, without a network. */
  abstract readonly kind: 'webrtc' | 'window';
  /** Bytes of datagrams that wait here. */
  abstract readonly buffered: number;
  hearer: Hearer = DEAF;
  /**
   * Leaves out the datagrams of a task if more than the first one's size waits from earlier tasks: an old datagram would only make
   * the next one later. Those of one task go together: browsers count bytes as sent in a later task.
   */
  guarded = true;
  /** Datagrams that the guard has left out. */
  skipped = 0;
  /** True if the datagrams of this task go; undefined before the first one. */
  private goes: boolean | undefined;
  /** Size of the datagram that was sent last. */
  private lastBytes = 0;
  private reader = new Reader(HOSTS_DATAGRAMS);
  private now: WireState = 'connecting';
  private readonly waiting = new Set<() => void>();

  /** True while the browser looks for another path, as after a change of the network. */
  get isAway(): boolean {
    return false;
  }

  get state(): WireState {
    return this.now;
  }

  /** True unless more than the last datagram's size waits here: a sender who asks before makes no datagram to be left out. */
  get isFree(): boolean {
    return !this.guarded || this.buffered <= this.lastBytes;
  }

  /** Reads no more than a guest sends. */
  expectGuest(): void {
    this.reader = new Reader(GUESTS_DATAGRAMS);
  }

  /** True if the other end sent so much, or such things, that this end has closed the connection. */
  get isFlooded(): boolean {
    return this.reader.isBroken;
  }

  /** Waits until the connection is open, for a time. Returns true if it is. */
  async opens(patienceMs: number): Promise<boolean> {
    if (this.now === 'connecting') {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        setTimeout(resolve, patienceMs);
      });
    }
    return this.now === 'open';
  }

  /** Sends a datagram, or leaves it out. Returns false if it was left out. */
  send(datagram: Uint8Array<ArrayBuffer>): boolean {
    if (this.now !== 'open') return true;
    if (this.goes === undefined) {
      this.goes = this.buffered <= datagram.length;
      // The microtask comes when this task has sent all that it has.
      queueMicrotask(() => {
        this.goes = undefined;
      });
    }
    if (this.guarded && !this.goes) {
      this.skipped += 1;
      return false;
    }
    this.transmitNow(datagram);
    return true;
  }

  /** Sends a datagram whether others wait or not: its sender has asked `isFree` before. */
  transmitNow(datagram: Uint8Array<ArrayBuffer>): void {
    if (this.now !== 'open') return;
    this.lastBytes = datagram.length;
    this.transmit(datagram);
  }

  /** Sends a message that cannot be lost. */
  abstract post(data: string | Uint8Array<ArrayBuffer>): void;
  /** Waits until few messages wait here. */
  abstract drained(): Promise<void>;
  protected abstract transmit(datagram: Uint8Array<ArrayBuffer>): void;
  protected abstract shut(): void;

  close(): void {
    if (this.now === 'closed') return;
    this.become('closed');
    this.shut();
  }

  protected become(state: WireState): void {
    if (this.now === state || this.now === 'closed') return;
    this.now = state;
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    this.hearer.state(state);
  }

  /** Takes data of an event. */
  protected hearDatagram(data: unknown): void {
    const atMs = performance.now();
    const bytes = this.reader.datagram(data, atMs);
    if (bytes !== undefined) this.hearer.datagram(bytes, atMs);
    else this.endFlood();
  }

  protected hearMessage(data: unknown): void {
    const message = this.reader.message(data, performance.now());
    if (message !== undefined) this.hearer.message(message);
    else this.endFlood();
  }

  /** A page that floods would keep this one busy: it is told, and hears no more. */
  private endFlood(): void {
    if (!this.isFlooded || this.now === 'closed') return;
    this.post(JSON.stringify({ end: FAREWELLS.flood }));
    this.close();
  }
}
