// The host's end in the lab: this world's server, the connections to its guests, and their rows.

import { signal } from '@preact/signals-core';
import type { GuestRow, HostCommand } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { useTrace } from '../motion/network';
import { shortName } from '../shell/names';
import { until } from '../signals';
import { goOnUndrawn } from '../time/loop';
import { type Sharing, sharing } from '../time/sharing';
import { whileHidden } from './clock';
import { codeOf, readCode } from './code';
import { Awaited } from './file-transfer';
import { Invitations } from './invitations';
import { PeerWire, usable } from './peer';
import { Allowance, type Control } from './reader';
import { type Reply, randomName, readJoinRequest, roomChannel, windowName } from './signalling';
import { sdpOf } from './terms';
import { WindowWire } from './window-wire';
import type { Wire } from './wire';
import { ended, FAREWELLS, wordsOf } from './words';

const ROWS_EVERY_MS = 500;
/** Connections at a time, those included that are not open yet: each costs the browser memory and a socket. */
const CONNECTIONS_MAX = 24;
/** Connections with other windows that are being made at a time. */
const PENDING_MAX = 4;
/** A connection that does not come about, ms. */
const CONNECTS_MS = 8_000;
/** Time in which the guests hear of the end, ms. */
const FAREWELL_MS = 500;
const NAME_MAX = 64;
/** Longest and next way back to an instant that a guest has shown, s. */
const [BACK_S, BACK_STEP_S] = [10, 0.1];

/** Files that a host asks a guest for: the frames that he saw, or the log of his connection. */
export type FileRequest = 'frames' | 'log';

/** A guest's connection, and what came over it beside datagrams. */
interface Connection {
  wire: Wire;
  isHidden: boolean;
  /** File that is asked for, and comes: nobody sends one unasked. */
  awaited: Awaited<FileRequest> | undefined;
  /** True once it was said that the guest plays. */
  isMet: boolean;
}

/** A guest's row, with what only the page knows of the connection. */
export interface Row extends GuestRow {
  kind: Wire['kind'];
  isHidden: boolean;
  buffered: number;
  skipped: number;
  /** Share of the awaited file that has arrived. */
  share: number | undefined;
}

/** A sentence on the guests. Each is a new object: the same words twice are two pieces of news. */
export interface News {
  readonly words: string;
}

export class HostSession implements Sharing {
  readonly room = randomName();
  /** The link of the shared world, without #. */
  readonly link: string;
  readonly rows = signal<readonly Row[]>([]);
  /** The newest sentence on the guests. */
  readonly news = signal<News>({ words: '' });
  /** True while lane A's network stands in front of the real one. */
  readonly simulated = signal(false);
  readonly invitations: Invitations<PeerWire>;
  private readonly connections = new Map<number, Connection>();
  private readonly channel = roomChannel(this.room);
  private readonly ends: (() => void)[] = [];
  private made = 0;
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
    const timer = setInterval(() => this.look(), ROWS_EVERY_MS);
    const leave = (): void => this.end(FAREWELLS.closed);
    addEventListener('pagehide', leave);
    // Two windows cover each other: a hidden page goes on while somebody waits for it.
    const end = whileHidden(() => this.connections.size > 0 && goOnUndrawn());
    this.ends.push(
      () => clearInterval(timer),
      () => removeEventListener('pagehide', leave),
      end,
    );
  }

  pass(): void {
    lab.guard(() => {
      if (!lab.page.host_until(performance.now())) this.end(FAREWELLS.world);
    });
    this.flush();
  }

  private command(host: HostCommand): void {
    lab.guard(() => lab.page.apply({ host }));
  }

  /** Says a sentence on the guests. */
  say(words: string): void {
    this.news.value = { words };
  }

  /** True if a sender leaves out datagrams while earlier ones wait. */
  get guarded(): boolean {
    return this.guards;
  }

  guard(on: boolean): void {
    this.guards = on;
    for (const { wire } of this.connections.values()) wire.guarded = on;
  }

  /** Puts the network of lane A in front of the real one. */
  simulate(on: boolean): void {
    this.simulated.value = on;
    this.command({ simulate: { on } });
  }

  /** Gives the second hand to a guest. */
  give(connection: number): void {
    this.command({ give: { connection } });
    this.look();
  }

  /** Sends a guest away, and tells him so. */
  sendAway(connection: number): void {
    const gone = this.connections.get(connection);
    if (gone === undefined) return;
    const who = shortName(this.nameOf(connection));
    this.command({ send_away: { connection, why: `${FAREWELLS.sent}.` } });
    this.flush();
    gone.wire.post(JSON.stringify({ end: FAREWELLS.sent }));
    this.connections.delete(connection);
    setTimeout(() => gone.wire.close(), FAREWELL_MS);
    this.say(`${who} has been sent away.`);
    this.look();
  }

  /** Asks a guest for a file. Frames become lane B once they are here, a log becomes the network of both lanes. */
  ask(connection: number, ask: FileRequest): void {
    const guest = this.connections.get(connection);
    if (guest === undefined || guest.awaited !== undefined) return;
    guest.awaited = new Awaited(ask, performance.now());
    guest.wire.post(JSON.stringify({ ask }));
    this.look();
  }

  /** Waits for a guest's file no longer. */
  giveUp(connection: number, words: string): void {
    const guest = this.connections.get(connection);
    if (guest?.awaited === undefined) return;
    guest.awaited = undefined;
    this.say(words);
    this.look();
  }

  /** Ends the session, and tells all guests why. */
  end(why: string): void {
    if (this.ended) return;
    this.ended = true;
    const wasOpen = this.invitations.end();
    lapsed.value = wasOpen && why === FAREWELLS.world;
    this.command({ end: { why: `${why}.` } });
    this.flush();
    const all = [...this.connections.values()];
    for (const { wire } of all) wire.post(JSON.stringify({ end: why }));
    this.connections.clear();
    setTimeout(() => all.forEach(({ wire }) => wire.close()), FAREWELL_MS);
    this.channel?.close();
    for (const end of this.ends) end();
    sharing.value = undefined;
    session.value = undefined;
    this.rows.value = [];
  }

  /** Sends all that is due. */
  private flush(): void {
    lab.guard(() => {
      for (let next = lab.page.next_datagram(); next !== undefined; next = lab.page.next_datagram()) {
        const [connection, bytes] = next;
        const isLeftOut = this.connections.get(connection)?.wire.send(bytes as Uint8Array<ArrayBuffer>) === false;
        if (isLeftOut) lab.page.apply({ host: { leave_out: { connection } } });
      }
    });
  }

  /** Answers another window. */
  private async knocked(data: unknown): Promise<void> {
    const request = readJoinRequest(data);
    if (request === undefined || !this.knocks.take(1, performance.now())) return;
    const { version, from, name, code } = request;
    const answer = (reply: Omit<Reply, 'to'>): void => this.channel?.postMessage({ to: from, ...reply } satisfies Reply);
    if (version !== 1) return answer({ error: 'version' });
    const full = lab.page.ask('hosted')?.has_room !== true || this.connections.size + this.pending >= CONNECTIONS_MAX;
    if (name === undefined) return answer({ room: { link: this.link, full } });
    if (full || this.pending >= PENDING_MAX) return answer({ error: 'full' });
    try {
      const wire = code === undefined ? undefined : await this.answered(code);
      if (wire !== undefined) return answer({ code: wire.code, connection: 0 });
      const connection = this.made + 1;
      const window = new WindowWire(windowName(this.room, connection));
      window.open();
      this.admit(window);
      answer({ connection });
    } catch {
      answer({ error: 'failed' });
    }
  }

  /** Answers an invitation of another window; undefined if this machine has no address. */
  private async answered(code: string): Promise<{ code: string } | undefined> {
    this.pending += 1;
    let wire: PeerWire | undefined;
    try {
      const invitation = await readCode(code);
      wire = new PeerWire();
      const terms = usable(await wire.answer(sdpOf(invitation.terms)));
      if (terms === undefined) return undefined;
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
    if (isOpen && !this.ended) this.admit(wire);
    else wire.close();
  }

  /** Takes an open connection. */
  private admit(wire: Wire): void {
    this.made += 1;
    const number = this.made;
    const connection: Connection = { wire, isHidden: false, awaited: undefined, isMet: false };
    wire.guarded = this.guards;
    wire.expectGuest();
    this.connections.set(number, connection);
    wire.hearer = {
      datagram: (bytes, atMs) => {
        if (!this.connections.has(number)) return;
        lab.guard(() => lab.page.on_datagram(atMs, number, bytes));
        this.flush();
      },
      message: (data) => this.connections.has(number) && this.onMessage(number, connection, data),
      state: (state) => state === 'closed' && this.gone(number),
    };
  }

  /** Takes words or a part of a file of a guest. A part that fits no file ends it. */
  private onMessage(number: number, connection: Connection, data: Control | Uint8Array): void {
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
      if (awaited.ask === 'frames') this.show(number, whole);
      else this.replay(number, whole);
    } catch (error) {
      if (lab.failure !== undefined) return;
      this.giveUp(number, `The file of ${shortName(this.nameOf(number))} is of no use: ${wordsOf(error)}.`);
    }
  }

  /** Shows a guest's frames as lane B. */
  private show(number: number, frames: Uint8Array<ArrayBuffer>): void {
    const name = this.nameOf(number);
    lab.pause(true);
    try {
      lab.showGuest(name, frames);
      void seekSeen();
      this.say(`Lane B is what ${shortName(name)} saw.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.say(`The frames of ${shortName(name)} cannot be shown: ${ended(error.message)}`);
    }
  }

  /** Sends both lanes over the network that a guest really had. */
  private replay(number: number, log: Uint8Array<ArrayBuffer>): void {
    const name = shortName(this.nameOf(number));
    try {
      lab.page.receive({ guest_log: { connection: number } }, log);
      const rows = lab.page.ask({ network_of_guest: { connection: number } });
      void useTrace(new File([rows], 'network-of-a-guest.csv', { type: 'text/csv' }));
      this.say(`Both lanes use the network of ${name}. Half of the least round trip is each direction’s constant.`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.say(error.message);
    }
  }

  private nameOf(connection: number): string {
    return (
      this.rows
        .peek()
        .find((row) => row.connection === connection)
        ?.name.slice(0, NAME_MAX) ?? 'Guest'
    );
  }

  private gone(connection: number): void {
    const gone = this.connections.get(connection);
    if (gone === undefined) return;
    const who = shortName(this.nameOf(connection));
    this.connections.delete(connection);
    this.command({ close: { connection } });
    this.flush();
    gone.wire.close();
    this.say(gone.wire.isFlooded ? `${who} was sent away: that page sent what no page of the lab sends.` : `${who} is gone.`);
    this.look();
  }

  /** Reads the rows, lets go of guests who are gone, and of files that do not come. */
  private look(): void {
    if (this.ended) return;
    if (lab.failure !== undefined) this.end(FAREWELLS.stopped);
    lab.guard(() => {
      const rows = lab.page.ask('hosted')?.guests ?? [];
      this.rows.value = rows.flatMap((row): Row[] => {
        const connection = this.connections.get(row.connection);
        if (connection === undefined) return [];
        const { wire, isHidden, awaited } = connection;
        return [{ ...row, kind: wire.kind, isHidden, buffered: wire.buffered, skipped: wire.skipped, share: awaited?.share }];
      });
      for (const { connection, name, status } of rows) this.onStatus(connection, shortName(name.slice(0, NAME_MAX)), status);
    });
  }

  private onStatus(number: number, who: string, status: GuestRow['status']): void {
    const connection = this.connections.get(number);
    if (status === 'gone') this.gone(number);
    else if (connection !== undefined && !connection.isMet && status === 'playing') {
      connection.isMet = true;
      this.say(`${who} is here.`);
    } else if (connection?.awaited?.isLate(performance.now()) === true) this.giveUp(number, `The file of ${who} does not come.`);
  }
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
