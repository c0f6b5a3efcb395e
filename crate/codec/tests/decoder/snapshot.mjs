// Snapshot packets, and what a receiver holds (FORMAT.md, sections 3 to 5 and 8).

import { readCubes as readAdaptive } from './arithmetic.mjs';
import { Bits, bitsOf, refuse } from './bits.mjs';
import { SymbolCoder } from './coder.mjs';
import { checkChanged, EMPTY_LIFE, fixedPoint, floats, isSettled, orientation, positionAxes, vector } from './fields.mjs';
import { readCubes as readPredicted } from './predicted.mjs';
import { readRows } from './rows.mjs';
import { readCubes as readSimulated } from './simulated.mjs';

/** Rungs by number. */
export const RUNGS = [
  'uncompressed',
  'smallest-three',
  'velocity',
  'at-rest',
  'no-velocity',
  'position',
  'not-changed',
  'index',
  'relative-index',
  'relative-position',
  'relative-orientation',
  'changed-flags',
  'arithmetic',
  'predicted',
  'simulated',
];

const modulo = (a) => a & 0xffff;
const isNewer = (a, b) => modulo(a - b) > 0 && modulo(a - b) < 32_768;

/** A receiver of one stream of snapshots. */
export class Receiver {
  constructor(format, initial, rows = []) {
    this.format = format;
    this.initial = { cubes: initial, rows };
    this.held = new Map();
    this.newest = undefined;
  }

  /** Sequence, cubes and inputs of a packet; throws a `Refused`, and then is as before. */
  decode(bytes, horizon) {
    const { format } = this;
    const coder = format.rung >= 12 ? new SymbolCoder(bytes) : undefined;
    const bits = coder ?? new Bits(bytes);
    const sequence = bits.u(16);
    const initial = format.rung < 6 || bits.flag();
    const baseline = initial ? undefined : bits.u(16);
    if (!initial) {
      if (!isNewer(sequence, baseline)) refuse('BaselineNotOlder');
      if (modulo(sequence - baseline) > 256) refuse('BaselineTooOld');
    }
    if (isNewer(sequence, horizon)) refuse('TooFarAhead');
    if (!initial && !this.holds(baseline)) refuse('BaselineUnknown');
    const held = initial ? this.initial : this.held.get(baseline);
    const { cubes: base, kept } = held;
    const rowsOf = (cubes, sent, list) => (format.fields ? readRows(bits, format, { cubes, base: held, sent }, list) : []);

    let snapshot;
    if (coder !== undefined) {
      const ticks = initial ? 6 : modulo(sequence - baseline);
      const keeps = format.class === 'chained' || format.rung === 14;
      const readCubes = { 12: readAdaptive, 13: readPredicted, 14: readSimulated }[format.rung];
      const lives = codedLives(coder, format, base);
      snapshot = readCubes(coder, format, lives.cubes, ticks, keeps ? kept : undefined, lives.sent);
      snapshot.rows = rowsOf(snapshot.cubes, lives.sent);
      coder.end();
    } else if (format.rung < 6) {
      snapshot = { cubes: base.map((cube) => (format.slots ? readSlot(bits, format) : readCube(bits, format, cube))) };
      snapshot.rows = rowsOf(snapshot.cubes);
      bits.end();
    } else {
      const { cubes, sent } = readLives(bits, format, base);
      for (const index of readChanged(bits, format, format.rung)) {
        if (isSettled(cubes, sent, index)) refuse('CubeSettled');
        cubes[index] = readCube(bits, format, base[index]);
      }
      snapshot = { cubes, rows: rowsOf(cubes, sent, () => readChanged(bits, format, Math.max(format.rung, 7))) };
      bits.end();
    }
    if (format.rung >= 6) this.hold(sequence, snapshot);
    return { sequence, cubes: snapshot.cubes, rows: snapshot.rows, inputs: snapshot.inputs };
  }

  holds(sequence) {
    return this.held.has(sequence) && modulo(this.newest - sequence) < 512;
  }

  hold(sequence, snapshot) {
    if (this.newest === undefined || isNewer(sequence, this.newest)) this.newest = sequence;
    if (modulo(this.newest - sequence) >= 512) return;
    this.held.set(sequence, snapshot);
    for (const old of this.held.keys()) if (!this.holds(old)) this.held.delete(old);
  }
}

/** A whole slot, which says nothing of the baseline; `before` is the life that it may not have (section 19). */
function readSlot(bits, format, before) {
  const life = bits.u(2);
  if (life === before) refuse('LifeNotChanged');
  const none = { position: [0, 0, 0], orientation: [0, 0, 0, 0], velocity: [0, 0, 0], interacting: false, atRest: false };
  if (life === EMPTY_LIFE) return { ...none, life };
  return { ...readCube(bits, { ...format, rung: Math.min(format.rung, 5) }, none), life };
}

/** The baseline with the slots whose lives have changed, and which these are; of rungs 6 to 11. */
function readLives(bits, format, base) {
  const [cubes, sent] = [[...base], new Set()];
  if (format.slots && bits.flag()) {
    const listed = readChanged(bits, format, Math.max(format.rung, 7));
    if (listed.length === 0) refuse('NoLifeChanged');
    for (const index of listed) {
      cubes[index] = readSlot(bits, format, base[index].life);
      sent.add(index);
    }
  }
  return { cubes, sent };
}

/** The same of rungs 12 and 13. */
function codedLives(coder, format, base) {
  const [cubes, sent] = [[...base], new Set()];
  if (format.slots && coder.decide(1024)) {
    base.forEach((cube, index) => {
      if (!coder.decide(256)) return;
      cubes[index] = readSlot(coder, format, cube.life);
      sent.add(index);
    });
    if (sent.size === 0) refuse('NoLifeChanged');
  }
  return { cubes, sent };
}

/** Indices of the changed cubes, as that rung lists them (section 4). */
function readChanged(bits, format, rung) {
  const N = format.cubes;
  const I = bitsOf(N);
  const byIndex = rung >= 7 && bits.flag();
  const changed = [];
  if (byIndex) {
    const count = readCount(bits, N);
    for (let i = 0; i < count; i += 1) {
      const before = changed.at(-1);
      const index = before === undefined || rung === 7 ? bits.u(I) : before + 1 + readGap(bits, I);
      if (index >= N) refuse('IndexOutOfRange');
      if (before !== undefined && index <= before) refuse('IndexNotRising');
      changed.push(index);
    }
  } else {
    for (let index = 0; index < N; index += 1) if (bits.flag()) changed.push(index);
  }
  if (rung >= 7 && byIndex !== indicesBits(changed, rung, I) < N) refuse('ChangedModeNotCheapest');
  return changed;
}

const binaryLength = (value) => 32 - Math.clz32(value);

function readCount(bits, N) {
  const zerosMax = binaryLength(N + 16) - 5;
  let zeros = 0;
  while (!bits.flag()) {
    zeros += 1;
    if (zeros > zerosMax) refuse('ChangedCount');
  }
  const count = 2 ** (zeros + 4) + bits.u(zeros + 4) - 16;
  if (count > N) refuse('ChangedCount');
  return count;
}

function readGap(bits, I) {
  if (bits.flag()) return bits.u(3);
  if (bits.flag()) return 8 + bits.u(5);
  return 40 + bits.u(I);
}

function indicesBits(changed, rung, I) {
  const length = binaryLength(changed.length + 16);
  const gaps = changed.map((index, i) => (i === 0 || rung === 7 ? undefined : index - changed[i - 1] - 1));
  const indexBits = (gap) => (gap === undefined ? I : gap < 8 ? 4 : gap < 40 ? 7 : 2 + I);
  return gaps.reduce((sum, gap) => sum + indexBits(gap), length + length - 5);
}

/** A cube of rungs 0 to 11 (section 5). */
function readCube(bits, format, base) {
  const { rung } = format;
  const cube = { ...base, velocity: [0, 0, 0], atRest: false };
  cube.interacting = bits.flag();
  if (rung === 3) cube.atRest = bits.flag();
  const positionChanged = rung < 11 || bits.flag();
  const orientationChanged = rung < 11 || bits.flag();
  if (positionChanged) {
    const expected = rung >= 9 ? { value: base.position, widths: format.positionWidths } : undefined;
    cube.position = rung < 5 ? floats(bits, 3) : vector(bits, positionAxes(format), expected);
  }
  if (orientationChanged) {
    const expected = rung >= 10 ? { value: base.orientation, widths: format.orientationWidths } : undefined;
    cube.orientation = rung < 1 ? floats(bits, 4) : orientation(bits, format.M, expected);
  }
  if (rung < 2) cube.velocity = floats(bits, 3);
  else if (rung < 4 && !cube.atRest) cube.velocity = vector(bits, Array(3).fill(fixedPoint([-32, 32], format.vel)));
  if (rung >= 6) checkChanged(base, cube, rung === 11 && positionChanged, rung === 11 && orientationChanged);
  return cube;
}
