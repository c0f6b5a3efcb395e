// A decoder that was written from FORMAT.md alone decodes the golden packets, and refuses the others by their names.
// What it gets wrong, either the text or the codec says wrongly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bits, Refused } from './bits.mjs';
import { dequantise, dequantiseOrientation, fixedPoint, positionAxes, quantise, quantiseOrientation, widthsAt } from './fields.mjs';
import { bytesOf, lines, packetOf } from './files.mjs';
import { Receiver, RUNGS } from './snapshot.mjs';

const BOUNDS = [
  [-256, 256],
  [-256, 256],
  [0, 32],
];
const pairs = (n) => [n.slice(0, 2), n.slice(2, 4), n.slice(4, 6)];

/** The format of a stream of snapshots, from the words after "format" or "snapshots". */
function snapshotFormat([rung, ...words]) {
  const [pos, rot, vel, cubes] = words.slice(0, 4).map(Number);
  const widths = words
    .slice(4)
    .filter((word) => word.includes('-'))
    .map((word) => word.split('-').map(Number));
  return {
    rung: RUNGS.indexOf(rung),
    class: words[4],
    pos,
    vel,
    cubes,
    M: 2 ** rot - 1,
    bounds: BOUNDS,
    player: 0,
    positionWidths: widths[0] ?? widthsAt(5, 9, pos),
    orientationWidths: widths[1] ?? widthsAt(5, 8, rot),
  };
}

/** The declaration of fields, from the words after "fields". */
const fieldsOf = ([kind, ...fields]) => ({
  kind: Number(kind),
  fields: fields.map((word) => ({ n: Number.parseInt(word, 10), counter: word.endsWith('c') })),
});

const cubeOf = (n) => ({
  position: n.slice(0, 3),
  orientation: n.slice(3, 7),
  velocity: n.slice(7, 10),
  interacting: n[10] === 1,
  atRest: n[11] === 1,
  life: n[12] ?? 0,
});
const ZERO = cubeOf(Array(12).fill(0));

test('golden packets of snapshots', () => {
  const counts = {};
  let stream;
  const check = () => {
    if (stream?.packet === undefined) return;
    const { format, packet } = stream;
    stream.receiver ??= new Receiver(format, Array(format.cubes).fill(ZERO), stream.initialRows);
    const decoded = stream.receiver.decode(packet.bytes, packet.sequence);
    assert.equal(decoded.sequence, packet.sequence);
    assert.deepEqual(decoded.cubes, stream.cubes, `${RUNGS[format.rung]} ${packet.sequence}`);
    assert.deepEqual(decoded.rows, stream.rows ?? []);
    if (packet.inputs !== undefined) assert.deepEqual(decoded.inputs, packet.inputs);
    counts[format.rung] = (counts[format.rung] ?? 0) + 1;
  };
  for (const [kind, ...words] of lines(new URL('../golden.txt', import.meta.url))) {
    if (kind === 'format') {
      check();
      const format = snapshotFormat(words);
      stream = { format, cubes: Array(format.cubes).fill(ZERO), rows: [] };
    } else if (kind === 'bounds') {
      stream.format.bounds = pairs(words.map(Number));
    } else if (kind === 'player') {
      stream.format.player = words[0] === '-' ? undefined : Number(words[0]);
    } else if (kind === 'exact-identity') {
      stream.format.M -= 1;
    } else if (kind === 'slots') {
      stream.format.slots = true;
    } else if (kind === 'fields') {
      stream.format.fields = fieldsOf(words);
      stream.initialRows = Array(stream.format.cubes).fill(Array(1 + words.length).fill(0));
      stream.rows = stream.initialRows;
    } else if (kind === 'row') {
      const [index, ...row] = words.map(Number);
      stream.rows[index] = row;
    } else if (kind === 'simulation') {
      [stream.format.simulation] = words;
    } else if (kind === 'inputs') {
      stream.packet.inputs = words.map(Number);
    } else if (kind === 'packet') {
      check();
      stream.packet = { sequence: Number(words[0]), bytes: bytesOf(words[1] ?? '') };
      stream.cubes = [...stream.cubes];
      stream.rows = [...stream.rows];
    } else {
      const n = words.map(Number);
      const [first, last, ...fields] = kind === 'cube' ? [n[0], ...n] : n;
      stream.cubes.fill(cubeOf(fields), first, last + 1);
    }
  }
  check();
  const expected = [19, 3, 3, 25, 3, 30, 19, 30, 30, 6, 9, 76, 93, 286, 134];
  assert.deepEqual(Object.values(counts), expected);
});

/** The sequence that is acknowledged (section 12). */
function readAck(bytes) {
  const bits = new Bits(bytes);
  const sequence = bits.u(16);
  bits.end();
  return sequence;
}

/** Tries a packet on a receiver that has taken the held ones. Returns the name of its refusal, or undefined. */
function refusalOf({ kind, format, initial, rows, horizon, held }, packet) {
  const snapshots = kind === 'snapshots' && new Receiver(format, Array(format.cubes).fill(initial), rows);
  const read = snapshots ? (bytes) => snapshots.decode(bytes, horizon) : readAck;
  held.forEach(read);
  try {
    read(packet);
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
    if (['snapshots', 'ack'].includes(kind)) {
      const format = kind === 'snapshots' ? snapshotFormat(words) : undefined;
      group = { kind, format, initial: ZERO, held: [] };
    } else if (kind === 'bounds') group.format.bounds = pairs(words.map(Number));
    else if (kind === 'slots') group.format.slots = true;
    else if (kind === 'exact-identity') group.format.M -= 1;
    else if (kind === 'fields') {
      group.format.fields = fieldsOf(words);
      group.rows = Array(group.format.cubes).fill(Array(1 + words.length).fill(0));
    } else if (kind === 'initial') group.initial = cubeOf([...words.map(Number), 0, 0, 0, 0, 0]);
    else if (kind === 'horizon') group.horizon = Number(words[0]);
    else if (kind === 'held') group.held.push(packetOf(words));
    else {
      const expected = kind === 'refused' ? words.shift() : undefined;
      assert.equal(refusalOf(group, packetOf(words)), expected, [kind, ...words].join(' '));
      tried[kind] += 1;
    }
  }
  assert.ok(tried.taken > 40 && tried.refused > 80, JSON.stringify(tried));
});

test('states to integers and back', () => {
  const pattern = new DataView(new ArrayBuffer(4));
  const floatOf = (hex) => {
    pattern.setUint32(0, Number.parseInt(hex, 16));
    return pattern.getFloat32(0);
  };
  let axes,
    M,
    states = 0;
  for (const [kind, ...words] of lines(new URL('../quantised.txt', import.meta.url))) {
    if (kind === 'bits') {
      const [pos, , vel] = words.map(Number);
      M = 2 ** Number(words[1]) - 1;
      const velocity = (reach) => Array(3).fill(fixedPoint([-reach, reach], vel));
      axes = [...positionAxes({ bounds: BOUNDS, pos }), ...velocity(32), ...velocity(16)];
      continue;
    }
    const [floats, integers, back] = [
      [0, 13],
      [13, 26],
      [30, 43],
    ].map(([from, to]) => words.slice(from, to));
    const q = floats.slice(3, 7).map(floatOf);
    const numbers = [...floats.slice(0, 3), ...floats.slice(7)].map(floatOf);
    const steps = numbers.map((number, i) => quantise(axes[i], number));
    const orientation = quantiseOrientation(M, q);
    assert.deepEqual([...steps.slice(0, 3), ...orientation, ...steps.slice(3)].map(String), integers, words.join(' '));
    const again = steps.map((step, i) => dequantise(axes[i], step));
    again.splice(3, 0, ...dequantiseOrientation(M, orientation));
    assert.deepEqual(again, back.map(floatOf), words.join(' '));
    states += 1;
  }
  assert.equal(states, 108);
});
