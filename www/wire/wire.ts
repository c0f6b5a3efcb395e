// A way between two pages: datagrams that may be lost, and messages that may not.

/** connecting: the other end has not answered yet. */
export type WireState = 'connecting' | 'open' | 'closed';

/** The end that hears of its way. */
export interface Hearer {
  /** A datagram of the other end, with the time of its event, ms. */
  datagram(bytes: Uint8Array, atMs: number): void;
  /** A message that cannot be lost: a text of control, or a part of a file. */
  message(data: string | Uint8Array): void;
  state(state: WireState): void;
}

const DEAF: Hearer = { datagram: () => {}, message: () => {}, state: () => {} };

/** Longest datagram that is taken from a way, bytes. The package's are at most 1,200. */
const DATAGRAM_BYTES_MAX = 4096;
/** Longest message that is taken from a way, bytes or characters. */
const MESSAGE_MAX = 1 << 17;

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
  /** Whether the datagrams of this task go; undefined before the first one. */
  private goes: boolean | undefined;
  private now: WireState = 'connecting';
  private readonly waiting = new Set<() => void>();

  /** True while the browser looks for another way, as after a change of the network. */
  get isAway(): boolean {
    return false;
  }

  get state(): WireState {
    return this.now;
  }

  /** Waits until the way is open, for a time. Returns true if it is. */
  async opens(patienceMs: number): Promise<boolean> {
    if (this.now === 'connecting') {
      await new Promise<void>((resolve) => {
        this.waiting.add(resolve);
        setTimeout(resolve, patienceMs);
      });
    }
    return this.now === 'open';
  }

  /** Sends a datagram, or leaves it out. */
  send(datagram: Uint8Array<ArrayBuffer>): void {
    if (this.now !== 'open') return;
    if (this.goes === undefined) {
      this.goes = this.buffered <= datagram.length;
      // The microtask comes when this task has sent all that it has.
      queueMicrotask(() => {
        this.goes = undefined;
      });
    }
    if (this.guarded && !this.goes) this.skipped += 1;
    else this.transmit(datagram);
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

  /** Takes data of an event. Anything that is no datagram is dropped. */
  protected hearDatagram(data: unknown): void {
    const atMs = performance.now();
    const bytes = bytesOf(data);
    if (bytes !== undefined && bytes.length <= DATAGRAM_BYTES_MAX) this.hearer.datagram(bytes, atMs);
  }

  protected hearMessage(data: unknown): void {
    const message = typeof data === 'string' ? data : bytesOf(data);
    if (message !== undefined && message.length <= MESSAGE_MAX) this.hearer.message(message);
  }
}

function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data;
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
}
