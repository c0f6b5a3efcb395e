// A guest's play: a connection to the host, the package's client over it, and what to say when one of the two is away.

import { signal } from '@preact/signals-core';
import { Guest, type GuestFigures } from '../../pkg/snapshot_web';
import { sendFile } from './file-transfer';
import type { Control } from './reader';
import type { Signalling } from './signalling';
import type { Wire } from './wire';
import { ended, farewell, wordsOf } from './words';

const FIGURES_EVERY_MS = 250;
/** Silence that is told, and silence after which the connection is given up, ms. */
const SILENT_MS = 1_500;
const GONE_MS = 5_000;
/** Time between two frames after which this machine must have slept, ms. */
const SLEPT_MS = 5_000;
const AGAIN_MS = 3_000;
const TRIES_MAX = 10;

/** Choices that are the guest's own. Without a delay the delay adapts. */
export interface Choice {
  predict: string;
  interp: string;
  delayMs: number | undefined;
}

export class Play {
  /** The state of things in a sentence; '' while all is well. */
  readonly said = signal('Asking the host …');
  readonly figures = signal<GuestFigures | undefined>(undefined);
  /** True while the blue cube is this guest's. */
  readonly plays = signal(false);
  /** True after the end, which only a person takes back. */
  readonly over = signal(false);
  guest: Guest | undefined;
  wire: Wire | undefined;
  private receivedMs = 0;
  private lastMs = 0;
  private figuresMs = 0;
  /** The number of decoded snapshots, and when the last one was counted, ms. */
  private newest = { snapshots: 0, atMs: 0 };
  private tries = 0;
  private isSending = false;
  /** Ends the wait at the signalling. */
  private readonly leaving = new AbortController();

  constructor(
    readonly signalling: Signalling,
    private choice: Choice,
  ) {
    void this.connect();
  }

  /** Plays a frame with the pressed keys. Returns true if a tick took them. */
  frame(nowMs: number, keys: number): boolean {
    const { guest, wire } = this;
    const sinceMs = nowMs - this.lastMs;
    this.lastMs = nowMs;
    if (guest === undefined || wire?.state !== 'open') return false;
    const silentMs = nowMs - this.receivedMs;
    if (sinceMs > SLEPT_MS) this.lose(`This machine stood still for ${Math.round(sinceMs / 1000)} s.`);
    else if (silentMs > GONE_MS) this.lose('The host is gone: nothing came for 5 s.');
    else {
      // A datagram that would wait behind others is not made. The next one has these keys, too.
      const { isFree } = wire;
      const [takesKeys, datagrams] = guest.frame(nowMs, keys, isFree);
      if (takesKeys && !isFree) wire.skipped += 1;
      for (const bytes of datagrams) wire.transmitNow(bytes);
      if (nowMs - this.figuresMs >= FIGURES_EVERY_MS) this.tell(guest.ask('figures'), silentMs);
      return takesKeys;
    }
    return false;
  }

  /** Says how things are. */
  private tell(figures: GuestFigures, silentMs: number): void {
    this.figuresMs = this.lastMs;
    this.figures.value = figures;
    const { status, why, snapshots } = figures;
    this.plays.value = status === 'playing';
    if (snapshots !== this.newest.snapshots) this.newest = { snapshots, atMs: this.lastMs };
    if (status === 'refused') this.end(farewell(why ?? 'refused'));
    else if (this.wire?.isAway === true) this.said.value = 'The network is away, or another one. Looking for another connection …';
    else if (silentMs > SILENT_MS) this.said.value = 'Nothing comes from the host at the moment …';
    else if (status !== 'playing') this.said.value = 'Joining …';
    // A host whose world is paused keeps the connection alive by datagrams without a snapshot.
    else this.said.value = this.lastMs - this.newest.atMs > SILENT_MS ? 'The host is there, but sends nothing new: its world may be paused.' : '';
    if (status === 'playing') this.tries = 0;
  }

  choose(choice: Choice): void {
    this.choice = choice;
    this.guest?.apply({ choose: { predict: choice.predict, interpolation: choice.interp, delay_ms: choice.delayMs } });
  }

  /** Tells the host whether this page is seen. */
  tellHidden(hidden: boolean): void {
    this.wire?.post(JSON.stringify({ hidden }));
  }

  /** Leaves, and says so to the host. */
  leave(): void {
    this.guest?.apply('end');
    const [, datagrams] = this.guest?.frame(performance.now(), 0, true) ?? [false, []];
    for (const bytes of datagrams) this.wire?.transmitNow(bytes);
    this.end('You have left');
  }

  /** Ends after a fault of ours: the client is left as it is. */
  fail(why: string): void {
    this.guest = undefined;
    this.end(why);
  }

  private async connect(): Promise<void> {
    if (this.over.value) return;
    try {
      const { link, wire } = await this.signalling.join(this.leaving.signal);
      if (this.over.value) wire.close();
      else this.begin(link, wire);
    } catch (error) {
      this.again(wordsOf(error));
    }
  }

  private begin(link: string, wire: Wire): void {
    this.wire = wire;
    wire.hearer = {
      datagram: (bytes, atMs) => {
        if (this.wire !== wire) return;
        this.receivedMs = atMs;
        this.guest?.receive(atMs, bytes);
      },
      message: (data) => this.wire === wire && this.onMessage(wire, data),
      state: (state) => state === 'closed' && this.wire === wire && this.lose('The connection to the host is gone.'),
    };
    const [nonce = 0n] = crypto.getRandomValues(new BigUint64Array(1));
    try {
      this.guest?.free();
      this.guest = undefined;
      this.guest = new Guest(link, nonce);
    } catch (error) {
      this.end(wordsOf(error));
      return;
    }
    this.choose(this.choice);
    this.lastMs = this.receivedMs = performance.now();
    this.said.value = 'Joining …';
    if (document.hidden) this.tellHidden(true);
  }

  private onMessage(wire: Wire, data: Control | Uint8Array): void {
    if (data instanceof Uint8Array) return;
    if (data.end !== undefined) this.end(farewell(data.end));
    else if (data.ask !== undefined) void this.sendFile(wire, data.ask);
  }

  /** Sends a file that the host asks for, one at a time. */
  private async sendFile(wire: Wire, ask: 'frames' | 'log'): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      const file = this.guest?.ask(ask);
      if (file !== undefined && file.length > 0) await sendFile(wire, file);
    } catch {
      // The host gives up a file that does not come.
    }
    this.isSending = false;
  }

  /** Lets go of a connection that is gone, and looks for another. */
  private lose(why: string): void {
    const { wire } = this;
    this.wire = undefined;
    this.plays.value = false;
    wire?.close();
    if (!this.over.value) this.again(why);
  }

  private again(why: string): void {
    if (this.over.value) return;
    const words = ended(why);
    this.tries += 1;
    if (!this.signalling.again) this.end(`${words} An invitation is for one answer: ask the host for a new one`);
    else if (this.tries > TRIES_MAX) this.end(`${words} The page has tried ${TRIES_MAX} times`);
    else {
      this.said.value = `${words} Trying again …`;
      setTimeout(() => void this.connect(), this.tries === 1 ? 0 : AGAIN_MS);
    }
  }

  private end(why: string): void {
    if (this.over.value) return;
    this.over.value = true;
    this.plays.value = false;
    this.said.value = ended(why);
    this.leaving.abort();
    const { wire } = this;
    this.wire = undefined;
    // The last datagrams are on their way.
    setTimeout(() => wire?.close(), 200);
  }
}
