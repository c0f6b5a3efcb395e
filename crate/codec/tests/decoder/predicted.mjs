// Rung 13, and the cubes of rung 14 (FORMAT.md, sections 15 and 16).

import { refuse } from './bits.mjs';
import { checkChanged, EMPTY_LIFE, isSettled, positionAxes } from './fields.mjs';
import { Flight } from './flight.mjs';
import {
  add,
  clamp,
  difference,
  div,
  dot,
  f32,
  length,
  minus,
  mul,
  plus,
  product,
  quaternion,
  R,
  rotation,
  scaleOf,
  slotsOf,
  sqrt,
  sub,
  support,
  times,
  turned,
} from './geometry.mjs';
import { corrected, errorLog, Learned, pick, score, scoreError } from './learned.mjs';
import { asKept, doubtOf, expectedOf, NOTHING, probable, rivalsOf } from './motion.mjs';
import { readFlown, readNumber } from './numbers.mjs';
import { bitsOfFloat, C, exp, exp2, floatOfBits, L, LN2, log2 } from './probability.mjs';
import { blended, tablesOf } from './tables.mjs';

const ZERO = [0, 0, 0];
const NO_NEIGHBOURS = { count: 0, rigid: ZERO, displacement: ZERO, turn: ZERO, surprise: ZERO, turnSurprise: ZERO, errors: [0, 0] };
const THIRD = f32(1 / 3);

/** What happened to a cube; 8 classes have a meaning. */
function meant(happened) {
  if (happened > 7) refuse('SymbolWithoutMeaning');
  return happened;
}

/** The cubes of a packet against `base`, and what is kept beside them; slots that were `sent` are passed over. */
export function readCubes(coder, format, base, ticks, before, sent) {
  const learned = before?.learned.copy() ?? new Learned(format.player !== undefined, format.class === 'strict');
  // An empty slot is no player (section 19).
  const player = base[format.player]?.life === EMPTY_LIFE ? undefined : format.player;
  const packet = new Packet(coder, { ...format, player }, base, ticks, before?.cubes, learned, tablesOf(`predicted/${format.class}`));
  packet.flies = format.class === 'chained' && format.player === undefined;
  return packet.read(sent);
}

/** A packet's cubes; `foreseen` says of each what a simulation expects, where there is one. */
export class Packet {
  constructor(coder, format, base, ticks, before = new Map(), learned, tables, foreseen) {
    Object.assign(this, { coder, format, base, ticks, before, learned, tables, foreseen });
    this.coefficients = blended(tables, ticks);
    this.scale = scaleOf(format.M);
    this.step = 512 / 2 ** format.pos;
    this.axes = positionAxes(format);
    this.kept = new Map();
    /** Changed cubes but the player, by cell, oldest first. */
    this.deeds = new Map();
    this.running = [3, 3];
    this.recent = 0;
    this.player = { displacement: ZERO, difference: ZERO };
  }

  placeOf(cube) {
    return times(cube.position, this.step);
  }

  read(sent = new Set()) {
    const { base, format } = this;
    const isCoded = (index) => !isSettled(base, sent, index);
    const cubes = [...base];
    const known = (index) => {
      cubes[index] = this.known(index);
    };
    if (format.player !== undefined) {
      if (isCoded(format.player)) known(format.player);
      const of = this.placeOf(base[format.player]);
      this.far = base.map((cube) => {
        const b = minus(this.placeOf(cube), of);
        const a = minus(b, this.player.displacement);
        return { a, b, square: add(dot(b, b), dot(a, a)) };
      });
    }
    const key = (index) => (this.far === undefined ? 0 : (bitsOfFloat(this.far[index].square) >>> 15) & 0xffff);
    const others = base.map((_, index) => index).filter((index) => index !== format.player && isCoded(index));
    const isKnown = (index) => this.before.has(index) || base[index].interacting || this.foresees(index);
    others
      .filter(isKnown)
      .sort((one, other) => key(one) - key(other) || one - other)
      .forEach(known);
    this.quiet(
      others.filter((index) => !isKnown(index)),
      cubes,
    );
    return { cubes, kept: { cubes: this.kept, learned: this.learned } };
  }

  /** Whether a simulation expects a cube to move or to interact. */
  foresees(index) {
    const foreseen = this.foreseen?.[index];
    return foreseen !== undefined && (foreseen.moving || foreseen.interacting);
  }

  predict(r, situation, features) {
    const row = this.coefficients[r * 16 + situation];
    const products = row.map((coefficient, i) => mul(coefficient, features[i]));
    const sum = (from) => [0, 2, 4, 6, 8, 10].reduce((so, i) => add(so, products[from + i]), 0);
    return add(add(sum(0), sum(1)), add(add(products[12], products[13]), add(products[14], products[15])));
  }

  /** What is known of a cube before it is coded. */
  subject(index) {
    const { base, ticks, format } = this;
    const cube = base[index];
    const isPlayer = index === format.player;
    const kept = this.before.get(index) ?? NOTHING;
    const foreseen = this.foreseen?.[index];
    const known = foreseen === undefined ? kept : { ...kept, ...expectedOf(foreseen, kept, ticks) };
    const q = quaternion(this.scale, cube.orientation);
    const place = this.placeOf(cube);
    const half = isPlayer ? 384 : f32(102.4);
    const none = format.player === undefined;
    const { a, b, square } = none ? { a: ZERO, b: ZERO, square: 2 ** 31 } : isPlayer ? { a: ZERO, b: ZERO, square: 0 } : this.far[index];
    const D = sqrt(mul(square, 0.5));
    const near = !none && !isPlayer && D < 1000;
    const A = Math.max(1, length(a));
    const byPlayer = near && minus(turned(rotation(this.player.difference), b), b);
    const subject = {
      index,
      cube,
      isPlayer,
      kept,
      foreseen,
      known,
      q,
      place,
      half,
      square,
      D,
      near,
      A,
      lift: sub(place[2], mul(support(q), half)),
      tilt: sub(support(q), 1),
      away: near ? times(a, div(1, A)) : ZERO,
      rigidPlayer: near ? plus(this.player.displacement, byPlayer) : ZERO,
      depth: Math.max(0, sub(490, A)),
      onward: times(known.velocity, ticks),
      turnOnward: times(known.spin, ticks),
      surprise: times(known.surprise, ticks),
      turnSurprise: times(known.turnSurprise, ticks),
      neighbours: this.neighbours(place),
    };
    subject.situation = Number(subject.neighbours.count > 0) + 2 * Number(subject.lift < 6) + 4 * Number(near) + 8 * Number(known.moving);
    return subject;
  }

  cellOf(place) {
    return [0, 1].map((i) => Math.trunc(mul(add(place[i], 262_144), f32(1 / 384))));
  }

  neighbours(place) {
    const [x, y] = this.cellOf(place);
    let weight = 0;
    let count = 0;
    let means;
    for (const [dx, dy] of [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [i, j]))) {
      const cell = this.deeds.get(((x + dx) & 31) * 32 + ((y + dy) & 31)) ?? [];
      for (const deed of cell.slice(-64).toReversed()) {
        const arm = minus(place, deed.place);
        const square = dot(arm, arm);
        if (square > 384 * 384) continue;
        const k = div(1, add(square, 1000));
        const v = mul(k, k);
        const rigid = plus(deed.displacement, minus(turned(rotation(deed.difference), arm), arm));
        const values = [rigid, deed.displacement, deed.difference, deed.surprise, deed.turnSurprise, deed.errors];
        means ??= values.map((value) => value.map(() => 0));
        means = means.map((sum, i) => plus(sum, times(values[i], v)));
        weight = add(weight, v);
        count += 1;
      }
    }
    if (means === undefined) return NO_NEIGHBOURS;
    const [rigid, displacement, turn, surprise, turnSurprise, errors] = means.map((sum) => times(sum, div(1, weight)));
    return { count, rigid, displacement, turn, surprise, turnSurprise, errors };
  }

  /** The contexts of whether a cube changed that go by its place. */
  contextsOf(subject) {
    const x = floatOfBits(bitsOfFloat(clamp(subject.square, 1, f32(2 ** 38 - 2 ** 14))) & 0xfff0_0000);
    const d = exp(mul(log2(mul(x, 0.5)), mul(0.5, LN2)));
    return {
      far: Math.min(31, Math.trunc(mul(log2(add(1, mul(d, 1 / 64))), 3))),
      u: C(mul(subject.tilt, 100), 5) + 6 * C(subject.lift, 3),
    };
  }

  /** The player, or a cube of which something is known. */
  known(index) {
    const subject = this.subject(index);
    const { cube: base, known, neighbours } = subject;
    const { ticks, recent: Q, tables } = this;
    const g = Number(base.interacting);
    const moving = Number(known.moving);
    const n = Math.min(3, neighbours.count);
    const speed = mul(mul(length(known.velocity), ticks), 2);
    const v = known.moving ? 2 + Math.min(13, Math.trunc(mul(L(speed), 1.5))) : Number(known.rest > 0);
    const { far, u } = this.contextsOf(subject);
    const begins = subject.foreseen !== undefined && subject.foreseen.interacting !== base.interacting;
    const rows = [
      256 * g + 64 * n + 4 * v + Q + 512 * Number(begins),
      128 * g + 4 * far + Math.min(3, v),
      g === 1 && known.rest > 0
        ? 192 + Math.min(63, Math.floor(Math.max(0, known.rest + ticks - 6) / 3))
        : 16 * C(length(neighbours.displacement), 5) + 4 * n + Q + 96 * g,
      128 * g + 4 * u + Q,
    ];
    const places = [8 * v + 4 * g + Q, 16 * Math.min(7, Math.trunc(known.errors[0])) + 4 * n + Q, 2 * u + moving];
    const set = g + 2 * moving;
    const of = rows.map((row, i) => tables.happened[i][row]);
    const names = places.map((place, i) => `${i} ${place}`);
    const happened = meant(this.learned.product(this.coder, set, tables.powers[set], of, names));
    this.recent = ((Q << 1) | Number(happened > 0)) & 3;
    if (happened > 0) return this.changed(subject, happened);
    if (this.before.has(index)) this.keepUnchanged(index, subject.kept);
    return base;
  }

  /** The cubes of which nothing is known, in runs. */
  quiet(indices, cubes) {
    const { coder, learned, tables } = this;
    const { learnsQuiet } = learned.start;
    const current = () => [0, 1, 2, 3].map((group) => learned.factor(group));
    let factors = current();
    let R = 0;
    for (let from = 0; from < indices.length; ) {
      const run = indices.slice(from, from + 15);
      let [sum, reached] = [0, 1];
      const ends = [];
      if (learnsQuiet) factors = current();
      const told = run.map((index, j) => {
        const { far, u } = this.contextsOf(this.subject(index));
        const last = (R << j) & 3;
        const chance = learnsQuiet ? 1 : tables.quiet[4 * (24 * far + u) + last];
        const group = learnsQuiet ? last : Math.floor(far / 8);
        const c = clamp(mul(chance, factors[group]), 1 / 16_384, f32(learnsQuiet ? 0.99 : 0.9));
        sum = add(sum, mul(reached, c));
        reached = mul(reached, sub(1, c));
        ends.push(Math.trunc(mul(sum, 65_472)) + 2 * (j + 1));
        return { chance, group };
      });
      while (ends.length < 15) ends.push(Math.trunc(mul(sum, 65_472)) + 2 * (ends.length + 1));
      const first = coder.classBy(ends);
      if (first >= run.length && first < 15) refuse('SymbolWithoutMeaning');
      for (const [j, { chance, group }] of told.slice(0, first + 1).entries()) {
        learned.count(group, j === first, chance);
        R = ((R << 1) | Number(j === first)) & 3;
      }
      if (first === 15) {
        from += run.length;
        continue;
      }
      const { group } = told[first];
      factors[group] = learned.factor(group);
      const subject = this.subject(run[first]);
      const near = Number(subject.neighbours.count > 0);
      const row = 2 * Math.floor(this.contextsOf(subject).far / 4) + near;
      const happened = meant(learned.happenedInQuiet(coder, near, tables.quietHappened[row]));
      if (happened === 0) refuse('CubeNotChanged');
      cubes[run[first]] = this.changed(subject, happened);
      from += first + 1;
    }
  }

  /** The fields of a cube that changed. */
  changed(subject, happened) {
    const { cube: base } = subject;
    const [moved, spun] = [(happened & 2) > 0, (happened & 4) > 0];
    const cube = { ...base, interacting: base.interacting !== (happened & 1) > 0, position: [...base.position] };
    const flight = this.flies ? new Flight(this.scale, subject.kept.filters, subject.q, this.learned.pull, this.ticks) : undefined;
    const state = { flight, displacement: [...ZERO], e: [...ZERO], offset: [...ZERO], turnError: 0, turnOffset: ZERO, q: subject.q };
    if (moved) {
      this.axis(0, subject, cube, state);
      this.axis(1, subject, cube, state);
    }
    const turn = spun ? this.orientation(subject, cube, state) : undefined;
    if (spun) state.q = quaternion(this.scale, cube.orientation);
    state.difference = difference(subject.q, state.q);
    if (spun) {
      const h = div(2, this.scale.S);
      const F = div(this.scale.S, R);
      const m = mul(mul(turn.errors.reduce(add), THIRD), F);
      state.turnOffset = state.difference.map((c, i) => mul(probable(mul(sub(c, turn.turn[i]), div(this.scale.S, 2)), m), h));
      turn.contests.forEach((contest, i) => {
        const losses = turn.rivals[i].map((rival) => errorLog(mul(sub(state.difference[i], rival), mul(R, 0.5))));
        score(contest, losses);
      });
    }
    if (moved) this.axis(2, subject, cube, state);
    this.check(base, cube, moved, spun);
    this.keepChanged(subject, state, moved || spun);
    return cube;
  }

  check(base, cube, moved, spun) {
    checkChanged(base, cube, moved, spun);
    if (cube.position.some((step, i) => step < this.axes[i].min || step > this.axes[i].max)) refuse('OutOfRange');
    if (cube.orientation.slice(1).some((code) => code < 0 || code > this.scale.M)) refuse('OutOfRange');
  }

  axis(axis, subject, cube, state) {
    const { known, neighbours, onward, situation } = subject;
    const course = known.moving ? onward : neighbours.count > 0 ? neighbours.rigid : subject.away;
    let [along, square] = [0, 100];
    for (let i = 0; i < axis; i += 1) {
      along = add(along, mul(state.e[i], course[i]));
      square = add(square, mul(course[i], course[i]));
    }
    const r = times(subject.turnOnward, subject.half);
    const t = mul(this.ticks, f32(1 / 6));
    const settle = sub(mul(support(state.q), subject.half), subject.place[2]);
    const prediction = clamp(
      this.predict(axis, situation, [
        onward[axis],
        subject.surprise[axis],
        neighbours.rigid[axis],
        neighbours.surprise[axis],
        neighbours.displacement[axis],
        subject.rigidPlayer[axis],
        mul(subject.away[axis], 10),
        mul(subject.away[axis], subject.depth),
        mul(subject.away[axis], div(10_000, add(subject.A, 50))),
        [r[1], -r[0], 0][axis],
        known.offset[axis],
        mul(known.slowVelocity[axis], this.ticks),
        div(mul(course[axis], along), square),
        axis === 2 ? settle : 0,
        axis === 2 ? mul(mul(10, t), t) : 0,
        axis === 2 ? subject.lift : 0,
      ]),
      -4096,
      4096,
    );
    const rivals = rivalsOf(prediction, onward[axis], subject.surprise[axis], neighbours.rigid[axis]);
    const contest = this.learned.contest(axis, situation);
    const mean = clamp(pick(contest, rivals), -4096, 4096);
    const [ex, ey] = state.e.map(Math.abs);
    const knowns = [ZERO, [ex, 0, 0], [add(ex, ey), state.turnError, sub(settle, onward[2])]][axis];
    const disagreement = length(minus(onward, neighbours.rigid));
    const { w, errorContest, errorRivals } = this.expectError(5 + axis, 0, subject, mean, disagreement, knowns);
    const errorClass = C(axis === 0 ? known.errors[0] : state.e[0], 7);
    const { step } = this;
    const s = add(w, log2(mul(f32(0.8), div(1, step))));
    const before = axis === 0 ? 0 : state.e[axis - 1];
    const number = this.number(state.flight, 0, state.flight?.moved[axis], [div(mean, step), s, axis, errorClass, known.errors[0], before]);
    cube.position[axis] = subject.cube.position[axis] + number;
    state.displacement[axis] = mul(number, step);
    state.e[axis] = sub(state.displacement[axis], mean);
    const error = exp2(w);
    state.offset[axis] = mul(probable(div(state.e[axis], step), div(error, step)), step);
    score(
      contest,
      rivals.map((rival) => errorLog(sub(state.displacement[axis], rival))),
    );
    scoreError(errorContest, errorRivals, state.e[axis]);
  }

  /** A number of the displacement (0) or the orientation (1): by the filter, whose mean is `flown`, or as is expected. */
  number(flight, which, flown, expected) {
    if (flight === undefined) return readNumber(this, ...expected);
    const number = flight.isFlown(which) ? readFlown(this, flight, which, flown) : readNumber(this, ...expected);
    flight.miss(which, sub(number, flown), sub(number, expected[0]));
    return number;
  }

  /** log2 of the error to expect, and its contest; `which` is 0 for positions, 1 for orientations. */
  expectError(r, which, subject, mean, disagreement, knowns) {
    const { known, neighbours } = subject;
    const prediction = this.predict(r, subject.situation, [
      1,
      known.errors[which],
      L(length(subject.onward)),
      neighbours.errors[which],
      neighbours.count > 0 ? L(disagreement) : 0,
      L(mul(subject.D, 1 / 64)),
      this.running[which],
      Number(subject.cube.interacting),
      L(length(subject.surprise)),
      L(subject.lift),
      known.slowErrors[which],
      doubtOf(which, subject),
      L(mean),
      ...knowns.map(L),
    ]);
    const first = clamp(prediction, -3, 9);
    const slow = known.slowErrors[which];
    const errorRivals = [first, first, known.errors[which], slow, mul(add(slow, L(knowns[0])), 0.5)];
    const errorContest = this.learned.contest(r, subject.situation);
    const w = clamp(pick(errorContest, corrected(errorContest, errorRivals)), -3, 9);
    return { w, errorContest, errorRivals };
  }

  /** Reads largest and codes into the cube. Returns the turn that was predicted, and the three expected errors. */
  orientation(subject, cube, state) {
    const { known, neighbours, situation, half, turnOnward } = subject;
    const k = div(1, half);
    const roll = (v) => [mul(-v[1], k), mul(v[0], k), 0];
    const [rollSoFar, rollOnward, rollOthers] = [state.displacement, subject.onward, neighbours.displacement].map(roll);
    const rivals = [0, 1, 2].map((i) => {
      const features = [
        turnOnward[i],
        subject.turnSurprise[i],
        neighbours.turn[i],
        neighbours.turnSurprise[i],
        subject.near ? this.player.difference[i] : 0,
        rollSoFar[i],
        rollOnward[i],
        rollOthers[i],
        known.turnOffset[i],
        mul(known.slowSpin[i], this.ticks),
        0,
        0,
        0,
        0,
        0,
        0,
      ];
      const prediction = clamp(this.predict(i < 2 ? 3 : 4, situation, features), -3, 3);
      return rivalsOf(prediction, turnOnward[i], subject.turnSurprise[i], neighbours.turn[i]);
    });
    const contests = [11, 3, 4].map((number) => this.learned.contest(number, situation));
    const turn = rivals.map((of, i) => clamp(pick(contests[i], of), -3, 3));
    const size = length(turn);
    const guess = product(rotation(turn), subject.q);
    const likely = state.flight?.isFlown(1) ? state.flight.orientation : guess;
    const ranked = [0, 1, 2, 3].sort((i, j) => Math.abs(likely[j]) - Math.abs(likely[i]) || i - j);
    const isLargest = (rank) => {
      const lead = sub(Math.abs(likely[ranked[rank]]), Math.abs(likely[ranked[rank + 1]]));
      const G = 32 * rank + Math.min(31, Math.trunc(mul(L(mul(lead, 200)), 3)));
      return this.learned.isLargest(this.coder, G, this.tables.largest[8 * G + C(mul(size, 100), 7)]);
    };
    const largest = isLargest(0) ? ranked[0] : isLargest(1) ? ranked[1] : ranked[this.coder.flag() ? 3 : 2];

    const { S, Z } = this.scale;
    const F = div(S, R);
    const sign = guess[largest] < 0 ? -1 : 1;
    const course = product([...times(turn, div(mul(0.5, sign), Math.max(size, f32(0.001)))), 0], guess);
    const H = mul(R, 0.5);
    const d = minus(state.displacement, subject.onward);
    const moved = add(Math.abs(state.e[0]), Math.abs(state.e[1]));
    const e = [];
    const errors = [];
    let [along, square] = [0, f32(0.05)];
    const codes = slotsOf(largest).map((j, slot) => {
      const missed = mul(div(mul(mul(f32(0.7), course[j]), along), square), F);
      const from = subject.cube.orientation[1 + slot];
      const mean = sub(add(add(mul(mul(guess[j], sign), S), Z), missed), from);
      const knowns = [
        [mul(div(length([d[0], d[1], 0]), half), H), 0, moved],
        [e[0], 0, moved],
        [e[0], e[1], moved],
      ][slot];
      const disagreement = mul(length(minus(turnOnward, neighbours.turn)), H);
      const { w, errorContest, errorRivals } = this.expectError(8 + slot, 1, subject, mul(size, H), disagreement, knowns);
      const errorClass = C(slot === 0 ? state.e[0] : e[0], 7);
      const before = slot === 0 ? state.e[0] : e[slot - 1];
      const flown = state.flight && sub(state.flight.code(j, largest), from);
      const number = this.number(state.flight, 1, flown, [mean, add(w, log2(mul(f32(0.8), F))), 3 + slot, errorClass, known.errors[1], before]);
      e.push(mul(sub(number, mean), div(R, S)));
      errors.push(exp2(w));
      scoreError(errorContest, errorRivals, e[slot]);
      along = add(along, mul(e[slot], course[j]));
      square = add(square, mul(course[j], course[j]));
      return from + number;
    });
    cube.orientation = [largest, ...codes];
    state.turnError = mul(e.map(Math.abs).reduce(add), 0.5);
    return { turn, errors, rivals, contests };
  }

  keepChanged(subject, state, moving) {
    const { kept: known, index } = subject;
    const perTick = div(1, this.ticks);
    const errors = [L(state.e.map(Math.abs).reduce(add)), L(state.turnError)];
    const velocity = times(plus(state.displacement, minus(state.offset, known.offset)), perTick);
    const spin = times(plus(state.difference, minus(state.turnOffset, known.turnOffset)), perTick);
    const part = Math.min(1, mul(0.25, this.ticks));
    const slow = (before, now) => (known.moving ? plus(before, times(minus(now, before), part)) : now);
    const surprise = minus(state.displacement, subject.onward);
    const inSteps = (vector) => times(vector, div(1, this.step));
    const [pull, filters] = state.flight?.after(inSteps(state.displacement), inSteps(surprise), state.q) ?? [];
    if (pull !== undefined) this.learned.pull = pull;
    const turnSurprise = minus(state.difference, subject.turnOnward);
    this.keep(index, {
      velocity,
      spin,
      errors,
      moving,
      rest: 0,
      surprise: times(surprise, perTick),
      turnSurprise: times(turnSurprise, perTick),
      offset: state.offset,
      turnOffset: state.turnOffset,
      slowVelocity: slow(known.slowVelocity, velocity),
      slowSpin: slow(known.slowSpin, spin),
      slowErrors: slow(known.slowErrors, errors),
      filters,
    });
    this.running = plus(this.running, times(minus(errors, this.running), 0.25));
    if (subject.isPlayer) {
      this.player = { displacement: state.displacement, difference: state.difference };
      return;
    }
    const [x, y] = this.cellOf(subject.place).map((part) => part & 31);
    const cell = this.deeds.get(x * 32 + y) ?? [];
    this.deeds.set(x * 32 + y, cell);
    cell.push({ place: subject.place, displacement: state.displacement, difference: state.difference, surprise, turnSurprise, errors });
  }

  keep(index, motion) {
    const kept = asKept(motion);
    if (kept !== undefined) this.kept.set(index, kept);
  }

  keepUnchanged(index, known) {
    let rest = known.moving || known.rest > 0 ? known.rest + this.ticks : 0;
    if (rest > 180) rest = 0;
    const still = mul(this.ticks, THIRD);
    if (still >= 1 || rest > 8) {
      this.keep(index, { ...NOTHING, rest });
      return;
    }
    const less = (value) => times(value, sub(1, still));
    this.keep(index, {
      ...known,
      velocity: less(known.velocity),
      spin: less(known.spin),
      slowVelocity: less(known.slowVelocity),
      slowSpin: less(known.slowSpin),
      surprise: ZERO,
      turnSurprise: ZERO,
      filters: undefined,
      moving: false,
      rest,
    });
  }
}
