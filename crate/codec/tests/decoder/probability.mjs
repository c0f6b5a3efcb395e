// Logarithms and shares of rung 13 (FORMAT.md, sections 13 and 15).

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
/** The exponent of 1 + |x|. */
export const C = (x, top) => Math.min((bitsOfFloat(add(1, Math.abs(x))) >>> 23) - 127, top);

export function exp2(t) {
  const w = Math.trunc(add(t, 128.5)) - 128;
  const f = mul(sub(t, w), LN2);
  const series = [1, 1, 1 / 2, 1 / 6, 1 / 24].map(f32).reduceRight((sum, c) => add(c, mul(f, sum)));
  return mul(series, 2 ** w);
}

export const exp = (x) => exp2(mul(clamp(x, -80, 80), LOG2E));

/** The nearest integer, of two the even one. */
export function roundToEven(x) {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** 15 ends out of 32,768 of shares. */
export function endsOf(shares) {
  const by = div(32_672, shares.reduce(add, 0));
  let end = 0;
  return Array.from({ length: 15 }, (_, i) => {
    end += Math.trunc(mul(shares[i] ?? 0, by)) + 6;
    return end;
  });
}
