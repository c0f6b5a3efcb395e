// Numbers, vectors and quaternions in binary32 (FORMAT.md, section 13).

import { place } from './fields.mjs';

export const f32 = Math.fround;
export const add = (a, b) => f32(a + b);
export const sub = (a, b) => f32(a - b);
export const mul = (a, b) => f32(a * b);
export const div = (a, b) => f32(a / b);
export const sqrt = (a) => f32(Math.sqrt(a));
export const clamp = (value, min, max) => Math.min(Math.max(value, min), max);
const ROOT_HALF = f32(Math.SQRT1_2);

export const plus = (a, b) => a.map((c, i) => add(c, b[i]));
export const minus = (a, b) => a.map((c, i) => sub(c, b[i]));
export const times = (a, by) => a.map((c) => mul(c, by));
export const dot = (a, b) => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
export const length = (a) => sqrt(dot(a, a));

export const cross = ([ax, ay, az], [bx, by, bz]) => [sub(mul(ay, bz), mul(az, by)), sub(mul(az, bx), mul(ax, bz)), sub(mul(ax, by), mul(ay, bx))];

export const conj = ([x, y, z, w]) => [-x, -y, -z, w];

export function product([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    sub(add(add(mul(aw, bx), mul(ax, bw)), mul(ay, bz)), mul(az, by)),
    add(add(sub(mul(aw, by), mul(ax, bz)), mul(ay, bw)), mul(az, bx)),
    add(sub(add(mul(aw, bz), mul(ax, by)), mul(ay, bx)), mul(az, bw)),
    sub(sub(sub(mul(aw, bw), mul(ax, bx)), mul(ay, by)), mul(az, bz)),
  ];
}

/** What turns a into b. */
export function difference(a, b) {
  const [x, y, z, w] = product(b, conj(a));
  const by = w < 0 ? div(-4, sub(1, w)) : div(4, add(1, w));
  return times([x, y, z], by);
}

export function rotation(r) {
  const u = times(r, 0.25);
  const s = dot(u, u);
  const k = div(1, add(1, s));
  return [...u.map((c) => mul(mul(2, c), k)), mul(sub(1, s), k)];
}

export function turned([x, y, z, w], v) {
  const axis = [x, y, z];
  const t = times(cross(axis, v), 2);
  return plus(v, plus(times(t, w), cross(axis, t)));
}

export function support([x, y, z, w]) {
  const level = mul(2, sub(mul(x, z), mul(w, y)));
  const across = mul(2, add(mul(y, z), mul(w, x)));
  const up = sub(1, mul(2, add(mul(x, x), mul(y, y))));
  return add(add(Math.abs(level), Math.abs(across)), Math.abs(up));
}

/** M, S and Z of so many bits a component. */
export function scaleOf(M) {
  return { M, S: mul(M, ROOT_HALF), Z: mul(M, 0.5) };
}

/** R of section 15. */
export const R = mul(511, ROOT_HALF);

/** The quaternion of largest index and codes. */
export function quaternion({ S, Z }, [largest, ...codes]) {
  const parts = codes.map((code) => div(sub(code, Z), S));
  const left = parts.reduce((rest, part) => sub(rest, mul(part, part)), 1);
  const q = place(largest, parts, sqrt(Math.max(0, left)));
  const square = q.map((c) => mul(c, c)).reduce(add);
  return times(q, div(1, sqrt(square)));
}

/** The unit orientation of rung 12 (section 14). */
export function unit(scale, codes) {
  const [largest, ...parts] = [codes[0], ...codes.slice(1).map((code) => div(sub(code, scale.Z), scale.S))];
  const left = parts.reduce((rest, part) => sub(rest, mul(part, part)), 1);
  return left < 0 ? quaternion(scale, codes) : place(largest, parts, sqrt(left));
}

/** Components that are sent where one is the largest. */
export const slotsOf = (largest) => [0, 1, 2, 3].filter((j) => j !== largest);
