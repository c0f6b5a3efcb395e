// The numbers of rungs 13 and 14 (FORMAT.md, section 15, "A number").

import { add, clamp, mul, sub } from './geometry.mjs';
import { C } from './probability.mjs';

/** A number of a mean and the log2 of a scale, the n-th of its cube; `error` is the kept one, `before` that of the number before. */
export function readNumber({ coder, learned, tables }, mean, s, n, errorClass, error, before) {
  const m = clamp(mean, -60_000, 60_000);
  const nearest = Math.trunc(add(m, 65_536.5)) - 65_536;
  const d = sub(m, nearest);
  const t = clamp(Math.trunc(add(mul(s, 4), 12.5)), learned.start.leastScale ?? 0, 47);
  const f = Math.min(7, Math.trunc(mul(Math.abs(d), 16)));
  const A = t < 8 ? 0 : t < 16 ? 1 : 2;
  const k = [0, 0, 1, 2, 2, 2][n];
  const rows = [t < 16 ? 8 * t + f : 112 + t, 160 + 8 * Math.floor(t / 2) + errorClass];
  const E = Math.min(7, Math.trunc(error)) + 8 * Math.min(1, Math.floor(C(before, 3) / 2));
  const places = [(t & ~1) | Number(f >= 4), 48 + 16 * A + E];
  const set = 3 * k + A;
  const of = rows.map((row) => tables.kinds[k][row]);
  const names = places.map((place) => `${k} ${place}`);
  const residual = readResidual(coder, learned.escapes[A], A, learned.mixed(coder, set, tables.weights[set], of, names));
  return nearest + (d < 0 ? -residual : residual);
}

/** A number of a flight, by the mean of its filter. */
export function readFlown({ coder, learned }, flight, which, mean) {
  const m = clamp(mean, -60_000, 60_000);
  const nearest = Math.trunc(add(m, 65_536.5)) - 65_536;
  const d = sub(m, nearest);
  const residual = readResidual(coder, learned.escapes[0], 0, coder.symbol(learned.flown(flight.placeOf(which, d))));
  return nearest + (d < 0 ? -residual : residual);
}

/** The residual of a class of an alphabet. */
function readResidual(coder, escapes, A, s) {
  if (s === 0) return 0;
  if (s === 15) {
    const symbol = coder.symbol(escapes);
    const e = symbol === 15 ? 15 + coder.u(4) : symbol;
    const negative = coder.flag();
    const size = [7, 15, 255][A] + 2 ** e + coder.u(e);
    return negative ? -size : size;
  }
  const [from, bits] = sizeOf(A, A === 2 ? s : Math.floor((s + 1) / 2));
  if (A < 2) {
    const size = from + coder.u(bits);
    return s % 2 === 1 ? size : -size;
  }
  const below = coder.u(bits + 1);
  return below < 2 ** bits ? from + below : -(from + below - 2 ** bits);
}

/** Least size of a size class of an alphabet, and the bits below. */
function sizeOf(A, size) {
  if (size < 4 || A === 0) return [size, 0];
  if (A === 1) return size < 6 ? [2 * size - 4, 1] : [4 * size - 16, 2];
  if (size === 14) return [128, 7];
  const bits = Math.floor(size / 2) - 1;
  return [(2 + (size % 2)) * 2 ** bits, bits];
}
