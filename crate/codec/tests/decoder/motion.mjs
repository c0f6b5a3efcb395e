// Motions of cubes on rungs 13 and 14: kept, expected and foreseen (FORMAT.md, sections 15 and 16).

import { add, clamp, div, length, minus, mul, R, sub, times } from './geometry.mjs';
import { bitsOfFloat, floatOfBits, L } from './probability.mjs';

const ZERO = [0, 0, 0];
/** What is known of a cube of which nothing is kept. */
export const NOTHING = {
  velocity: ZERO,
  spin: ZERO,
  surprise: ZERO,
  turnSurprise: ZERO,
  offset: ZERO,
  turnOffset: ZERO,
  errors: [0, 0],
  slowVelocity: ZERO,
  slowSpin: ZERO,
  slowErrors: [0, 0],
  moving: false,
  rest: 0,
};

/** A number as it is kept: its sign, 5 bits of exponent, 10 of mantissa. */
function inHalf(x) {
  const bits = bitsOfFloat(Math.abs(x));
  const half = clamp(Math.floor((bits + 4096) / 8192) - 112 * 1024, 0, 31 * 1024 - 1);
  const size = half === 0 ? 0 : floatOfBits((half + 112 * 1024) * 8192);
  return x < 0 && half > 0 ? -size : size;
}

/** A motion as it is kept; undefined where it says nothing. */
export function asKept(motion) {
  const { filters, ...others } = motion;
  const halves = (value) => (Array.isArray(value) ? value.map(inHalf) : value);
  const kept = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, halves(value)]));
  const saysNothing =
    !kept.moving &&
    kept.rest === 0 &&
    Object.values(kept)
      .flat()
      .every((value) => Number(value) === 0);
  return saysNothing ? undefined : { ...kept, filters };
}

/** What is used in place of what was kept, where a simulation expects a cube to move. */
export function expectedOf({ moved, turned: spun, moving }, kept, ticks) {
  const apart = (rate, by) => (kept.moving ? minus(times(rate, ticks), by) : ZERO);
  const perTick = div(1, ticks);
  return {
    velocity: times(moved, perTick),
    spin: times(spun, perTick),
    offset: apart(kept.velocity, moved),
    turnOffset: apart(kept.spin, spun),
    moving,
  };
}

/** Doubt of what is foreseen. */
export function doubtOf(which, { foreseen, known }) {
  if (foreseen === undefined) return 0;
  return L(which === 0 ? length(known.offset) : mul(length(known.turnOffset), mul(R, 0.5)));
}

/** o(e, s): where a value probably is, from where it is said to be. */
export function probable(e, s) {
  const b = Math.max(0, sub(s, 0.5));
  return clamp(div(-e, add(1, mul(mul(8, b), b))), -0.5, 0.5);
}

/** The five rivals of a value. */
export function rivalsOf(prediction, onward, surprise, neighbours) {
  return [prediction, onward, add(onward, surprise), add(onward, mul(surprise, 0.5)), neighbours];
}
