// Rung 12 (FORMAT.md, sections 13 and 14).

import { refuse } from './bits.mjs';
import { checkChanged, isSettled, positionAxes } from './fields.mjs';
import { add, clamp, difference, div, mul, product, quaternion, rotation, scaleOf, slotsOf, times } from './geometry.mjs';

/** Number of bits of |x|. */
const B = (x) => 32 - Math.clz32(Math.abs(x));
const greatest = (values) => Math.max(...values.map(Math.abs));

function codeOf({ M, S, Z }, q, j, largest) {
  const sign = q[largest] < 0 ? -1 : 1;
  return Math.trunc(clamp(add(add(mul(mul(q[j], sign), S), Z), 0.5), 0, M));
}

/** A probability that adapts. */
const open = () => ({ fast: 32_768, slow: 32_768 });

function adapt(probability, bit) {
  const target = bit ? 65_535 : 0;
  probability.fast += (target - probability.fast) >> 4;
  probability.slow += (target - probability.slow) >> 7;
}

/** What is kept beside a snapshot of class chained: probabilities, and the motion of each cube that changed. */
class Kept {
  constructor(before) {
    const copy = (all, length) => Array.from({ length }, (_, i) => ({ ...(all?.[i] ?? open()) }));
    this.flags = copy(before?.flags, 5 * 32);
    // Nine kinds of 12 sizes and 4 errors, with 22 nodes each.
    this.nodes = copy(before?.nodes, 9 * 48 * 22);
    this.motions = new Map();
  }

  flag(coder, f, context) {
    const one = this.flags[f * 32 + context];
    const bit = coder.decide(clamp(Math.floor((one.fast + one.slow) / 2), 32, 65_504));
    adapt(one, bit);
    return bit;
  }

  number(coder, contexts) {
    const decide = (node) => {
      const [one, other] = contexts.map((context) => this.nodes[context * 22 + node]);
      const p = Math.floor((one.fast + one.slow + other.fast + other.slow) / 4);
      const bit = coder.decide(clamp(p, 32, 65_504));
      adapt(one, bit);
      adapt(other, bit);
      return bit;
    };
    if (decide(0)) return 0;
    const negative = decide(1);
    let k = 0;
    while (k < 23 && decide(2 + Math.min(11, k))) k += 1;
    let size = 2 ** k;
    if (k > 0) {
      if (decide(14 + Math.min(7, k - 1))) size += 2 ** (k - 1);
      size += coder.u(k - 1);
    }
    return negative ? -size : size;
  }
}

const numberContext = (kind, s, e) => (kind * 12 + Math.min(11, B(s))) * 4 + Math.min(3, Math.ceil(B(e) / 3));

/** The motion that a cube is expected to go on with, over so many ticks. */
function scaled(motion, ticks) {
  if (motion === undefined) return { displacement: [0, 0, 0], turn: [0, 0, 0], positionError: 0, orientationError: 0 };
  const by = div(ticks, motion.ticks);
  return {
    ...motion,
    displacement: motion.displacement.map((steps) => Math.trunc((steps * ticks) / motion.ticks)),
    turn: times(motion.turn, by),
  };
}

/** The cubes of a packet against `base`, and what is kept beside them; slots that were `sent` are passed over. */
export function readCubes(coder, format, base, ticks, before, sent) {
  const kept = new Kept(before);
  let changes = 0;
  const cubes = base.map((cube, index) => {
    if (isSettled(base, sent, index)) return cube;
    const motion = scaled(before?.motions.get(index), ticks);
    const size = greatest(motion.displacement);
    const context = changes + 4 * Number(cube.interacting) + 8 * Math.min(3, Math.ceil(B(size) / 3));
    const changed = kept.flag(coder, 0, context);
    changes = ((changes << 1) | Number(changed)) & 3;
    if (!changed) return cube;
    const result = readCube(coder, kept, format, cube, motion, size);
    kept.motions.set(index, { ...result.motion, ticks });
    return result.cube;
  });
  return { cubes, kept };
}

function readCube(coder, kept, format, base, motion, size) {
  const moving = Number(size > 0);
  const cube = { ...base };
  const actual = { displacement: [0, 0, 0], turn: [0, 0, 0], positionError: 0, orientationError: 0 };
  cube.interacting = kept.flag(coder, 1, Number(base.interacting) + 2 * moving);
  const context = Number(cube.interacting !== base.interacting) + 2 * moving;
  const positionChanged = kept.flag(coder, 2, context);
  const orientationChanged = kept.flag(coder, 3, context + 4 * Number(positionChanged));
  const axes = positionAxes(format);
  if (positionChanged) {
    let e = 0;
    cube.position = base.position.map((from, axis) => {
      const expected = clamp(from + motion.displacement[axis], axes[axis].min, axes[axis].max);
      const contexts = [
        numberContext(axis < 2 ? 0 : 1, size, e),
        numberContext(3 + axis, motion.positionError, e),
      ];
      e = kept.number(coder, contexts);
      actual.positionError = Math.max(actual.positionError, Math.abs(e));
      return expected + e;
    });
    actual.displacement = cube.position.map((value, axis) => value - base.position[axis]);
  }
  const scale = scaleOf(format.rot);
  if (orientationChanged) {
    const from = quaternion(scale, base.orientation);
    const guess = product(rotation(motion.turn), from);
    let largest = guess.reduce((most, c, i) => (Math.abs(c) > Math.abs(guess[most]) ? i : most), 0);
    if (!kept.flag(coder, 4, Math.min(11, B(actual.positionError)))) {
      const further = coder.decide(21_845) ? 1 : coder.decide(32_768) ? 3 : 2;
      largest = (largest + further) % 4;
    }
    const spin = greatest(motion.turn.map((c) => Math.trunc(mul(256, c))));
    let e = actual.positionError;
    const codes = slotsOf(largest).map((j, slot) => {
      const contexts = [
        numberContext(2, Math.max(spin, Math.floor(size / 8)), e),
        numberContext(6 + slot, motion.orientationError, e),
      ];
      e = kept.number(coder, contexts);
      actual.orientationError = Math.max(actual.orientationError, Math.abs(e));
      return codeOf(scale, guess, j, largest) + e;
    });
    cube.orientation = [largest, ...codes];
    actual.turn = difference(from, quaternion(scale, cube.orientation));
  }
  checkChanged(base, cube, positionChanged, orientationChanged);
  if (cube.position.some((step, i) => step < axes[i].min || step > axes[i].max)) refuse('OutOfRange');
  if (cube.orientation.slice(1).some((code) => code < 0 || code > scale.M)) refuse('OutOfRange');
  return { cube, motion: actual };
}
