// Invitations by code: one is for one answer. The ways are a test's own, so nothing depends on a browser or on time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, readCode } from '../../wire/code';
import { Invitations, type Inviter } from '../../wire/invitations';
import { sdpOf, type Terms, termsOf } from '../../wire/terms';
import { sentence } from '../../wire/words';

const terms = (ufrag: string, setup = 'actpass'): Terms => ({
  ufrag,
  pwd: 'p'.repeat(22),
  fingerprint: Array.from({ length: 32 }, () => 'AB').join(':'),
  setup,
  candidates: ['1 1 udp 1 10.0.0.1 9 typ host'],
});

/** A way as a browser has it: a second answer is an exception. It opens when a test says so. */
class FakeWire implements Inviter {
  state: 'connecting' | 'open' | 'closed' = 'connecting';
  accepted: string[] = [];
  private resolve: (isOpen: boolean) => void = () => {};
  private readonly opened = new Promise<boolean>((resolve) => {
    this.resolve = resolve;
  });

  constructor(
    readonly number: number,
    private readonly hasNetwork: boolean,
  ) {}

  async invite(): Promise<Terms | undefined> {
    return this.hasNetwork ? terms(`host${this.number}`) : undefined;
  }

  async accept(sdp: string): Promise<void> {
    if (this.state === 'closed') throw new DOMException("Failed to execute 'setRemoteDescription' on 'RTCPeerConnection': signalingState is 'closed'.");
    if (this.accepted.length > 0) throw new DOMException('Failed to set remote answer sdp: Called in wrong state: stable');
    this.accepted.push(termsOf(sdp)?.ufrag ?? '');
  }

  settle(isOpen: boolean): void {
    if (isOpen) this.state = 'open';
    this.resolve(isOpen);
  }

  async opens(): Promise<boolean> {
    return this.opened;
  }

  close(): void {
    this.state = 'closed';
    this.resolve(false);
  }
}

class Host {
  readonly wires: FakeWire[] = [];
  readonly here: FakeWire[] = [];
  private ids = 0;
  hasNetwork = true;
  readonly invitations = new Invitations(
    () => {
      const wire = new FakeWire(this.wires.length, this.hasNetwork);
      this.wires.push(wire);
      return wire;
    },
    'v=2&rival=hand',
    (wire) => this.here.push(wire),
    () => `id${this.ids++}`,
  );

  /** Returns the answer of a guest’s page to the shown invitation. */
  async answer(name: string): Promise<string> {
    const { id } = await readCode(this.invitations.code.value ?? '');
    return codeOf({ kind: 'answer', id, words: '', terms: terms(name.padEnd(4, 'x'), 'passive') });
  }
}

/** Waits until a promise's callbacks, and those of streams, have run: no clock. */
async function until(is: () => boolean): Promise<void> {
  for (let turns = 0; !is(); turns += 1) {
    assert.ok(turns < 10_000, 'it never comes');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const refused = async (promise: Promise<void>): Promise<string> => {
  const words = await promise.then(
    () => 'taken',
    (error: unknown) => sentence(error),
  );
  assert.doesNotMatch(words, /Failed|state|undefined|exception/i);
  return words;
};

test('a guest who answers is here, and the host speaks first', async () => {
  const host = new Host();
  await host.invitations.invite();
  const code = await readCode(host.invitations.code.value ?? '');
  assert.deepEqual([code.kind, code.words, code.terms.setup], ['invitation', 'v=2&rival=hand', 'active']);
  const taken = host.invitations.take(`> ${await host.answer('Ann')}.`);
  await until(() => host.wires[0]?.accepted.length === 1);
  host.wires[0]?.settle(true);
  await taken;
  assert.deepEqual(host.here, [host.wires[0]]);
  assert.equal(host.invitations.code.value, undefined);
});

test('of two answers to one link the first connects, and the other is told, also if it is the same', async () => {
  const host = new Host();
  await host.invitations.invite();
  const [ann, bob] = [await host.answer('Ann'), await host.answer('Bob')];
  const taken = host.invitations.take(ann);
  await until(() => host.wires[0]?.accepted.length === 1);
  for (const answer of [ann, bob]) assert.match(await refused(host.invitations.take(answer)), /is taken already, and connects\.$/);
  assert.deepEqual(host.wires[0]?.accepted, ['Annx']);
  host.wires[0]?.settle(true);
  await taken;
  assert.deepEqual(host.here, [host.wires[0]]);
  assert.match(await refused(host.invitations.take(bob)), /^This answers an earlier invitation/);
  // By the new one Bob gets in.
  const again = host.invitations.take(await host.answer('Bob'));
  await until(() => host.wires[1]?.accepted.includes('Bobx') === true);
  host.wires[1]?.settle(true);
  await again;
  assert.equal(host.here.length, 2);
});

test('an answer to an old invitation, of another page, or an invitation is told', async () => {
  const host = new Host();
  await host.invitations.invite();
  const old = await host.answer('Ann');
  await host.invitations.invite();
  const fresh = host.invitations.code.value;
  assert.match(await refused(host.invitations.take(old)), /^This answers an earlier invitation/);
  // An open invitation may be on its way to somebody: it stays.
  assert.equal(host.invitations.code.value, fresh);
  const other = new Host();
  await other.invitations.invite();
  assert.match(await refused(other.invitations.take(await codeOf({ kind: 'answer', id: 'id9', words: '', terms: terms('abcd') }))), /^This answers an earlier/);
  assert.match(await refused(host.invitations.take(fresh ?? '')), /^This is an invitation/);
  assert.equal(await refused(host.invitations.take('nonsense')), 'This is no code.');
});

test('a connection that does not come about leaves a fresh invitation', async () => {
  const host = new Host();
  await host.invitations.invite();
  const before = host.invitations.code.value;
  const taken = refused(host.invitations.take(await host.answer('Ann')));
  await until(() => host.wires[0]?.accepted.length === 1);
  host.wires[0]?.settle(false);
  assert.match(await taken, /^No connection came about/);
  assert.ok(host.invitations.code.value !== undefined && host.invitations.code.value !== before);
  assert.equal(host.wires[0]?.state, 'closed');
});

test('the end closes what nobody came by, also what connects, and a machine without a network says so', async () => {
  const host = new Host();
  await host.invitations.invite();
  const taken = refused(host.invitations.take(await host.answer('Ann')));
  await until(() => host.wires[0]?.accepted.length === 1);
  await host.invitations.invite();
  assert.ok(host.invitations.end());
  assert.equal(host.wires[1]?.state, 'closed');
  host.wires[0]?.settle(true);
  assert.equal(await taken, 'The session has ended.');
  assert.deepEqual(host.here, []);
  assert.equal(host.wires[0]?.state, 'closed');
  const alone = new Host();
  alone.hasNetwork = false;
  assert.match(await refused(alone.invitations.invite()), /^This machine has no network/);
});

test('two presses at once leave one invitation', async () => {
  const host = new Host();
  await Promise.all([host.invitations.invite(), host.invitations.invite()]);
  const open = host.wires.filter(({ state }) => state !== 'closed');
  assert.equal(open.length, 1);
  assert.equal((await readCode(host.invitations.code.value ?? '')).terms.ufrag, `host${open[0]?.number}`);
  assert.ok(sdpOf(terms('abcd')).includes('a=setup:actpass'));
});
