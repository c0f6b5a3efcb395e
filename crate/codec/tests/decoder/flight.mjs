// Flights of rung 13 (FORMAT.md, section 15, "Flights").

import { add, clamp, difference, div, f32, minus, mul, plus, product, rotation, sqrt, sub, times } from './geometry.mjs';
import { bitsOfFloat, floatOfBits, log2 } from './probability.mjs';

const ZERO = [0, 0, 0];
const NOISE = f32(1 / 12);
const WANDER = f32(1e-7);
/** A filter of which nothing is kept. */
const OPEN = { offset: ZERO, rate: ZERO, doubt: { value: NOISE, cross: 0, rate: 1 }, favour: 0, pullFavour: 0 };
/** The pull, as at first. */
export const NO_PULL = { acceleration: ZERO, deviation: 1, count: 8 };

const greatest = (vector) => Math.max(...vector.map(Math.abs));

/** The pull after what a cube went beyond a constant velocity, in steps. */
function learned(pull, missed, part, t) {
  if (part > 0.5 && greatest(missed) < f32(0.9)) return pull;
  const beyond = minus(times(missed, div(1, mul(mul(t, t), part))), pull.acceleration);
  const [size, twice] = [greatest(beyond), mul(pull.deviation, 2)];
  const far = div(size, twice);
  const count = Math.min(add(pull.count, 1), 4096);
  const deviation = add(pull.deviation, div(sub(Math.min(size, twice), pull.deviation), 64));
  return {
    acceleration: plus(pull.acceleration, times(beyond, div(1, mul(count, add(1, mul(far, far)))))),
    deviation: Math.max(deviation, 1 / 1024),
    count,
  };
}

function onward({ value, cross, rate }, t) {
  const byRate = mul(t, rate);
  const wander = mul(WANDER, t);
  return {
    value: add(add(value, mul(t, add(add(cross, cross), byRate))), mul(mul(wander, t), t)),
    cross: add(add(cross, byRate), mul(wander, t)),
    rate: add(rate, wander),
  };
}

const expected = ({ value }) => add(f32(0.9), mul(3, sqrt(value)));

/** The doubt after a residual, and the gains of value and rate. */
function corrected(doubt, missed, t) {
  let { value, cross, rate } = doubt;
  if (missed > expected(doubt)) {
    const square = mul(missed, missed);
    value = add(value, mul(square, 0.25));
    cross = add(cross, div(mul(square, 0.25), t));
    rate = add(rate, div(mul(square, 0.5), mul(t, t)));
  }
  const by = div(1, add(value, NOISE));
  const [near, quick] = [mul(value, by), mul(cross, by)];
  const after = {
    value: mul(NOISE, near),
    cross: mul(NOISE, quick),
    rate: Math.max(sub(rate, mul(quick, cross)), f32(1e-9)),
  };
  return [after, near, quick];
}

const in64ths = (x) => (Math.trunc(add(mul(clamp(x, f32(-1.9), f32(1.9)), 64), 128.5)) - 128) / 64;
/** The highest bits of a float, rounded: all but the lowest n. */
const highest = (x, n) => floatOfBits(((bitsOfFloat(x) + 2 ** (n - 1)) & -(2 ** n)) >>> 0);

/** A filter as it is kept. */
function asKept({ offset, rate, doubt, favour, pullFavour }) {
  const high = (x) => highest(x, 16);
  return {
    offset: offset.map(in64ths),
    rate: rate.map((x) => highest(x, 8)),
    doubt: { value: high(doubt.value), cross: high(doubt.cross), rate: high(doubt.rate) },
    favour: in64ths(favour),
    pullFavour: in64ths(pullFavour),
  };
}

/** The filters of a cube while its packet is decoded: of its displacement (0) and its orientation (1). */
export class Flight {
  constructor(scale, kept, q, pull, ticks) {
    Object.assign(this, { scale, ticks, pull });
    this.filters = kept ?? [OPEN, OPEN];
    const [place, turn] = this.filters;
    const step = div(2, scale.S);
    const probable = product(rotation(times(turn.offset, step)), q);
    this.free = plus(place.offset, times(place.rate, ticks));
    this.fallen = plus(this.free, times(pull.acceleration, mul(mul(ticks, ticks), 0.5)));
    this.isPulled = place.pullFavour > f32(0.05) && greatest(pull.acceleration) > mul(pull.deviation, 0.5);
    this.moved = this.isPulled ? this.fallen : this.free;
    this.orientation = product(rotation(times(turn.rate, mul(ticks, step))), probable);
    this.doubts = this.filters.map(({ doubt }) => onward(doubt, ticks));
    this.missed = [0, 0];
    this.favours = [[], []];
  }

  isFlown(which) {
    return this.filters[which].favour > f32(0.05) && this.doubts[which].value < 0.25;
  }

  /** The mean of a code of component j. */
  code(j, largest) {
    const sign = this.orientation[largest] < 0 ? -1 : 1;
    return add(mul(mul(this.orientation[j], sign), this.scale.S), this.scale.Z);
  }

  /** The place of the learned distribution of a number whose mean is so far from an integer. */
  placeOf(which, d) {
    const { value } = this.doubts[which];
    const doubt = clamp(((bitsOfFloat(value) >>> 23) & 255) - 127 + 10, 0, 7);
    const missed = this.missed[which];
    const margin = div(mul(Math.max(sub(0.5, Math.abs(d)), 0), 2), sqrt(value));
    const column = missed > expected(this.doubts[which]) ? 8 + Number(missed > 3) : Math.min(Math.trunc(margin), 7);
    return (8 * which + doubt) * 10 + column;
  }

  /** Tells the residuals of a number by the filter and by the other mean. */
  miss(which, residual, other) {
    const size = Math.abs(residual);
    this.missed[which] = Math.max(this.missed[which], size);
    this.favours[which].push(sub(log2(add(Math.abs(other), f32(0.4))), log2(add(size, f32(0.4)))));
  }

  /** The pull, and what is kept, after a cube went by a displacement with a surprise, in steps, to an orientation. */
  after(displacement, surprise, q) {
    const turned = times(difference(this.orientation, q), div(this.scale.S, 2));
    const [free, fallen] = [this.free, this.fallen].map((of) => minus(displacement, of));
    const misses = [this.isPulled ? fallen : free, turned];
    const [without, by] = [free, fallen].map((missed) => log2(add(greatest(missed), f32(0.4))));
    const [part, beyond] = this.isPulled ? [0.5, free] : [1, surprise];
    const pull = this.filters[0].pullFavour < 0 ? this.pull : learned(this.pull, beyond, part, this.ticks);
    const gained = this.isPulled ? times(this.pull.acceleration, this.ticks) : ZERO;
    const filters = this.filters.map((before, which) => {
      const missed = misses[which];
      const [doubt, near, quick] = corrected(this.doubts[which], greatest(missed), this.ticks);
      const favours = this.favours[which];
      const favour = favours.length > 0 ? div(favours.reduce(add, 0), favours.length) : before.favour;
      return asKept({
        offset: missed.map((miss) => clamp(mul(sub(near, 1), miss), -0.5, 0.5)),
        rate: plus(which === 0 ? plus(before.rate, gained) : before.rate, times(missed, quick)),
        doubt,
        favour: add(before.favour, mul(sub(favour, before.favour), 0.125)),
        pullFavour: which === 0 ? add(before.pullFavour, mul(sub(sub(without, by), before.pullFavour), 0.125)) : 0,
      });
    });
    return [pull, filters];
  }
}
