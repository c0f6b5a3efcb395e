// Sync packets, and what a receiver holds (FORMAT.md, sections S1 to S5).

import { Bits, bitsOf, refuse } from '../../../codec/tests/decoder/bits.mjs';
import {
  dequantise,
  dequantiseOrientation,
  fixedPoint,
  orientation,
  positionAxes,
  quantise,
  quantiseOrientation,
  same,
  vector,
  widthsAt,
} from '../../../codec/tests/decoder/fields.mjs';
import { add, conj, cross, f32, mul, product, sub } from '../../../codec/tests/decoder/geometry.mjs';

const u32 = (a) => a >>> 0;

const axesOf = (format) => ({
  position: positionAxes(format),
  linear: Array(3).fill(fixedPoint([-32, 32], format.vel)),
  angular: Array(3).fill(fixedPoint([-16, 16], format.vel)),
});

const quantiseAll = (axes, values) => axes.map((axis, i) => quantise(axis, values[i]));
const dequantiseAll = (axes, steps) => axes.map((axis, i) => dequantise(axis, steps[i]));

/** A receiver of one stream of sync packets. */
export class SyncReceiver {
  constructor(format) {
    this.format = format;
    this.axes = axesOf(format);
    this.accepted = new Map();
    this.newest = undefined;
  }

  /** Keeps a packet that was decoded. */
  accept(packet) {
    const isNewer = this.newest === undefined || ((packet.sequence - this.newest) | 0) > 0;
    if (isNewer) this.newest = packet.sequence;
    this.accepted.set(packet.sequence, packet.updates);
    const isHeld = (sequence) => u32(this.newest - sequence) < 512;
    for (const sequence of this.accepted.keys()) if (!isHeld(sequence)) this.accepted.delete(sequence);
  }

  /** What a held packet says of a cube. */
  held(sequence, index) {
    return this.accepted.get(sequence)?.find((update) => update.index === index);
  }

  /** Sequence, inputs (newest first) and updates of a packet; throws a `Refused`. */
  decode(bytes, horizon) {
    const { format } = this;
    const bits = new Bits(bytes);
    const sequence = bits.u(32);
    const acked = format.delta && bits.flag() ? u32(sequence - 1 - bits.u(8)) : undefined;
    const inputs = readInputs(bits);
    const count = bits.u(7);
    if (count > 64) refuse('UpdateCount');
    const packet = { sequence, acked, updates: [] };
    for (let i = 0; i < count; i += 1) packet.updates.push(this.readUpdate(bits, packet));
    bits.end();
    if (((sequence - horizon) | 0) > 0) refuse('TooFarAhead');
    return { sequence, inputs, updates: packet.updates };
  }

  readUpdate(bits, { sequence, acked, updates }) {
    const { format, axes } = this;
    const index = bits.u(bitsOf(format.cubes));
    if (index >= format.cubes) refuse('IndexOutOfRange');
    // The player's update comes before all others.
    const rank = (of) => (of === format.player ? -1 : of);
    if (updates.length > 0 && rank(index) <= rank(updates.at(-1).index)) refuse('IndexNotRising');
    const atRest = bits.flag();
    const baseline = acked !== undefined && bits.flag() ? u32(acked - bits.u(5)) : undefined;
    const then = baseline === undefined ? undefined : this.held(baseline, index);
    if (baseline !== undefined && then === undefined) refuse('UpdateBaselineUnknown');
    const update = { index, baseline, atRest, linear: [0, 0, 0], angular: [0, 0, 0] };
    const lay = atRest && then?.atRest === true;
    if (lay && bits.flag()) return { ...then, index, baseline };

    const first = format.relative ? updates[0] : undefined;
    const player = first !== undefined && first.index === format.player ? first : undefined;
    const expected = this.expectedPose(then, player, baseline, u32(sequence - (baseline ?? 0)));
    update.position = vector(bits, axes.position, expected.position);
    update.orientation = orientation(bits, format.M, expected.orientation);
    if (lay && same(update.position, then.position) && same(update.orientation, then.orientation)) refuse('CubeNotChanged');
    if (atRest || !format.velocities) return update;

    const { linear, angular } = this.expectedVelocities(update.position, then, player);
    const widths = (small, large) => widthsAt(small, large, format.vel);
    const relative = (value, [small, large]) => value && { value, widths: widths(small, large) };
    update.linear = vector(bits, axes.linear, relative(linear, [8, 10]));
    update.angular = vector(bits, axes.angular, relative(angular, [8, 11]));
    return update;
  }

  isNear(position, player) {
    const reach = 2 * 2 ** this.format.pos;
    return position.every((step, i) => step - player[i] >= -reach && step - player[i] < reach);
  }

  expectedPose(then, player, baseline, age) {
    const { format, axes } = this;
    if (then === undefined) {
      return { position: player && { value: player.position, widths: widthsAt(9, 10, format.pos) } };
    }
    const playerThen = this.held(baseline, format.player);
    const beside = player && playerThen && this.isNear(then.position, playerThen.position);
    const value = beside ? this.carried(then, playerThen, player) : this.movedOn(then, age);
    return {
      position: { value: quantiseAll(axes.position, value.position), widths: widthsAt(5, 8, format.pos) },
      orientation: { value: value.orientation, widths: widthsAt(4, 7, format.rot) },
    };
  }

  carried(cube, then, now) {
    const { M } = this.format;
    const place = (body) => dequantiseAll(this.axes.position, body.position);
    const turned = (body) => dequantiseOrientation(M, body.orientation);
    const turn = product(turned(now), conj(turned(then)));
    const offset = place(cube).map((c, i) => sub(c, place(then)[i]));
    const round = product(product(turn, [...offset, 0]), conj(turn));
    return {
      position: place(now).map((c, i) => add(c, round[i])),
      orientation: settled(M, quantiseOrientation(M, product(turn, turned(cube)))),
    };
  }

  movedOn(cube, age) {
    const time = mul(age, f32(1 / 60));
    const [p, v] = [dequantiseAll(this.axes.position, cube.position), dequantiseAll(this.axes.linear, cube.linear)];
    return { position: p.map((c, i) => add(c, mul(v[i], time))), orientation: cube.orientation };
  }

  expectedVelocities(position, then, player) {
    if (player === undefined || !this.isNear(position, player.position)) {
      return { linear: then?.linear, angular: then?.angular };
    }
    const { axes } = this;
    const [p, now] = [position, player.position].map((steps) => dequantiseAll(axes.position, steps));
    const turning = cross(
      dequantiseAll(axes.angular, player.angular),
      p.map((c, i) => sub(c, now[i])),
    );
    const linear = dequantiseAll(axes.linear, player.linear).map((c, i) => add(c, turning[i]));
    return { linear: quantiseAll(axes.linear, linear), angular: player.angular };
  }
}

function readInputs(bits) {
  const count = bits.u(5) + 1;
  const inputs = [bits.u(6)];
  while (inputs.length < count) {
    const after = inputs.at(-1);
    const input = bits.flag() ? after : undefined;
    inputs.push(input ?? bits.u(6));
    if (input === undefined && inputs.at(-1) === after) refuse('InputRepeated');
  }
  return inputs;
}

/** Integers that come out again when what they stand for is quantised. */
export function settled(M, start) {
  const again = (o) => quantiseOrientation(M, dequantiseOrientation(M, o));
  let o = start;
  for (let round = 0; round < 8; round += 1) {
    const next = again(o);
    if (same(next, o)) return o;
    if (same(again(next), o)) {
      const at = o.findIndex((value, i) => value !== next[i]);
      return o[at] < next[at] ? o : next;
    }
    o = next;
  }
  return o;
}
