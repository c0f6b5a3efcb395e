// Time of a tick in wasm, the world and a lane, for the strategies and the rungs that cost most.

import { Page } from '../../target/node/snapshot_web.js';

/** A round trip of 100 ms, with a rival that corrects what was predicted. */
const HAND = 'strategy=game&rival=script&latency=50&loss=1';

/**
 * Lanes, and what a tick of each may take: at 60 packets a second, where not said otherwise, with the left world alone, or with two worlds. Rung 14
 * simulates in some ticks and not in others: the mean of all is what counts.
 * @type {{ lane: string, link: string, atMost: number, hz?: number, of?: (values: number[]) => number }[]}
 */
const lanes = [
  { lane: 'rung 11', link: '', atMost: 4 },
  { lane: 'rung 12', link: 'codec=arithmetic', atMost: 4 },
  { lane: 'rung 13', link: 'codec=predicted', atMost: 4 },
  { lane: 'rung 13, A and B', link: 'codec=predicted&b.interp=hermite', atMost: 6 },
  { lane: 'rung 14, 10/s', link: 'codec=simulated', hz: 10, of: mean, atMost: 8 },
  { lane: 'rung 14, 20/s', link: 'codec=simulated', hz: 20, of: mean, atMost: 8 },
  { lane: 'state sync', link: 'strategy=sync', atMost: 8 },
  { lane: 'sync, compressed', link: 'strategy=sync&rel=1&delta=1&rest=1', atMost: 8 },
  { lane: 'lockstep', link: 'strategy=lockstep', atMost: 8 },
  { lane: 'hand, touch, p99', link: HAND, hz: 20, of: p99, atMost: 16.7 },
  // No limit is set for what simulates 901 cubes ahead of the server: this is what it took.
  { lane: 'hand, all, p99', link: `${HAND}&predict=all`, hz: 20, of: p99, atMost: 40 },
];

/** A ball has that many cubes after 25 s, and hardly grows beyond. */
const GATHERED = 150;
const TICKS_MEASURED = 600;

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** @param {number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {number[]} values */
function p99(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN;
}

/**
 * Median ms, or what else is asked of them, over ten seconds of ticks, in each of which so many cubes at least were gathered.
 * @param {string} link
 */
function tickMs(link, hz = 60, of = median) {
  const page = new Page(`#scene=katamari&hz=${hz}&${link}`);
  const times = [];
  let most = 0;
  for (let tick = 0, gathered = 0; tick < 60 * 120 && times.length < TICKS_MEASURED; tick += 1) {
    const start = performance.now();
    page.tick(0, false);
    const time = performance.now() - start;
    if (tick % 10 === 0) {
      gathered = page.ask({ shown: { reach: 'instant' } }).now?.a.interacting_cubes ?? 0;
      most = Math.max(most, gathered);
    }
    if (gathered >= GATHERED) times.push(time);
  }
  page.free();
  return times.length === TICKS_MEASURED ? of(times) : `only ${most} cubes were gathered within two minutes`;
}

/** For each lane how to measure a row of the table. */
export const tickRows = lanes.map(({ lane, link, atMost, hz, of }) => ({
  what: `tick in wasm, ${lane}`,
  unit: 'ms',
  atMost,
  measure: () => tickMs(link, hz, of),
}));
