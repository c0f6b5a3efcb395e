// Invitations by code: each is for one answer, and whatever else is entered ends in a sentence and a fresh invitation.

import { signal } from '@preact/signals-core';
import { shortName } from '../shell/names';
import { type Code, codeOf, readCode } from './code';
import { sdpOf, type Terms } from './terms';

/** The end of a connection that invites: a PeerWire, or a test's. */
export interface Inviter {
  readonly state: 'connecting' | 'open' | 'closed';
  /** Writes the terms of this end; undefined where this machine has no address. */
  invite(): Promise<Terms | undefined>;
  accept(sdp: string): Promise<void>;
  opens(patienceMs: number): Promise<boolean>;
  close(): void;
}

/** A made invitation. */
interface Invitation<W> {
  id: string;
  code: string;
  wire: W;
  /** open: nobody has answered. void: another invitation, or another world, took its place. */
  state: 'open' | 'connecting' | 'done' | 'void';
  /** The answer that was taken: its ICE name and password, and the guest's name. */
  answer: { key: string; name: string } | undefined;
}

/** A connection that does not come about, ms. */
const CONNECTS_MS = 8_000;
/** Time for which a guest who came too late is asked, so that he notices, ms. */
const TOLD_MS = 5_000;
/** Invitations whose answers are known. Older ones are answered as those of another page. */
const KEPT_MAX = 16;

export const NO_NETWORK = 'This machine has no network: only another window of this browser can join';
const NOT_CONNECTED = 'No connection came about: a firewall may be between the two, or the guest has left. Here is a new invitation';
const OLD = 'This answers an earlier invitation, which leads nowhere now. Send the guest this one';

export class Invitations<W extends Inviter> {
  /** The code that is shown; undefined while none is. */
  readonly code = signal<string | undefined>(undefined);
  private readonly made: Invitation<W>[] = [];
  private asked = 0;
  private isTelling = false;
  private ended = false;

  /** `words` is the link of the host's world. `admit` gets each open connection. */
  constructor(
    private readonly make: () => W,
    private readonly words: string,
    private readonly admit: (wire: W) => void,
    private readonly randomId: () => string,
  ) {}

  /** Makes an invitation in place of the one that is open. It throws in words where this machine has no network. */
  async invite(): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    for (const old of this.made) if (old.state === 'open') this.lapse(old);
    this.code.value = undefined;
    const wire = this.make();
    const terms = await wire.invite().catch(() => undefined);
    // The guest waits for the host's first word of the connection (RFC 8842, section 5.1). If two answer one invitation, only the
    // one whose answer is taken gets it; otherwise the words of the two would end both connections.
    const id = this.randomId();
    const code = terms && (await codeOf({ kind: 'invitation', id, words: this.words, terms: { ...terms, setup: 'active' } }));
    if (code === undefined || asked !== this.asked || this.ended) {
      wire.close();
      if (code === undefined) throw new Error(NO_NETWORK);
      return;
    }
    this.made.push({ id, code, wire, state: 'open', answer: undefined });
    if (this.made.length > KEPT_MAX) this.made.shift();
    this.code.value = code;
  }

  /** Takes the answer in a text, and returns once its guest is connected. It throws in words. */
  async take(text: string): Promise<void> {
    const answer = await readCode(text);
    if (answer.kind !== 'answer') throw new Error('This is an invitation: a guest opens it, and his page shows the answer');
    const key = `${answer.terms.ufrag} ${answer.terms.pwd}`;
    const found = this.made.find(({ id }) => id === answer.id);
    const refusal = refusalOf(found, key, answer);
    if (found === undefined || refusal !== undefined) {
      if (found?.answer?.key !== key) void this.tell(answer.terms);
      await this.refresh();
      throw new Error(refusal);
    }
    found.state = 'connecting';
    found.answer = { key, name: answer.words };
    const isOpen = await this.connect(found.wire, answer.terms, CONNECTS_MS);
    found.state = 'done';
    if (this.ended || !isOpen) found.wire.close();
    if (this.ended) throw new Error('The session has ended');
    if (!isOpen) {
      await this.refresh();
      throw new Error(NOT_CONNECTED);
    }
    if (this.code.value === found.code) this.code.value = undefined;
    this.admit(found.wire);
  }

  /** Ends all connections that nobody has come by. Returns true if an invitation was open. */
  end(): boolean {
    this.ended = true;
    const open = this.made.filter(({ state }) => state === 'open');
    for (const one of open) this.lapse(one);
    this.code.value = undefined;
    return open.length > 0;
  }

  private lapse(one: Invitation<W>): void {
    one.state = 'void';
    one.wire.close();
  }

  /** Sees to it that an open invitation is shown. */
  private async refresh(): Promise<void> {
    if (!this.ended && !this.made.some(({ state }) => state === 'open')) await this.invite().catch(() => {});
  }

  private async connect(wire: W, terms: Terms, patienceMs: number): Promise<boolean> {
    try {
      await wire.accept(sdpOf(terms));
      return await wire.opens(patienceMs);
    } catch {
      // A browser's text helps nobody.
      return false;
    }
  }

  /** Asks a guest whose answer is not taken: his page sees that it is asked, and that no connection comes of it. */
  private async tell(terms: Terms): Promise<void> {
    if (this.isTelling) return;
    this.isTelling = true;
    let wire: W | undefined;
    try {
      wire = this.make();
      if ((await wire.invite()) !== undefined) await this.connect(wire, terms, TOLD_MS);
    } catch {
      // He hears of it by his own patience.
    }
    wire?.close();
    this.isTelling = false;
  }
}

/** Says why an answer is not taken; undefined if it is. */
function refusalOf<W>(found: Invitation<W> | undefined, key: string, { words }: Code): string | undefined {
  if (found === undefined) return OLD;
  const { state, answer } = found;
  if (answer === undefined) return state === 'open' ? undefined : OLD;
  const who = shortName(words || 'Guest');
  if (answer.key !== key) return `This invitation was ${shortName(answer.name || 'Guest')}’s: one is for one answer. Send ${who} this new one`;
  return state === 'connecting'
    ? `The answer of ${who} is taken already, and connects. This invitation is for somebody else`
    : `The answer of ${who} was used already. Here is a new invitation`;
}
