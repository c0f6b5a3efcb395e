// Invitations by code: each is for one answer, and whatever else is entered ends in a sentence and a fresh invitation.

import { signal } from '@preact/signals-core';
import { codeOf, readCode } from './code';
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

/** The newest invitation. */
interface Invitation<W> {
  id: string;
  wire: W;
  /** True once an answer is taken, which connects. */
  isTaken: boolean;
}

/** A connection that does not come about, ms. */
const CONNECTS_MS = 8_000;

export const NO_NETWORK = 'This machine has no network: only another window of this browser can join';
const NOT_CONNECTED = 'No connection came about: a firewall may be between the two, or the guest has left. Here is a new invitation';
const OLD = 'This answers an earlier invitation, which leads nowhere now. Send the guest this one';
const TAKEN = 'An answer to this invitation is taken already, and connects';

export class Invitations<W extends Inviter> {
  /** The code that is shown; undefined while none is. */
  readonly code = signal<string | undefined>(undefined);
  private made: Invitation<W> | undefined;
  private asked = 0;
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
    this.lapse();
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
    this.made = { id, wire, isTaken: false };
    this.code.value = code;
  }

  /** Takes the answer in a text, and returns once its guest is connected. It throws in words. */
  async take(text: string): Promise<void> {
    const answer = await readCode(text);
    if (answer.kind !== 'answer') throw new Error('This is an invitation: a guest opens it, and his page shows the answer');
    const { made } = this;
    if (made?.id !== answer.id) {
      await this.refresh();
      throw new Error(OLD);
    }
    if (made.isTaken) throw new Error(TAKEN);
    made.isTaken = true;
    const isOpen = await this.connect(made.wire, answer.terms);
    if (this.made === made) this.made = this.code.value = undefined;
    if (this.ended || !isOpen) made.wire.close();
    if (this.ended) throw new Error('The session has ended');
    if (!isOpen) {
      await this.refresh();
      throw new Error(NOT_CONNECTED);
    }
    this.admit(made.wire);
  }

  /** Ends the connection that nobody has come by. Returns true if an invitation was open. */
  end(): boolean {
    this.ended = true;
    return this.lapse();
  }

  /** Ends the open invitation. Returns true if there was one. A taken one goes on. */
  private lapse(): boolean {
    const { made } = this;
    const isOpen = made?.isTaken === false;
    if (isOpen) made?.wire.close();
    this.made = this.code.value = undefined;
    return isOpen;
  }

  /** Sees to it that an open invitation is shown. */
  private async refresh(): Promise<void> {
    if (!this.ended && this.made === undefined) await this.invite().catch(() => {});
  }

  private async connect(wire: W, terms: Terms): Promise<boolean> {
    try {
      await wire.accept(sdpOf(terms));
      return await wire.opens(CONNECTS_MS);
    } catch {
      // A browser's text helps nobody.
      return false;
    }
  }
}
