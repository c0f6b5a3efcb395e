// The host's end in the lab: this world's server, the connection to its guest, and the guest's figures.

import { signal } from '@preact/signals-core';
import type { HostCommand, HostedGuest } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { useTrace } from '../motion/network';
import { until } from '../signals';
import { goOnUndrawn } from '../time/loop';
import { type Sharing, sharing } from '../time/sharing';
import { whileHidden } from './clock';
import { codeOf, readCode } from './code';
import { Awaited } from './file-transfer';
import { Invitations } from './invitations';
import { PeerWire, usable } from './peer';
import { Allowance, type Control } from './reader';
import { type Reply, randomName, readJoinRequest, roomChannel, VERSION } from './signalling';
import { sdpOf } from './terms';
import { WindowWire } from './window-wire';
import type { Wire } from './wire';
import { ended, FAREWELLS, wordsOf } from './words';

const FIGURES_EVERY_MS = 500;
/** Connections with other windows that are being made at a time. The first one that opens is the guest's. */
const PENDING_MAX = 4;
/** A connection that does not come about, ms. */
const CONNECTS_MS = 8_000;
/** Time in which the guest hears of the end, ms. */
const FAREWELL_MS = 500;
/** Longest and next way back to an instant that the guest has shown, s. */
const [BACK_S, BACK_STEP_S] = [10, 0.1];

/** Files that a host asks the guest for: the frames that he saw, or the log of his connection. */
export type FileRequest = 'frames' | 'log';

/** The guest's connection, and what came over it beside datagrams. */
interface Connection {
  wire: Wire;
  isHidden: boolean;
  /** File that is asked for, and comes: nobody sends one unasked. */
  awaited: Awaited<FileRequest> | undefined;
  /** True once it was said that the guest plays. */
  isMet: boolean;
}

/** The guest's figures, with what only the page knows of the connection. */
export interface HostsGuest extends HostedGuest {
  kind: Wire['kind'];
  isHidden: boolean;
  buffered: number;
  skipped: number;
  /** Share of the awaited file that has arrived. */
  share: number | undefined;
}

/** A sentence on the guest. Each is a new object: the same words twice are two pieces of news. */
export interface News {
  readonly words: string;
}

export class HostSession implements Sharing {
  readonly room = randomName();
  /** The link of the shared world, without #. */
  readonly link: string;
  /** The one guest; undefined while nobody is here. */
  readonly guest = signal<HostsGuest | undefined>(undefined);
  /** The newest sentence on the guest. */
  readonly news = signal<News>({ words: '' });
  /** True while lane A's network stands in front of the real one. */
  readonly simulated = signal(false);
  readonly invitations: Invitations<PeerWire>;
  private connection: Connection | undefined;
  private readonly channel = roomChannel(this.room);
  private readonly ends: (() => void)[] = [];
  private pending = 0;
  /** Words of other windows. */
  private readonly knocks = new Allowance(10, 40);
  private guards = true;
  private ended = false;

  /** Shares the page's world. It throws in words where nobody else could push in it. */
  constructor() {
    lab.page.apply({ host: { begin: { secret: [...crypto.getRandomValues(new Uint8Array(16))] } } });
    this.link = lab.page.ask('hosted')?.link ?? '';
    this.invitations = new Invitations(
      () => new PeerWire(),
      this.link,
      (wire) => this.admit(wire),
      randomName,
    );
    if (this.channel !== undefined) this.channel.onmessage = ({ data }: MessageEvent<unknown>) => void this.knocked(data);
    sharing.value = this;
    const timer = setInterval(() => this.look(), FIGURES_EVERY_MS);
    const leave = (): void => this.end(FAREWELLS.closed);
    addEventListener('pagehide', leave);
    // Two windows cover each other: a hidden page goes on while somebody waits for it.
    const end = whileHidden(() => this.connection !== undefined && goOnUndrawn());
    this.ends.push(
      () => clearInterval(timer),
      () => removeEventListener('pagehide', leave),
      end,
    );
  }

  /** Sends all that is due, after a datagram of the guest or without one. */
  pass(datagram?: Uint8Array, atMs = performance.now()): void {
    lab.guard(() => {
      const due = lab.page.host(atMs, datagram);
      if (due === undefined) return this.end(FAREWELLS.world);
      const count = due.filter((bytes) => this.connection?.wire.send(bytes) === false).length;
      if (count > 0) lab.page.apply({ host: { leave_out: { count } } });
    });
  }

  private command(host: HostCommand): void {
    lab.guard(() => lab.page.apply({ host }));
  }

  /** Says a sentence on the guest. */
  say(words: string): void {
    this.news.value = { words };
  }

  /** True if a sender leaves out datagrams while earlier ones wait. */
  get guarded(): boolean {
    return this.guards;
  }

  guard(on: boolean): void {
    this.guards = on;
    if (this.connection !== undefined) this.connection.wire.guarded = on;
  }

  /** Puts the network of lane A in front of the real one. */
  simulate(on: boolean): void {
    this.simulated.value = on;
    this.command({ simulate: { on } });
  }

  /** Sends the guest away, and tells him so. */
  sendAway(): void {
    this.part('The guest has been sent away.', FAREWELLS.sent);
  }

  /** Asks the guest for a file. Frames become lane B once they are here, a log becomes the network of both lanes. */
  ask(ask: FileRequest): void {
    const { connection } = this;
    if (connection === undefined || connection.awaited !== undefined) return;
    connection.awaited = new Awaited(ask, performance.now());
    connection.wire.post(JSON.stringify({ ask }));
    this.look();
  }

  /** Waits for the guest's file no longer. */
  giveUp(words: string): void {
    if (this.connection?.awaited === undefined) return;
    this.connection.awaited = undefined;
    this.say(words);
    this.look();
  }

  /** Ends the session, and tells the guest why. */
  end(why: string): void {
    if (this.ended) return;
    this.ended = true;
    const wasOpen = this.invitations.end();
    lapsed.value = wasOpen && why === FAREWELLS.world;
    this.command({ end: { why: `${why}.` } });
    this.pass();
    if (this.connection !== undefined) dismiss(this.connection.wire, why);
    this.connection = undefined;
    this.channel?.close();
    for (const end of this.ends) end();
    sharing.value = undefined;
    session.value = undefined;
    this.guest.value = undefined;
  }

  /** Answers another window. */
  private async knocked(data: unknown): Promise<void> {
    const request = readJoinRequest(data);
    if (request === undefined || !this.knocks.take(1, performance.now())) return;
    const { version, from, code } = request;
    const answer = (reply: Omit<Reply, 'to' | 'link'>): void => this.channel?.postMessage({ to: from, link: this.link, ...reply } satisfies Reply);
    if (version !== VERSION) return answer({ error: 'version' });
    if (this.connection !== undefined || this.pending >= PENDING_MAX) return answer({ error: 'full' });
    try {
      if (code !== undefined) return answer(await this.answered(code));
      const window = new WindowWire(from);
      window.open();
      this.admit(window);
      answer({});
    } catch {
      answer({ error: 'failed' });
    }
  }

  /** Answers an invitation of another window by a code; without one if this machine has no address. */
  private async answered(code: string): Promise<{ code?: string }> {
    this.pending += 1;
    let wire: PeerWire | undefined;
    try {
      const invitation = await readCode(code);
      wire = new PeerWire();
      const terms = usable(await wire.answer(sdpOf(invitation.terms)));
      if (terms === undefined) return {};
      const answer = await codeOf({ kind: 'answer', id: invitation.id, words: '', terms });
      void this.admitOnceOpen(wire);
      wire = undefined;
      return { code: answer };
    } finally {
      // What is left of it is of no use.
      wire?.close();
      this.pending -= 1;
    }
  }

  private async admitOnceOpen(wire: PeerWire): Promise<void> {
    this.pending += 1;
    const isOpen = await wire.opens(CONNECTS_MS);
    this.pending -= 1;
    if (isOpen) this.admit(wire);
    else wire.close();
  }

  /** Takes an open connection as the guest's. While somebody plays, nobody takes his place. */
  private admit(wire: Wire): void {
    if (this.ended || this.connection !== undefined) {
      dismiss(wire, this.ended ? FAREWELLS.ended : FAREWELLS.full);
      return;
    }
    const connection: Connection = { wire, isHidden: false, awaited: undefined, isMet: false };
    wire.guarded = this.guards;
    wire.expectGuest();
    this.connection = connection;
    this.command({ connect: { now_ms: performance.now() } });
    const isHere = (): boolean => this.connection === connection;
    wire.hearer = {
      datagram: (bytes, atMs) => isHere() && this.pass(bytes, atMs),
      message: (data) => isHere() && this.onMessage(connection, data),
      state: (state) => state === 'closed' && isHere() && this.gone(wire),
    };
    this.look();
  }

  /** Takes words or a part of a file of the guest. A part that fits no file ends it. */
  private onMessage(connection: Connection, data: Control | Uint8Array): void {
    const { awaited } = connection;
    if (!(data instanceof Uint8Array) && data.hidden !== undefined) connection.isHidden = data.hidden;
    if (awaited === undefined) return;
    try {
      if (!(data instanceof Uint8Array)) {
        if (data.parcel !== undefined) awaited.announce(data.parcel, performance.now());
        return;
      }
      const whole = awaited.add(data, performance.now());
      if (whole === undefined) return;
      connection.awaited = undefined;
      if (awaited.ask === 'frames') this.show(whole);
      else this.replay(whole);
    } catch (error) {
      if (lab.failure !== undefined) return;
      this.giveUp(`The guest’s file is of no use: ${wordsOf(error)}.`);
    }
  }

  /** Shows the guest's frames as lane B. */
  private show(frames: Uint8Array<ArrayBuffer>): void {
    lab.pause(true);
    try {
      lab.showGuest(frames);
      void seekSeen();
      this.say('Lane B is what the guest saw.');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.say(`The guest’s frames cannot be shown: ${ended(error.message)}`);
    }
  }

  /** Sends both lanes over the network that the guest really had. */
  private replay(log: Uint8Array<ArrayBuffer>): void {
    try {
      lab.page.receive('guest_log', log);
      const rows = lab.page.ask('network_of_guest');
      void useTrace(new File([rows], 'network-of-a-guest.csv', { type: 'text/csv' }));
      this.say('Both lanes use the guest’s network. Half of the least round trip is each direction’s constant.');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.say(error.message);
    }
  }

  /** Lets go of a guest who is silent, or whose connection is closed. */
  private gone(wire: Wire): void {
    const words = wire.isFlooded ? 'was sent away: that page sent what no page of the lab sends' : 'is gone';
    this.part(`The guest ${words}.`);
  }

  /** Ends the guest's connection. A guest who is told why does not come back by himself. */
  private part(news: string, why?: string): void {
    const { connection } = this;
    if (connection === undefined) return;
    this.command({ send_away: { why: `${why ?? FAREWELLS.silent}.` } });
    this.pass();
    this.connection = undefined;
    if (why === undefined) connection.wire.close();
    else dismiss(connection.wire, why);
    this.say(news);
    this.look();
  }

  private look(): void {
    if (this.ended) return;
    if (lab.failure !== undefined) this.end(FAREWELLS.stopped);
    const { connection } = this;
    if (connection === undefined) this.guest.value = undefined;
    else lab.guard(() => this.read(connection));
  }

  /** Reads the guest's figures. Lets go of a guest who is gone, and of a file that does not come. */
  private read(connection: Connection): void {
    const { wire, isHidden, awaited } = connection;
    const guest = lab.page.ask('hosted')?.guest;
    if (guest == null) {
      this.gone(wire);
      return;
    }
    this.guest.value = { ...guest, kind: wire.kind, isHidden, buffered: wire.buffered, skipped: wire.skipped, share: awaited?.share };
    if (!connection.isMet && guest.is_playing) {
      connection.isMet = true;
      this.say('The guest is here.');
    } else if (awaited?.isLate(performance.now()) === true) this.giveUp('The guest’s file does not come.');
  }
}

/** Tells the other end why its connection ends, and ends it. */
function dismiss(wire: Wire, why: string): void {
  if (wire.state === 'open') wire.post(JSON.stringify({ end: why }));
  setTimeout(() => wire.close(), FAREWELL_MS);
}

/** Goes back to the newest instant at which lane B has a frame. */
async function seekSeen(): Promise<void> {
  await until(() => lab.now.progress === 'done' || lab.failure !== undefined);
  const { last, first } = lab.now;
  for (let back = 0; back < BACK_S && lab.now.b?.behind_ms === null; back += BACK_STEP_S) lab.seek(Math.max(first, last - Math.round(back * lab.tickRate)));
}

/** True if the newest session ended under an open invitation, because the world changed. */
export const lapsed = signal(false);

/** The session of this page, while it hosts one. */
export const session = signal<HostSession | undefined>(undefined);

/** Shares the world of the page. It throws in words where that is not possible. */
export function startHosting(): HostSession {
  session.value ??= new HostSession();
  return session.value;
}
