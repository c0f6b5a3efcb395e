// Rung 14, by the simulations of the golden packets (FORMAT.md, section 16).

import { refuse } from './bits.mjs';
import { dequantise, dequantiseOrientation, positionAxes, quantise, quantiseOrientation, same } from './fields.mjs';
import { add, clamp, difference, div, dot, f32, length, minus, mul, plus, product, quaternion, rotation, scaleOf, sub, times } from './geometry.mjs';
import { Learned } from './learned.mjs';
import { Packet } from './predicted.mjs';
import { bitsOfFloat } from './probability.mjs';
import { tablesOf } from './tables.mjs';

const T = f32(1 / 60);

/** The cubes of a packet against `base`, and what is kept beside them, in both classes. */
export function readCubes(coder, format, base, ticks, before) {
  const strict = format.class === 'strict';
  const world = new World(format);
  let inputs = [];
  let states;
  if (before !== undefined && ticks <= 48) {
    inputs = readInputs(coder, before.input, ticks);
    states = world.run(base, world.states(base, before.states), inputs);
  }
  const foreseen = states?.map((state, index) => world.foreseen(base[index], state));
  if (foreseen !== undefined && coder.u(8) !== checksum(foreseen)) refuse('ForeseenOtherwise');
  const tables = tablesOf(`simulated/${format.class}`);
  const motions = strict ? undefined : before?.motions;
  const learned = motions?.learned.copy() ?? new Learned(format.player !== undefined, format.class === 'strict');
  const { cubes, kept } = new Packet(coder, format, base, ticks, motions?.cubes, learned, tables, foreseen).read();
  if (strict && states !== undefined) states = world.run(base, world.leading(base, cubes, ticks), inputs);
  const after = new Map();
  cubes.forEach((cube, index) => {
    const state = world.after(base[index], cube, states?.[index], ticks);
    if (state !== undefined) after.set(index, state);
  });
  return { cubes, inputs, kept: { motions: strict ? undefined : kept, states: after, input: inputs.at(-1) ?? 0 } };
}

function readInputs(coder, last, ticks) {
  const inputs = [];
  while (inputs.length < ticks) {
    const before = inputs.at(-1) ?? last;
    let input = before;
    if (!coder.decide(61_440)) {
      for (let key = 0; key < 6; key += 1) if (coder.decide(16_384)) input ^= 1 << key;
      if (input === before) refuse('InputRepeated');
    }
    inputs.push(input);
  }
  return inputs;
}

/** The checksum of what is foreseen of every cube. */
function checksum(foreseen) {
  let h = 2_166_136_261;
  const put = (x) => {
    h = Math.imul(h ^ x, 16_777_619);
    h = ((h << 13) | (h >>> 19)) >>> 0;
  };
  foreseen.forEach(({ moving, moved, turned, interacting }, index) => {
    if (moving) [index, ...[...moved, ...turned].map(bitsOfFloat)].forEach(put);
    put(Number(interacting));
  });
  return Math.imul(h ^ (h >>> 16), 2_146_121_005) >>> 24;
}

const unit = (q) => {
  const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return q.map((c) => f32(c / size));
};
const isZero = (v) => v.every((c) => c === 0);
/** q, turned on by v. */
const turnedOn = (q, v) => (isZero(v) ? q : unit(product(rotation(v), q)));
const limited = (v, most) => (length(v) <= most ? v : times(v, div(most, length(v))));
const unchanged = (base, cube) => same(base.position, cube.position) && same(base.orientation, cube.orientation);

/** States of cubes in m, m/s and rad/s. */
class World {
  constructor(format) {
    this.format = format;
    this.axes = positionAxes(format);
    this.scale = scaleOf(format.M);
  }

  /** A cube as dequantised, at rest. */
  resting(cube) {
    return {
      position: cube.position.map((step, i) => dequantise(this.axes[i], step)),
      orientation: dequantiseOrientation(this.format.M, cube.orientation),
      velocity: [0, 0, 0],
      spin: [0, 0, 0],
      interacting: cube.interacting,
      atRest: true,
    };
  }

  states(base, kept) {
    return base.map((cube, index) => kept.get(index) ?? this.resting(cube));
  }

  /** Each cube goes on as it goes; what leaves the bounds stays in the baseline. */
  run(base, states, inputs) {
    const t = mul(inputs.length, T);
    return states.map((state, index) => {
      if (state.atRest) return state;
      const position = plus(state.position, times(state.velocity, t));
      const orientation = turnedOn(state.orientation, times(state.spin, t));
      const from = this.resting(base[index]);
      const square = orientation.map((c) => mul(c, c)).reduce(add);
      const isSound =
        minus(position, from.position).every((c) => Math.abs(c) <= 32) &&
        [...state.velocity, ...state.spin].every((c) => Math.abs(c) <= 64) &&
        square >= f32(0.99) &&
        square < f32(1.01);
      const interacting = this.touched(state.interacting, inputs);
      return isSound ? { ...state, position, orientation, interacting } : from;
    });
  }

  /** By the simulation touching, keys make cubes interact. */
  touched(interacting, inputs) {
    const holds = (key) => inputs.some((input) => (input >> key) & 1);
    return this.format.simulation === 'touching' ? (interacting || holds(4)) && !holds(5) : interacting;
  }

  foreseen(base, state) {
    const position = state.position.map((c, i) => quantise(this.axes[i], c));
    const orientation = quantiseOrientation(this.format.M, state.orientation);
    const moving = !unchanged(base, { position, orientation });
    const place = times(base.position, 512 / 2 ** this.format.pos);
    return {
      moving,
      moved: moving ? minus(times(state.position, 512), place) : [0, 0, 0],
      turned: moving ? difference(quaternion(this.scale, base.orientation), state.orientation) : [0, 0, 0],
      interacting: state.interacting,
    };
  }

  /** The first rule: what two snapshots tell. */
  between(base, cube, ticks) {
    const perS = div(1, mul(ticks, T));
    const [from, to] = [this.resting(base), this.resting(cube)];
    return {
      ...to,
      velocity: limited(times(minus(to.position, from.position), perS), 32),
      spin: limited(times(difference(from.orientation, to.orientation), perS), 16),
      atRest: false,
    };
  }

  /** States in the baseline that lead straight to the snapshot. */
  leading(base, cubes, ticks) {
    return base.map((from, index) => {
      const resting = this.resting(from);
      if (unchanged(from, cubes[index])) return resting;
      const { velocity, spin } = this.between(from, cubes[index], ticks);
      return { ...resting, velocity, spin, atRest: false };
    });
  }

  /** The state that is kept of a cube; none if it is at rest. */
  after(base, cube, s, ticks) {
    if (unchanged(base, cube) && (ticks >= 3 || s === undefined || s.atRest)) return undefined;
    if (s === undefined) return this.between(base, cube, ticks);
    const perS = div(1, mul(ticks, T));
    const to = this.resting(cube);
    const half = 0.5 / 2 ** this.format.pos;
    const position = s.position.map((c, i) => clamp(c, sub(to.position[i], half), add(to.position[i], half)));
    const a = difference(s.orientation, to.orientation);
    const A = div(1, this.scale.S);
    const size = Math.sqrt(dot(a, a));
    const t = f32(size) > A ? times(a, sub(1, div(A, f32(size)))) : [0, 0, 0];
    return {
      position,
      orientation: turnedOn(s.orientation, t),
      velocity: limited(plus(s.velocity, times(minus(position, s.position), perS)), 32),
      spin: limited(plus(s.spin, times(t, perS)), 16),
      interacting: cube.interacting,
      atRest: false,
    };
  }
}
