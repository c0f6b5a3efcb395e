// A decoder that was written from FORMAT.md alone decodes the golden sync packets, and refuses the others by their names.
// What it gets wrong, either the text or the crate says wrongly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../codec/tests/decoder/bits.mjs';
import { quantiseOrientation } from '../../../codec/tests/decoder/fields.mjs';
import { bytesOf, lines, packetOf } from '../../../codec/tests/decoder/files.mjs';
import { readInputs, readSyncAck } from './inputs.mjs';
import { SyncReceiver, settled } from './sync.mjs';

const BOUNDS = [
  [-256, 256],
  [-256, 256],
  [0, 32],
];
const pairs = (n) => [n.slice(0, 2), n.slice(2, 4), n.slice(4, 6)];

/** The format of a stream of sync packets, from the words after "format" or "sync". */
function syncFormat(words) {
  const [pos, rot, vel, cubes, relative, delta, velocities] = words.map(Number);
  const player = words[7] === '-' ? undefined : Number(words[7]);
  return { pos, rot, M: 2 ** rot - 1, vel, cubes, relative: relative === 1, delta: delta === 1, velocities: velocities === 1, player, bounds: BOUNDS };
}

test('golden packets of state synchronisation', () => {
  let format,
    receiver,
    packet,
    left = [];
  let packets = 0;
  for (const [kind, ...words] of lines(new URL('../sync_golden.txt', import.meta.url))) {
    if (kind === 'format') {
      format = syncFormat(words);
      receiver = new SyncReceiver(format);
    } else if (kind === 'bounds') {
      receiver = new SyncReceiver({ ...format, bounds: pairs(words.map(Number)) });
    } else if (kind === 'packet' || kind === 'lost') {
      assert.deepEqual(left, []);
      const sequence = Number(words[0]);
      packet = receiver.decode(bytesOf(words[1]), sequence);
      assert.equal(packet.sequence, sequence);
      left = [...packet.updates];
      if (kind === 'packet') receiver.accept(packet);
      packets += 1;
    } else if (kind === 'inputs') {
      assert.deepEqual(packet.inputs, words.map(Number));
    } else {
      const { index, baseline, atRest, position, orientation, linear, angular } = left.shift();
      const fields = [...position, ...orientation, ...linear, ...angular];
      assert.deepEqual([index, baseline ?? '-', Number(atRest), ...fields].map(String), words, `${packet.sequence}`);
    }
  }
  assert.deepEqual(left, []);
  assert.equal(packets, 153);
});

/** Tries a packet on a receiver that has taken the held ones. Returns the name of its refusal, or undefined. */
function refusalOf({ kind, format, horizon, held }, packet) {
  const sync = kind === 'sync' && new SyncReceiver(format);
  const readers = {
    sync: (bytes) => sync.decode(bytes, horizon),
    inputs: (bytes) => readInputs(bytes, horizon),
    'sync-ack': readSyncAck,
  };
  for (const bytes of held) sync.accept(readers[kind](bytes));
  try {
    readers[kind](packet);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

test('refusals by name, and their twins', () => {
  const tried = { taken: 0, refused: 0 };
  let group;
  for (const [kind, ...words] of lines(new URL('../refused.txt', import.meta.url))) {
    if (['sync', 'inputs', 'sync-ack'].includes(kind)) group = { kind, format: syncFormat(words), held: [] };
    else if (kind === 'horizon') group.horizon = Number(words[0]);
    else if (kind === 'held') group.held.push(packetOf(words));
    else {
      const expected = kind === 'refused' ? words.shift() : undefined;
      assert.equal(refusalOf(group, packetOf(words)), expected, [kind, ...words].join(' '));
      tried[kind] += 1;
    }
  }
  assert.ok(tried.taken > 15 && tried.refused > 25, JSON.stringify(tried));
});

test('orientations settle', () => {
  const pattern = new DataView(new ArrayBuffer(4));
  const floatOf = (hex) => {
    pattern.setUint32(0, Number.parseInt(hex, 16));
    return pattern.getFloat32(0);
  };
  let M,
    states = 0;
  for (const [kind, ...words] of lines(new URL('../../../codec/tests/quantised.txt', import.meta.url))) {
    if (kind === 'bits') {
      M = 2 ** Number(words[1]) - 1;
      continue;
    }
    const orientation = quantiseOrientation(M, words.slice(3, 7).map(floatOf));
    assert.deepEqual(settled(M, orientation).map(String), words.slice(26, 30), words.join(' '));
    states += 1;
  }
  assert.equal(states, 108);
});
