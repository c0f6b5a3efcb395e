// The guard of a connection: which datagrams it leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Wire } from '../../wire/wire';

/** A way whose bytes wait until a test lets them go, as a data channel's do until a later task. */
class SlowWire extends Wire {
  readonly kind = 'webrtc';
  buffered = 0;
  sent = 0;

  open(): this {
    this.become('open');
    return this;
  }

  protected override transmit(datagram: Uint8Array<ArrayBuffer>): void {
    this.buffered += datagram.length;
    this.sent += 1;
  }

  override post(): void {}
  override async drained(): Promise<void> {}
  protected override shut(): void {}
}

const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('the ticks of one task are sent together, and none while bytes of an earlier task wait', async () => {
  const wire = new SlowWire().open();
  for (let tick = 0; tick < 5; tick += 1) wire.send(new Uint8Array(40 - tick));
  assert.deepEqual([wire.sent, wire.skipped], [5, 0]);
  await task();
  for (let tick = 0; tick < 3; tick += 1) wire.send(new Uint8Array(40));
  assert.deepEqual([wire.sent, wire.skipped], [5, 3]);
  await task();
  wire.buffered = 0;
  wire.send(new Uint8Array(40));
  assert.deepEqual([wire.sent, wire.skipped], [6, 3]);
});

test('without the guard nothing is left out, and a queue grows', async () => {
  const wire = new SlowWire().open();
  wire.guarded = false;
  for (let tick = 0; tick < 9; tick += 1) {
    wire.send(new Uint8Array(40));
    await task();
  }
  assert.deepEqual([wire.sent, wire.skipped, wire.buffered], [9, 0, 360]);
});
