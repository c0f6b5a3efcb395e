// The tables of rungs 13 and 14 (FORMAT.md, sections 15 and 18).

import { readFileSync } from 'node:fs';
import { add, div, mul, sub } from './geometry.mjs';
import { endsOf, exp2, log2 } from './probability.mjs';

const DISTANCES = [1, 3, 6, 16, 48];
const FOLDER = new URL('../../src/model/', import.meta.url);

const read = new Map();

/** The tables of a file, as "predicted/strict". */
export function tablesOf(name) {
  if (!read.has(name)) {
    const distances = name.startsWith('predicted/') ? DISTANCES.length : 1;
    read.set(name, parse(name, readFileSync(new URL(`${name}.tables`, FOLDER)), distances));
  }
  return read.get(name);
}

function parse(name, bytes, distanceCount) {
  let at = 0;
  const list = (count, each) => Array.from({ length: count }, each);
  const next = (size, value) => {
    at += size;
    return value(at - size);
  };
  const byte = () => next(1, (from) => bytes.readUInt8(from));
  const logs = (count, classes) => list(count, () => list(classes, () => -byte() / 2));
  const ends = (rows) => rows.map((row) => endsOf(row.map(exp2)));
  const chances = (count) => list(count, () => exp2(-byte() / 16));
  const tables = {
    // By number, feature, situation and distance.
    stored: list(11, () => list(16, () => list(16, () => list(distanceCount, () => next(2, (from) => bytes.readInt16LE(from) / 1024))))),
    kinds: distanceCount > 1 ? list(3, () => ends(logs(352, 16))) : tablesOf(name.replace('simulated', 'predicted')).kinds,
    quietHappened: ends(logs(16, 8)),
    happened: [1024, 256, 256, 256].map((count) => logs(count, 8)),
    quiet: chances(3072),
    largest: chances(512),
    weights: list(9, () => {
      const four = list(4, byte);
      return four.map((value) =>
        div(
          value,
          four.reduce((sum, one) => sum + one),
        ),
      );
    }),
    powers: list(4, () => list(4, () => next(1, (from) => bytes.readInt8(from) / 32))),
  };
  if (at !== bytes.length) throw new Error(`${bytes.length} bytes of tables, not ${at}`);
  const row = (number, situation, distance) => tables.stored[number].map((feature) => feature[situation][distance]);
  tables.distances = list(distanceCount, (_, distance) => list(176, (__, r) => row(Math.floor(r / 16), r % 16, distance)));
  return tables;
}

/** Coefficients of a packet of so many ticks. */
export function blended(tables, packetTicks) {
  if (tables.distances.length === 1) return tables.distances[0];
  const t = Math.min(Math.max(packetTicks, 1), 48);
  const far = DISTANCES.findIndex((distance, i) => i > 0 && distance >= t);
  const [fromLog, toLog] = [DISTANCES[far - 1], DISTANCES[far]].map((distance) => log2(distance));
  const part = div(sub(log2(t), fromLog), sub(toLog, fromLog));
  const beyond = tables.distances[far];
  return tables.distances[far - 1].map((row, i) => row.map((c, j) => add(c, mul(sub(beyond[i][j], c), part))));
}
