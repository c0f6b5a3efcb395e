// What both ends learn from decoded packets of rungs 13 and 14 (FORMAT.md, section 15, "What is learned").

import { Distribution } from './coder.mjs';
import { NO_PULL } from './flight.mjs';
import { add, clamp, div, f32, mul, sub } from './geometry.mjs';
import { endsOf, exp2, log2, roundToEven } from './probability.mjs';

const WITH_PLAYER = { rate: f32(0.005), headStart: 1, age: 5 };
const WITHOUT = {
  rate: f32(0.2),
  headStart: f32(-0.3),
  age: 0,
  learnsQuiet: true,
  weights: [0.2, 0.2, 0.8, 0.8].map((part) => div(f32(part), 2)),
};
/** How escapes of each alphabet begin. */
const ESCAPES = [1, 2.5, 6.5].map((peak) => {
  const shares = Array.from({ length: 16 }, (_, e) => exp2(mul(Math.abs(sub(e, peak)), -0.75)));
  return { ends: endsOf(shares), age: 5 };
});
const ends = (two) => two.map((end) => 2 * end);

/** A learned log, in steps of 1 / 1024. */
const moved = (log, miss) => roundToEven(clamp(add(log, mul(f32(0.12 * 1024), miss)), -10_000, 10_000));

/** Distributions, weights, logs, powers, counts and contests; by name, as at first until they are asked for. */
export class Learned {
  constructor(hasPlayer, isStrict, before) {
    this.start = before?.start ?? (hasPlayer ? WITH_PLAYER : { ...WITHOUT, leastScale: isStrict ? 16 : 0 });
    const copy = (part) => (before === undefined ? new Map() : structuredClone(before[part]));
    this.numbers = new Map([...(before?.numbers ?? [])].map(([name, one]) => [name, new Distribution(one)]));
    this.escapes = [0, 1, 2].map((alphabet) => new Distribution(before?.escapes[alphabet] ?? ESCAPES[alphabet]));
    this.quiet = new Map([...(before?.quiet ?? [])].map(([place, one]) => [place, new Distribution(one)]));
    this.pull = before?.pull ?? NO_PULL;
    this.flights = new Map([...(before?.flights ?? [])].map(([place, one]) => [place, new Distribution(one)]));
    this.weights = copy('weights');
    this.logs = copy('logs');
    this.powers = copy('powers');
    this.largest = copy('largest');
    this.contests = copy('contests');
    this.counts = [0, 1, 2, 3].map((group) => before?.counts[group].map((count) => mul(count, f32(0.98))) ?? [0, 0]);
  }

  /** The same, for the next packet. */
  copy() {
    return new Learned(false, false, this);
  }

  /** A symbol by a mixture: the tables' distributions, then learned ones by their names; `first` are the set's weights. */
  mixed(coder, set, first, rows, names) {
    const { rate, weights: even, age } = this.start;
    const w = this.weights.get(set) ?? even ?? first;
    const learned = names.map((name, i) => this.numbers.get(name) ?? new Distribution({ ends: rows[i], age }));
    names.forEach((name, i) => this.numbers.set(name, learned[i]));
    const all = [...rows.map((row) => new Distribution({ ends: row })), ...learned];
    const W = w.map((weight) => roundToEven(mul(weight, 65_504)));
    const mean = all[0].ends.map((_, i) => all.reduce((sum, { ends: of }, j) => sum + Math.floor((of[i] * W[j]) / 65_536), i + 1));
    const s = coder.classBy(ends(mean));
    const parts = all.map((one, j) => mul(w[j], one.share(s)));
    const by = div(mul(rate, f32(0.96)), parts.reduce(add, 0));
    this.weights.set(
      set,
      w.map((weight, j) => add(add(mul(weight, sub(1, rate)), mul(parts[j], by)), mul(rate, f32(0.01)))),
    );
    learned.forEach((one) => one.adapt(s));
    return s;
  }

  /** A symbol of what happened, by a product: four rows of the tables, three learned ones by their names. */
  product(coder, set, first, rows, names) {
    const p = this.powers.get(set) ?? first;
    const [e, f, g] = names.map((name) => this.logs.get(name) ?? Array(8).fill(0));
    const [a, b, c, d] = rows.map((row, j) => row.map((log) => mul(log, p[j])));
    const shares = a.map((_, i) => {
      const t = add(add(add(a[i], b[i]), add(c[i], d[i])), mul(1 / 1024, e[i] + f[i] + g[i]));
      return exp2(clamp(t, -60, 60));
    });
    const s = coder.classBy(ends(endsOf(shares)));
    const q = div(1, shares.reduce(add, 0));
    const misses = shares.map((share, i) => sub(Number(i === s), mul(share, q)));
    [e, f, g].forEach((row, i) =>
      this.logs.set(
        names[i],
        row.map((log, j) => moved(log, misses[j])),
      ),
    );
    const pulls = rows.map((row) => row.reduce((sum, log, i) => add(sum, mul(log, misses[i])), 0));
    this.powers.set(
      set,
      p.map((power, j) => add(power, mul(f32(0.002), pulls[j]))),
    );
    return s;
  }

  /** The decision that a component is the largest, by the tables' chance and what is learned of G. */
  isLargest(coder, G, chance) {
    const T = Math.trunc(clamp(mul(chance, 65_536), 32, 65_504));
    const known = this.largest.get(G) ?? T;
    const bit = coder.decide(Math.floor((T + known) / 2));
    this.largest.set(G, bit ? known + Math.floor((65_504 - known) / 32) : known - Math.floor((known - 32) / 32));
    return bit;
  }

  /** How much likelier than by the tables quiet cubes of a group change, or how likely. */
  factor(group) {
    const [changed, expected] = this.counts[group];
    if (this.start.learnsQuiet) return div(add(changed, 0.5), add(expected, 1));
    return div(add(changed, 4), add(expected, 4));
  }

  /** Counts a quiet cube that a run said something of. */
  count(group, changed, chance) {
    const [before, expected] = this.counts[group];
    this.counts[group] = [add(before, Number(changed)), add(expected, chance)];
  }

  /** What happened to a quiet cube, by the ends of the tables or what is learned from them. */
  happenedInQuiet(coder, place, ends) {
    if (!this.start.learnsQuiet) return coder.classBy(ends.map((end) => 2 * end));
    if (!this.quiet.has(place)) this.quiet.set(place, new Distribution({ ends, age: this.start.age }));
    return coder.symbol(this.quiet.get(place));
  }

  /** The distribution of a place of flights. */
  flown(place) {
    if (!this.flights.has(place)) this.flights.set(place, new Distribution());
    return this.flights.get(place);
  }

  /** The contest of a number in a situation. */
  contest(number, situation) {
    const name = number * 16 + (situation & 13);
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
  const misses = rivals.map((rival, i) => sub(sub(value, rival), contest.biases[i]));
  const rate = div(1, Math.min(contest.count + 4, 40));
  contest.biases = contest.biases.map((bias, i) => (i === 0 ? bias : add(bias, mul(misses[i], rate))));
  score(
    contest,
    misses.map((miss) => mul(mul(miss, miss), f32(0.15))),
  );
}

/** log2 of an error, of 0.4 more than that. */
export const errorLog = (error) => log2(add(Math.abs(error), f32(0.4)));
