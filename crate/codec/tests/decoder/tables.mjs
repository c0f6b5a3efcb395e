// The tables of rungs 13 and 14 (FORMAT.md, sections 15 and 18).

import { readFileSync } from 'node:fs';
import { add, div, mul, sub } from './geometry.mjs';
import { log2 } from './probability.mjs';

const DISTANCES = [1, 3, 6, 16, 48];
const FOLDER = new URL('../../src/model/', import.meta.url);

const read = new Map();

/** The tables of a file, as "predicted/strict": rows and mixes by distance, logits of numbers by kind and of flags. */
export function tablesOf(name) {
  if (!read.has(name)) {
    const distances = name.startsWith('predicted/') ? DISTANCES.length : 1;
    read.set(name, parse(readFileSync(new URL(`${name}.tables`, FOLDER)), distances));
  }
  return read.get(name);
}

function parse(bytes, distanceCount) {
  let at = 0;
  const rows = (count, width) =>
    Array.from({ length: count }, () =>
      Array.from({ length: width }, () => {
        at += 2;
        return bytes.readInt16LE(at - 2) / 1024;
      }),
    );
  const logits = (count, width) =>
    Array.from({ length: count }, () =>
      Array.from({ length: width }, () => {
        at += 1;
        return bytes.readInt8(at - 1) / 8;
      }),
    );
  const distances = Array.from({ length: distanceCount }, () => ({ rows: rows(176, 16), mixes: rows(144, 6) }));
  const kinds = [0, 1, 2].map(() => [24 * distanceCount, 32, 64, 96].map((contexts) => logits(contexts, 20)));
  const flags = [0, 1, 2, 3, 4, 5].map(() => logits(4, 512));
  if (at !== bytes.length) throw new Error(`${bytes.length} bytes of tables, not ${at}`);
  return { distances, kinds, flags };
}

/** Coefficients and weights of a packet of so many ticks, and the nearest distance. */
export function blended(tables, packetTicks) {
  if (tables.distances.length === 1) return { ...tables.distances[0], nearest: 0 };
  const t = Math.min(Math.max(packetTicks, 1), 48);
  const far = DISTANCES.findIndex((distance, i) => i > 0 && distance >= t);
  const [fromLog, toLog] = [DISTANCES[far - 1], DISTANCES[far]].map((distance) => log2(distance));
  const part = div(sub(log2(t), fromLog), sub(toLog, fromLog));
  const [near, beyond] = [tables.distances[far - 1], tables.distances[far]];
  const blend = (from, to) => from.map((row, i) => row.map((c, j) => add(c, mul(sub(to[i][j], c), part))));
  return {
    rows: blend(near.rows, beyond.rows),
    mixes: blend(near.mixes, beyond.mixes),
    nearest: part < 0.5 ? far - 1 : far,
  };
}
