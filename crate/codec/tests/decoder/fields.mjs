// The fields of a cube (FORMAT.md, sections 2, 5, 6 and 7).

import { bitsOf, refuse } from './bits.mjs';

const f32 = Math.fround;

/** Widths that follow the quantisation, at 9 bits these (section 6). */
export const widthsAt = (small, large, bits) => [small, large].map((width) => Math.max(2, width + (bits - 9)));

/** A range in fixed point: the first step, the last one, and bits of a code. */
export function fixedPoint([lower, upper], fractionalBits) {
  const step = 2 ** fractionalBits;
  return { min: lower * step, max: upper * step - 1, step, bits: bitsOf((upper - lower) * step) };
}

/** The three axes of a position. */
export const positionAxes = (format) => format.bounds.map((bounds) => fixedPoint(bounds, format.pos));

const reach = ([small, large]) => 2 ** (small - 1) + 2 ** (large - 1);
const within = (values, expected, widths) => values.every((value, i) => value - expected[i] >= -reach(widths) && value - expected[i] < reach(widths));

function difference(bits, [small, large]) {
  const h = 2 ** (small - 1);
  if (bits.flag()) return bits.s(small);
  const code = bits.s(large);
  return code >= 0 ? code + h : code - h;
}

/** Three numbers in fixed point; relative to `expected`, {value, widths}, where something is. */
export function vector(bits, axes, expected) {
  const relative = expected !== undefined && bits.flag();
  const value = axes.map((axis, i) => (relative ? expected.value[i] + difference(bits, expected.widths) : axis.min + bits.u(axis.bits)));
  if (value.some((step, i) => step < axes[i].min || step > axes[i].max)) refuse('OutOfRange');
  if (expected !== undefined && !relative && within(value, expected.value, expected.widths)) refuse('NeedlessAbsolute');
  return value;
}

/** An orientation as its smallest three: largest, a, b, c. */
export function orientation(bits, M, expected) {
  const relative = expected !== undefined && bits.flag();
  const base = relative ? expected.value : [bits.u(2)];
  const codes = [1, 2, 3].map((i) => (relative ? base[i] + difference(bits, expected.widths) : bits.u(bitsOf(M + 1))));
  if (codes.some((code) => code < 0 || code > M)) refuse('OutOfRange');
  if (expected !== undefined && !relative && base[0] === expected.value[0]) {
    if (within(codes, expected.value.slice(1), expected.widths)) refuse('NeedlessAbsolute');
  }
  return [base[0], ...codes];
}

/** Whether two lists hold the same. */
export const same = (a, b) => a.every((value, i) => value === b[i]);

/** Refuses a changed cube, or a field flagged as changed, that is the baseline's. */
export function checkChanged(base, cube, positionFlagged, orientationFlagged) {
  const [position, orientation] = [same(base.position, cube.position), same(base.orientation, cube.orientation)];
  if (position && orientation && base.interacting === cube.interacting) refuse('CubeNotChanged');
  if (positionFlagged && position) refuse('FieldNotChanged');
  if (orientationFlagged && orientation) refuse('FieldNotChanged');
}

/** Lives of slots: all others are generations. */
export const EMPTY_LIFE = 3;

/** Whether a packet tells no more of a slot (section 19): it is empty, or was sent whole. */
export const isSettled = (cubes, sent, index) => cubes[index].life === EMPTY_LIFE || sent.has(index);

/** Bit patterns of floats, as signed numbers. */
export function floats(bits, count) {
  const patterns = Array.from({ length: count }, () => bits.u(32));
  // An exponent of ones: infinite, or not a number.
  if (patterns.some((pattern) => Math.floor(pattern / 2 ** 23) % 256 === 255)) refuse('NotFinite');
  return patterns.map((pattern) => pattern | 0);
}

/** Components of a smallest three, put into their places; `largest` is the component that is not sent. */
export function place(largest, [a, b, c], rest) {
  const all = [a, b, c];
  all.splice(largest, 0, rest);
  return all;
}

/** Bound of the components that are sent, and twice that (section 7). */
const m = f32(1 / f32(1.414214));
const m2 = f32(2 * m);

const clamp = (value, min, max) => Math.min(Math.max(value, min), max);

/** The step of a number. */
export const quantise = (axis, value) => clamp(Math.floor(f32(f32(f32(value) * axis.step) + 0.5)) || 0, axis.min, axis.max);

/** The number of a step. */
export const dequantise = (axis, step) => f32(step / axis.step);

/** Largest index and codes of a quaternion. */
export function quantiseOrientation(M, q) {
  let largest = 0;
  for (let i = 1; i < 4; i += 1) if (Math.abs(q[i]) > Math.abs(q[largest])) largest = i;
  const sign = q[largest] < 0 ? -1 : 1;
  const codes = q
    .filter((_, i) => i !== largest)
    .map((component) => {
      const part = f32(f32(sign * component + m) / m2);
      return clamp(Math.floor(f32(f32(part * M) + 0.5)) || 0, 0, M);
    });
  return [largest, ...codes];
}

/** The quaternion of largest index and codes. */
export function dequantiseOrientation(M, [largest, ...codes]) {
  const parts = codes.map((code) => f32(f32(f32(code / M) * m2) - m));
  const left = parts.reduce((rest, part) => f32(rest - f32(part * part)), 1);
  const q = place(largest, parts, f32(Math.sqrt(Math.max(0, left))));
  // Here numbers are binary64, as JavaScript's are.
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return q.map((component) => f32(component / length));
}
