// The host's end in the lab: this world's server, the ways to its guests, and their rows.

import { signal } from '@preact/signals-core';
import { type GuestRow, Hosting } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { useTrace } from '../motion/network';
import { shortName } from '../shell/names';
import { until } from '../signals';
import { goOnUndrawn } from '../time/loop';
import { type Sharing, sharing } from '../time/sharing';
import { whileHidden } from './clock';
import { codeOf, readCode } from './code';
import { type Knock, type Reply, randomName, roomChannel, wayName } from './door';
import { Parcel } from './parcel';
import { PeerWire, usable } from './peer';
import { sdpOf } from './terms';
import { WindowWire } from './window-wire';
import type { Wire } from './wire';

const ROWS_EVERY_MS = 500;
/** Ways at a time, those included that are not open yet: each costs the browser a connection. */
const WAYS_MAX = 24;
/** A connection that does not come about, ms. */
const CONNECTS_MS = 8_000;
/** Time in which the guests hear of the end, ms. */
const FAREWELL_MS = 500;
const NAME_MAX = 64;
/** Longest and next way back to an instant that a guest has shown, s. */
const [BACK_S, BACK_STEP_S] = [10, 0.1];

/** Files that a host asks a guest for: the frames that he saw, or the log of his way. */
export type Ask = 'frames' | 'log';

/** A guest's way, and what came over it beside datagrams. */
interface Way {
  wire: Wire;
  isHidden: boolean;
  /** File that is asked for: nobody sends one unasked. */
  asked: Ask | undefined;
  /** The file that arrives. */
  parcel: Parcel | undefined;
}

/** A guest's row, with what only the page knows of the way. */
export interface Row extends GuestRow {
  kind: Wire['kind'];
  isHidden: boolean;
  buffered: number;
  skipped: number;
  /** Share of the frames that has arrived. */
  share: number | undefined;
}

export class Session implements Sharing {
  readonly room = randomName();
  /** The link of the shared world, without #. */
  readonly link: string;
  readonly rows = signal<readonly Row[]>([]);
  /** News of the guests, in a sentence. */
  readonly said = signal('');
  private readonly core: Hosting;
  private readonly ways = new Map<number, Way>();
  private readonly channel = roomChannel(this.room);
  private readonly ends: (() => void)[] = [];
  /** The way of the newest invitation by code. */
  private invited: PeerWire | undefined;
  private made = 0;
  private guards = true;
  private ended = false;

  /** Shares the page's world. It throws in words where nobody else could push in it. */
  constructor() {
    this.core = lab.gated(new Hosting(lab.page, crypto.getRandomValues(new Uint8Array(16))));
    this.link = this.core.link();
    if (this.channel !== undefined) this.channel.onmessage = ({ data }: MessageEvent<Knock>) => data !== null && void this.knocked(data);
    sharing.value = this;
    const timer = setInterval(() => this.look(), ROWS_EVERY_MS);
    const leave = (): void => this.end('The host’s page was closed');
    addEventListener('pagehide', leave);
    // Two windows cover each other: a hidden page goes on while somebody waits for it.
    const end = whileHidden(() => this.ways.size > 0 && goOnUndrawn());
    this.ends.push(
      () => clearInterval(timer),
      () => removeEventListener('pagehide', leave),
      end,
    );
  }

  /** Adds the second hand's keys to the input of the next tick. */
  beforeTick(input: number): number {
    return lab.failure === undefined ? this.core.before_tick(lab.page, input) : input;
  }

  afterTick(): void {
    lab.guard(() => {
      if (!this.core.after_tick(lab.page, performance.now())) this.end('The host opened another world');
    });
    this.flush();
  }

  pass(): void {
    lab.guard(() => this.core.pass(performance.now()));
    this.flush();
  }

  /** True if a sender leaves out datagrams while earlier ones wait. */
  get guarded(): boolean {
    return this.guards;
  }

  guard(on: boolean): void {
    this.guards = on;
    for (const { wire } of this.ways.values()) wire.guarded = on;
  }

  /** Puts the network of lane A in front of the real one. */
  simulate(on: boolean): void {
    lab.guard(() => this.core.simulate(lab.page, on));
  }

  /** Gives the second hand to a guest. */
  give(way: number): void {
    lab.guard(() => this.core.give(way));
    this.look();
  }

  /** Sends a guest away. */
  drop(way: number): void {
    const gone = this.ways.get(way);
    this.ways.delete(way);
    lab.guard(() => this.core.close(way));
    gone?.wire.close();
    this.look();
  }

  /** Asks a guest for a file. Frames become lane B once they are here, a log becomes the network of both lanes. */
  ask(way: number, ask: Ask): void {
    const guest = this.ways.get(way);
    if (guest === undefined || guest.asked !== undefined) return;
    guest.asked = ask;
    guest.wire.post(JSON.stringify({ ask }));
  }

  /** Makes an invitation by code. It throws in words where this machine has no network. */
  async invite(): Promise<{ code: string; accept: (answer: string) => Promise<void> }> {
    if (this.invited?.state === 'connecting') this.invited.close();
    const wire = new PeerWire();
    this.invited = wire;
    const terms = usable(await wire.offer());
    if (terms === undefined) {
      wire.close();
      throw new Error('This machine has no network: only another window of this browser can join');
    }
    const id = randomName();
    const accept = async (text: string): Promise<void> => {
      const answer = await readCode(text);
      if (answer.kind !== 'answer' || answer.id !== id) throw new Error('This code answers another invitation: make a new one');
      await wire.accept(sdpOf(answer.terms));
      if (!(await wire.opens(CONNECTS_MS))) {
        wire.close();
        throw new Error('No connection came about. A firewall may be between the two: see below');
      }
      this.admit(wire);
    };
    return { code: await codeOf({ kind: 'invitation', id, words: this.link, terms }), accept };
  }

  /** Ends the session, and tells all guests why. */
  end(why: string): void {
    if (this.ended) return;
    this.ended = true;
    lab.guard(() => this.core.end(why));
    this.flush();
    const all = [...this.ways.values()];
    for (const { wire } of all) wire.post(JSON.stringify({ end: why }));
    this.ways.clear();
    if (this.invited?.state === 'connecting') this.invited.close();
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
      for (let bytes = this.core.next(); bytes !== undefined; bytes = this.core.next()) {
        this.ways.get(this.core.way())?.wire.send(bytes as Uint8Array<ArrayBuffer>);
      }
    });
  }

  /** Answers another window. */
  private async knocked({ version, from, name, code }: Knock): Promise<void> {
    const answer = (reply: Omit<Reply, 'to'>): void => this.channel?.postMessage({ to: String(from), ...reply });
    if (version !== 1) return answer({ error: 'The host’s window is of another version: reload both' });
    const full = !this.core.has_room() || this.ways.size >= WAYS_MAX;
    if (name === undefined) return answer({ room: { link: this.link, full } });
    if (full) return answer({ error: 'All places are taken' });
    try {
      const wire = code === undefined ? undefined : await this.answered(code);
      if (wire !== undefined) return answer({ code: wire.code, way: 0 });
      const way = this.made + 1;
      const window = new WindowWire(wayName(this.room, way));
      window.open();
      this.admit(window);
      answer({ way });
    } catch (error) {
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Answers an invitation of another window; undefined if this machine has no address. */
  private async answered(code: string): Promise<{ code: string } | undefined> {
    const invitation = await readCode(code);
    const wire = new PeerWire();
    const terms = usable(await wire.answer(sdpOf(invitation.terms)));
    if (terms === undefined) {
      wire.close();
      return undefined;
    }
    void wire.opens(CONNECTS_MS).then((isOpen) => (isOpen && !this.ended ? this.admit(wire) : wire.close()));
    return { code: await codeOf({ kind: 'answer', id: invitation.id, words: '', terms }) };
  }

  /** Takes an open way. */
  private admit(wire: Wire): void {
    this.made += 1;
    this.said.value = '';
    const number = this.made;
    const way: Way = { wire, isHidden: false, asked: undefined, parcel: undefined };
    wire.guarded = this.guards;
    this.ways.set(number, way);
    wire.hearer = {
      datagram: (bytes, atMs) => {
        if (!this.ways.has(number)) return;
        lab.guard(() => this.core.receive(atMs, number, bytes));
        this.flush();
      },
      message: (data) => this.onMessage(number, way, data),
      state: (state) => state === 'closed' && this.gone(number),
    };
  }

  /** Takes a message of a guest. One that is none of ours is dropped, and ends a file that was on its way. */
  private onMessage(number: number, way: Way, data: string | Uint8Array): void {
    try {
      if (typeof data !== 'string') {
        const whole = way.parcel?.add(data);
        if (whole === undefined) return;
        way.parcel = undefined;
        const { asked } = way;
        way.asked = undefined;
        if (asked === 'frames') this.show(number, whole);
        else if (asked === 'log') this.replay(number, whole);
        return;
      }
      const { hidden, parcel } = JSON.parse(data) as { hidden?: unknown; parcel?: unknown };
      if (typeof hidden === 'boolean') way.isHidden = hidden;
      if (typeof parcel === 'number' && way.asked !== undefined) way.parcel = new Parcel(parcel);
    } catch {
      way.parcel = undefined;
    }
  }

  /** Shows a guest's frames as lane B. */
  private show(number: number, frames: Uint8Array<ArrayBuffer>): void {
    const name = this.nameOf(number);
    lab.pause(true);
    try {
      lab.showGuest(name, (page) => this.core.show_guest(page, frames));
      void seekSeen();
      this.said.value = `Lane B is what ${shortName(name)} saw.`;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.said.value = `The frames of ${shortName(name)} cannot be shown: ${error.message}.`;
    }
  }

  /** Sends both lanes over the network that a guest really had. */
  private replay(number: number, log: Uint8Array<ArrayBuffer>): void {
    const name = shortName(this.nameOf(number));
    try {
      const rows = this.core.network(number, log);
      void useTrace(new File([rows], 'network-of-a-guest.csv', { type: 'text/csv' }));
      this.said.value = `Both lanes use the network of ${name}. Half of the least round trip is each way’s constant.`;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.said.value = error.message;
    }
  }

  private nameOf(way: number): string {
    return (
      this.rows
        .peek()
        .find((row) => row.way === way)
        ?.name.slice(0, NAME_MAX) ?? 'Guest'
    );
  }

  private gone(way: number): void {
    if (!this.ways.has(way)) return;
    this.said.value = `${shortName(this.nameOf(way))} is gone.`;
    this.drop(way);
  }

  /** Reads the rows, and lets go of guests who are gone. */
  private look(): void {
    if (this.ended) return;
    if (lab.failure !== undefined) this.end('The host’s page has stopped');
    lab.guard(() => {
      const rows = this.core.rows();
      this.rows.value = rows.flatMap((row): Row[] => {
        const way = this.ways.get(row.way);
        if (way === undefined) return [];
        const { wire, isHidden, parcel } = way;
        return [{ ...row, kind: wire.kind, isHidden, buffered: wire.buffered, skipped: wire.skipped, share: parcel?.share }];
      });
      for (const { way, status } of rows) if (status === 'gone') this.gone(way);
    });
  }
}

/** Goes back to the newest instant at which lane B has a frame. */
async function seekSeen(): Promise<void> {
  await until(() => lab.now.progress === 'done' || lab.failure !== undefined);
  const { last, first } = lab.now;
  for (let back = 0; back < BACK_S && lab.now.b?.behind_ms === null; back += BACK_STEP_S) lab.seek(Math.max(first, last - Math.round(back * lab.tickRate)));
}

/** The session of this page, while it hosts one. */
export const session = signal<Session | undefined>(undefined);

/** Shares the world of the page. It throws in words where that is not possible. */
export function startHosting(): Session {
  session.value ??= new Session();
  return session.value;
}
