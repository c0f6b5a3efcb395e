// A way between two pages: its guard, its states, and data that is none of ours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Wire } from '../../wire/wire';

/** A way whose other end and buffer are the test's. */
class TestWire extends Wire {
  readonly kind = 'webrtc';
  buffered = 0;
  readonly sent: Uint8Array[] = [];
  shuts = 0;

  open(): void {
    this.become('open');
  }
  hear(data: unknown): void {
    this.hearDatagram(data);
  }
  hearText(data: unknown): void {
    this.hearMessage(data);
  }
  override post(): void {}
  override async drained(): Promise<void> {}
  protected override transmit(datagram: Uint8Array): void {
    this.sent.push(datagram);
  }
  protected override shut(): void {
    this.shuts += 1;
  }
}

test('the guard leaves out a datagram while more than its size waits, and counts it', () => {
  const wire = new TestWire();
  const datagram = new Uint8Array(100);
  wire.send(datagram);
  assert.equal(wire.sent.length, 0, 'not open yet');
  wire.open();
  for (const [buffered, guarded, sent, skipped] of [
    [0, true, 1, 0],
    [100, true, 2, 0],
    [101, true, 2, 1],
    [101, false, 3, 1],
    [1e6, false, 4, 1],
    [1e6, true, 4, 2],
  ] as const) {
    Object.assign(wire, { buffered, guarded });
    wire.send(datagram);
    assert.deepEqual([wire.sent.length, wire.skipped], [sent, skipped], `${buffered} bytes wait`);
  }
});

test('a way opens once, closes once, and tells both', async () => {
  const wire = new TestWire();
  const told: string[] = [];
  wire.hearer = { datagram: () => {}, message: () => {}, state: (state) => told.push(state) };
  const opens = wire.opens(10_000);
  wire.open();
  wire.open();
  assert.equal(await opens, true);
  wire.close();
  wire.close();
  wire.open();
  assert.deepEqual([told, wire.shuts, wire.state], [['open', 'closed'], 1, 'closed']);
  assert.equal(await new TestWire().opens(5), false);
});

test('data of other kinds and sizes is dropped', () => {
  const wire = new TestWire();
  const [datagrams, messages]: [number[], number[]] = [[], []];
  wire.hearer = { datagram: ({ length }) => datagrams.push(length), message: ({ length }) => messages.push(length), state: () => {} };
  const others = ['text', null, undefined, 7, {}, [1], new Blob(['a']), new Uint16Array(4)];
  for (const data of [...others, new ArrayBuffer(3), new Uint8Array(4), new Uint8Array(4096), new Uint8Array(4097)]) wire.hear(data);
  assert.deepEqual(datagrams, [3, 4, 4096]);
  for (const data of [...others, new Uint8Array(65_536), 'a'.repeat(131_073)]) wire.hearText(data);
  assert.deepEqual(messages, [4, 65_536]);
});
