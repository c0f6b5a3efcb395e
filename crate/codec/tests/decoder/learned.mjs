// What both ends learn from decoded packets of rungs 13 and 14 (FORMAT.md, section 15, "What is learned").

import { add, clamp, div, f32, mul, sub } from './geometry.mjs';
import { log2, probability, stretch } from './probability.mjs';

const WITH_PLAYER = { tables: 0.75, age: 10, rate: f32(0.01), headStart: 1 };
const WITHOUT = { tables: f32(0.2), age: 3, rate: f32(0.02), headStart: 0 };

/** Counters, weights and contests, as at first until they are asked for. */
export class Learned {
  constructor(hasPlayer) {
    this.start = hasPlayer ? WITH_PLAYER : WITHOUT;
    this.counters = new Map();
    this.weights = new Map();
    this.contests = new Map();
  }

  /** The same, to go on from. */
  copy() {
    const copy = Object.assign(new Learned(false), { start: this.start });
    for (const part of ['counters', 'weights', 'contests']) copy[part] = structuredClone(this[part]);
    return copy;
  }

  /** A decision by the tables' logit, the name of its weights, and those of its two counters. */
  decide(coder, logit, weightsName, counterNames) {
    const { tables, age, rate } = this.start;
    const rest = mul(sub(1, tables), 0.5);
    const weights = this.weights.get(weightsName) ?? [tables, rest, rest];
    const counters = counterNames.map((name, i) => this.counters.get(`${i} ${name}`) ?? { p: undefined, age });
    const t = clamp(logit, -10, 10);
    const inputs = [t, ...counters.map(({ p }) => (p === undefined ? t : stretch(p)))];
    const [one, two, three] = inputs.map((input, i) => mul(input, weights[i]));
    const p = probability(add(add(one, two), three));
    const bit = coder.decide(p);
    const target = bit ? 65_535 : 0;
    const step = mul(target - p, rate / 65_536);
    this.weights.set(weightsName, weights.map((weight, i) => add(weight, mul(step, inputs[i]))));
    counters.forEach((counter, i) => {
      const from = counter.p ?? probability(t);
      const moved = add(from, mul(target - from, div(1, counter.age)));
      this.counters.set(`${i} ${counterNames[i]}`, { p: Math.trunc(clamp(moved, 32, 65_503)), age: Math.min(counter.age + 1, 40) });
    });
    return bit;
  }

  /** The contest of row r in a situation. */
  contest(r, situation) {
    const name = r * 16 + (situation & 13);
    if (!this.contests.has(name)) {
      const { headStart } = this.start;
      this.contests.set(name, { losses: [0, headStart, headStart, headStart, headStart], biases: [0, 0, 0, 0, 0], count: 0 });
    }
    return this.contests.get(name);
  }
}

/** The rival that was nearest lately. */
export function pick({ losses }, rivals) {
  const least = Math.min(...losses.slice(1));
  return least < f32(-0.05) ? rivals[losses.indexOf(least, 1)] : rivals[0];
}

/** Each rival but the first with its bias. */
export function corrected({ biases }, rivals) {
  return rivals.map((rival, i) => (i === 0 ? rival : add(rival, biases[i])));
}

/** Tells a contest the losses. */
export function score(contest, losses) {
  const rate = div(1, Math.min(contest.count + 11, 70));
  contest.losses = contest.losses.map((mean, i) => add(mean, mul(sub(sub(losses[i], losses[0]), mean), rate)));
  contest.count = Math.min(contest.count + 1, 70);
}

/** Tells a contest of errors the error that was made, first for the biases. */
export function scoreError(contest, rivals, error) {
  const value = errorLog(error);
  const right = corrected(contest, rivals);
  const rate = div(1, Math.min(contest.count + 4, 40));
  contest.biases = contest.biases.map((bias, i) => (i === 0 ? bias : add(bias, mul(sub(sub(value, rivals[i]), bias), rate))));
  score(contest, right.map((rival) => mul(mul(sub(value, rival), sub(value, rival)), f32(0.15))));
}

/** log2 of an error, of 0.4 more than that. */
export const errorLog = (error) => log2(add(Math.abs(error), f32(0.4)));
