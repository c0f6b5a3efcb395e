// Logarithms, probabilities and the logistic distribution of rung 13 (FORMAT.md, sections 13 and 15).

import { add, clamp, div, f32, mul, sub } from './geometry.mjs';

const pattern = new DataView(new ArrayBuffer(4));
export const LN2 = f32(Math.LN2);
const LOG2E = f32(Math.LOG2E);

/** The bits of a binary32. */
export function bitsOfFloat(x) {
  pattern.setFloat32(0, x);
  return pattern.getUint32(0);
}

/** The binary32 of bits. */
export function floatOfBits(bits) {
  pattern.setUint32(0, bits);
  return pattern.getFloat32(0);
}

export function log2(x) {
  const bits = bitsOfFloat(x);
  const E = ((bits >>> 23) & 255) - 127;
  const m = (bits & 0x7fffff) / 2 ** 23;
  return add(E, mul(m, sub(f32(1.343), mul(f32(0.343), m))));
}

export const L = (x) => log2(add(1, Math.abs(x)));
export const C = (x, top) => Math.min(Math.trunc(L(x)), top);

export function exp(x) {
  const t = mul(clamp(x, -80, 80), LOG2E);
  const w = Math.trunc(add(t, 128.5)) - 128;
  const f = mul(sub(t, w), LN2);
  const series = [1, 1, 1 / 2, 1 / 6, 1 / 24].map(f32).reduceRight((sum, c) => add(c, mul(f, sum)));
  return mul(series, 2 ** w);
}

const ln = (x) => mul(log2(Math.max(x, f32(1e-30))), LN2);
const limit = (x) => clamp(x, -8, 8);

/** The nearest integer, of two the even one. */
function roundToEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Probability out of 65,536 of a logit. */
export function probability(x) {
  const i = roundToEven(clamp(mul(256, x), -2560, 2560));
  return Math.trunc(clamp(div(65_536, add(1, exp(-i / 256))), 8, 65_528));
}

/** The logit of a counter's probability. */
export function stretch(p) {
  const q = (Math.floor(p / 16) + 0.5) / 4096;
  return mul(sub(log2(q), log2(1 - q)), LN2);
}

/** The logit that a distribution of scale t and mean g gives a decision. */
export function distribution(t, g, decision, k = 0) {
  const S = exp(mul(t - 12, mul(0.25, LN2)));
  const F = (g + 0.5) / 16 - 0.5;
  const A = div(1, add(1, exp(div(sub(0.5, F), S))));
  const B = div(1, add(1, exp(div(add(0.5, F), S))));
  if (decision === 'zero') return limit(sub(ln(sub(sub(1, A), B)), ln(add(A, B))));
  if (decision === 'positive') return limit(sub(ln(A), ln(B)));
  const low = 2 ** Math.min(k, decision === 'beyond' ? 9 : 8);
  const u = exp(div(-sub(sub(low, 0.5), F), S));
  const width = div(low, S);
  const half = Math.min(mul(0.5, width), 15);
  if (decision === 'beyond') return limit(sub(ln(add(1, u)), ln(sub(exp(Math.min(width, 30)), 1))));
  return limit(sub(add(half, ln(add(1, u))), ln(add(u, exp(mul(2, half))))));
}
