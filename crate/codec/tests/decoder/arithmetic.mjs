// Rung 12 (FORMAT.md, sections 13 and 14).

import { refuse } from './bits.mjs';
import { Distribution } from './coder.mjs';
import { checkChanged, isSettled, positionAxes } from './fields.mjs';
import { add, clamp, conj, difference, div, mul, product, rotation, scaleOf, slotsOf, sub, times, unit } from './geometry.mjs';

/** Number of bits of |x|. */
const B = (x) => 32 - Math.clz32(Math.abs(x));
const greatest = (values) => Math.max(...values.map(Math.abs));
const STILL = { displacement: [0, 0, 0], turn: [0, 0, 0, 1], positionError: 0, orientationError: 0, signs: Array(6).fill(0) };

function codeOf({ M, S, Z }, q, j, largest) {
  const sign = q[largest] < 0 ? -1 : 1;
  return Math.trunc(clamp(add(add(mul(mul(q[j], sign), S), Z), 0.5), 0, M));
}

/** The rest of a number of a class: where it begins, and its bits below. */
function partOf(coder, s) {
  if (s < 4) return { from: s, bits: 0 };
  if (s === 14) return { from: 128, bits: 7 };
  if (s === 15) {
    const bits = 8 + coder.u(4);
    return { from: 2 ** bits, bits };
  }
  const bits = Math.floor(s / 2) - 1;
  return { from: (2 + (s % 2)) * 2 ** bits, bits };
}

/** What is kept beside a snapshot of class chained: what adapts, and the motion of each cube that changed. */
class Kept {
  constructor(before) {
    const copy = (all, length) => Array.from({ length }, (_, i) => ({ ...(all?.[i] ?? { fast: 32_768, slow: 32_768 }) }));
    const distributions = (all, length) => Array.from({ length }, (_, i) => new Distribution(all?.[i]));
    this.flags = copy(before?.flags, 4 * 16);
    this.signs = copy(before?.signs, 81);
    this.happened = distributions(before?.happened, 33);
    this.numbers = distributions(before?.numbers, 432);
    this.motions = new Map();
  }

  decide(coder, one) {
    const bit = coder.decide(clamp(Math.floor((one.fast + one.slow) / 2), 32, 65_504));
    const target = bit ? 65_535 : 0;
    one.fast += (target - one.fast) >> 4;
    one.slow += (target - one.slow) >> 7;
    return bit;
  }

  flag(coder, f, context) {
    return this.decide(coder, this.flags[f * 16 + context]);
  }

  number(coder, contexts, signContext) {
    const s = coder.symbol(...contexts.map((context) => this.numbers[context]));
    if (s === 0) return 0;
    const { from, bits } = partOf(coder, s);
    const negative = this.decide(coder, this.signs[signContext]);
    const size = from + coder.u(bits);
    return negative ? -size : size;
  }
}

const numberContext = (kind, s, e) => (kind * 12 + Math.min(11, s)) * 4 + Math.min(3, Math.ceil(B(e) / 3));
const signContext = (kind, ...of) => of.reduce((context, value) => 3 * context + Math.sign(value) + 1, kind);

/** A displacement as it is kept: 16 bits. */
const short = (steps) => clamp(steps, -32768, 32767);

/** The motion that a cube is expected to go on with, over so many ticks. */
function scaled(motion, ticks) {
  if (motion === undefined || motion.ticks === ticks) return motion ?? STILL;
  return {
    ...motion,
    displacement: motion.displacement.map((steps) => short(Math.trunc((steps * ticks) / motion.ticks))),
    turn: rotation(times(difference([0, 0, 0, 1], motion.turn), div(ticks, motion.ticks))),
  };
}

/** The symbol that says what happened to a cube. */
function readHappened(coder, distribution) {
  const happened = coder.symbol(distribution);
  if (happened > 7) refuse('SymbolWithoutMeaning');
  return happened;
}

/** The cubes of a packet against `base`, and what is kept beside them; slots that were `sent` are passed over. */
export function readCubes(coder, format, base, ticks, before, sent) {
  const kept = new Kept(before);
  const cubes = [...base];
  let [active, quiet, blocks] = [0, 0, 0];
  for (let first = 0; first < base.length; first += 16) {
    const all = base.slice(first, first + 16).map((_, at) => first + at);
    const those = all.filter((index) => !isSettled(base, sent, index));
    const isActive = (index) => before?.motions.has(index) || base[index].interacting;
    const motions = new Map(those.map((index) => [index, scaled(before?.motions.get(index), ticks)]));
    const happened = new Map();
    for (const index of those.filter(isActive)) {
      const speed = Math.min(3, Math.ceil(B(greatest(motions.get(index).displacement)) / 3));
      const context = 8 * speed + 4 * Number(base[index].interacting) + active;
      const what = readHappened(coder, kept.happened[context]);
      if (what > 0) happened.set(index, what);
      active = ((active << 1) | Number(what > 0)) & 3;
    }
    const quietOnes = those.filter((index) => !isActive(index));
    if (quietOnes.length > 0) {
      const A = 4 * Number(happened.size > 0);
      const any = kept.flag(coder, 0, blocks + A);
      blocks = ((blocks << 1) | Number(any)) & 3;
      let none = true;
      for (const index of any ? quietOnes : []) {
        const implied = none && index === quietOnes.at(-1);
        const changed = implied || kept.flag(coder, 1, quiet + A);
        quiet = ((quiet << 1) | Number(changed)) & 3;
        if (!changed) continue;
        none = false;
        const what = readHappened(coder, kept.happened[32]);
        if (what === 0) refuse('CubeNotChanged');
        happened.set(index, what);
      }
    }
    for (const index of those.filter((one) => happened.has(one))) {
      const { cube, motion } = readCube(coder, kept, format, base[index], motions.get(index), happened.get(index));
      cubes[index] = cube;
      kept.motions.set(index, { ...motion, ticks });
    }
  }
  return { cubes, kept };
}

function readCube(coder, kept, format, base, motion, happened) {
  const cube = { ...base, interacting: base.interacting !== (happened & 1) > 0 };
  const [positionChanged, orientationChanged] = [(happened & 2) > 0, (happened & 4) > 0];
  const actual = { ...STILL, signs: [...STILL.signs] };
  const size = greatest(motion.displacement);
  const axes = positionAxes(format);
  let moved = 0;
  if (positionChanged) {
    let e = 0;
    cube.position = base.position.map((from, axis) => {
      const kind = axis < 2 ? 0 : 1;
      const expected = clamp(from + motion.displacement[axis], axes[axis].min, axes[axis].max);
      const contexts = [numberContext(kind, B(size), e), numberContext(3 + axis, motion.positionError, e)];
      e = kept.number(coder, contexts, signContext(kind, motion.displacement[axis], motion.signs[axis], e));
      actual.signs[axis] = Math.sign(e);
      moved = Math.max(moved, Math.abs(e));
      return expected + e;
    });
    actual.positionError = B(moved);
    actual.displacement = cube.position.map((value, axis) => short(value - base.position[axis]));
  }
  const scale = scaleOf(format.M);
  if (orientationChanged) {
    const from = unit(scale, base.orientation);
    const guess = product(motion.turn, from);
    const largest = readLargest(coder, kept, guess);
    const spin = greatest(motion.turn.slice(0, 3).map((c) => Math.trunc(mul(c, 512))));
    const speed = B(Math.max(spin, Math.floor(size / 8)));
    let [e, turned] = [moved, 0];
    const codes = slotsOf(largest).map((j, slot) => {
      const expected = codeOf(scale, guess, j, largest);
      const change = largest === base.orientation[0] ? expected - base.orientation[1 + slot] : 0;
      const contexts = [numberContext(2, speed, e), numberContext(6 + slot, motion.orientationError, e)];
      e = kept.number(coder, contexts, signContext(2, change, motion.signs[3 + slot], e));
      actual.signs[3 + slot] = Math.sign(e);
      turned = Math.max(turned, Math.abs(e));
      return expected + e;
    });
    actual.orientationError = B(turned);
    cube.orientation = [largest, ...codes];
    const turn = product(unit(scale, cube.orientation), conj(from));
    actual.turn = turn[3] < 0 ? turn.map((c) => -c) : turn;
  }
  checkChanged(base, cube, positionChanged, orientationChanged);
  if (cube.position.some((step, i) => step < axes[i].min || step > axes[i].max)) refuse('OutOfRange');
  if (cube.orientation.slice(1).some((code) => code < 0 || code > scale.M)) refuse('OutOfRange');
  return { cube, motion: actual };
}

function readLargest(coder, kept, guess) {
  const most = (all) => all.reduce((one, i) => (Math.abs(guess[i]) > Math.abs(guess[one]) ? i : one));
  const first = most([0, 1, 2, 3]);
  const others = [0, 1, 2, 3].filter((i) => i !== first);
  const second = most(others);
  const gap = Math.trunc(mul(sub(Math.abs(guess[first]), Math.abs(guess[second])), 128));
  if (kept.flag(coder, 2, Math.min(15, gap))) return first;
  if (kept.flag(coder, 3, 0)) return second;
  return others.filter((i) => i !== second)[coder.u(1)];
}
