// What a tick, a codec and the page's figures cost, as multiples of a fixed piece of work in the same run: more than a third beyond
// `budgets.json` fails. The wasm may weigh what is written there. `UPDATE=1 node --test crate/web/tests/budget.test.mjs` writes the file anew.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { Page } from '../../../target/node/snapshot_web.js';

const FILE = 'crate/web/tests/budgets.json';
/** The budget of the wasm, which the benchmarks of the page read too. */
const WASM = 'wasm, brotli, at most kB';
const MOST = 4 / 3;
/** A machine that others use too: what is too slow is measured again before it fails. */
const TRIES = 4;
const ROUNDS = 3;
const TICKS = 120;

/** Some 10 ms of the kind of work that the lab does: floats and integers over arrays that fit the cache. */
function fixedWork() {
  const values = new Float32Array(4096).map((_, i) => i * 0.37);
  let state = 1;
  for (let round = 0; round < 600; round += 1) {
    for (let i = 0; i < values.length; i += 1) {
      state = Math.imul(state ^ (state << 13), 1_664_525) + 1;
      values[i] = (values[i] ?? 0) * 0.999 + (state & 255) * 0.001;
    }
  }
  return values[7];
}

/**
 * Time in ms of the fastest of some rounds: what else the machine does only ever adds.
 * @param {() => unknown} work
 */
function fastest(work) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** @param {string} link */
function played(link) {
  const page = new Page(link);
  for (let tick = 0; tick < TICKS; tick += 1) page.tick(0);
  return page;
}

/**
 * A new track of the whole tape, by going to another loss and back.
 * @param {Page} page
 */
function remake(page) {
  page.set('a', 'loss', '2');
  while (page.work(1000));
  page.set('a', 'loss', '1');
  while (page.work(1000));
}

/** @type {Record<string, () => () => void>} */
const pieces = {
  /** World and lane of a ball of cubes. */
  'ticks of katamari': () => {
    const page = new Page('#scene=katamari&hz=60');
    return () => {
      page.restart();
      for (let tick = 0; tick < TICKS; tick += 1) page.tick(0);
    };
  },
  'tracks of changed-flags': () => {
    const page = played('#scene=katamari&hz=60');
    return () => remake(page);
  },
  'tracks of predicted': () => {
    const page = played('#scene=katamari&hz=60&codec=predicted');
    return () => remake(page);
  },
  'tracks of state synchronisation': () => {
    const page = played('#scene=katamari&strategy=sync');
    return () => remake(page);
  },
  /** What the page reads ten times a second. */
  figures: () => {
    const page = played('#scene=katamari&hz=60');
    return () => {
      for (let i = 0; i < 400; i += 1) {
        page.now();
        page.recent('a', ['kbps', 'position_error_mm.rms', 'position_error_mm.max'], 30);
        page.permalink(true);
      }
    };
  },
};

/** @param {string} name */
function measure(name) {
  const work = /** @type {() => () => void} */ (pieces[name])();
  work();
  // By turns, so that both meet the same machine.
  const ratios = [];
  for (let i = 0; i < 2; i += 1) ratios.push(fastest(work) / fastest(fixedWork));
  return Math.min(...ratios);
}

function weigh() {
  return brotliCompressSync(readFileSync('pkg/snapshot_web_bg.wasm'), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length / 1000;
}

if (process.env['UPDATE'] === '1') {
  const budgets = Object.fromEntries(Object.keys(pieces).map((name) => [name, Number(measure(name).toPrecision(3))]));
  const { [WASM]: most } = JSON.parse(readFileSync(FILE, 'utf8'));
  writeFileSync(FILE, `${JSON.stringify({ [WASM]: most, ...budgets }, null, 2)}\n`);
}
const budgets = JSON.parse(readFileSync(FILE, 'utf8'));

test('every piece has a budget', () => {
  assert.deepEqual(Object.keys(budgets), [WASM, ...Object.keys(pieces)]);
});

test('the wasm weighs what it may', () => {
  const kB = weigh();
  assert.ok(kB <= budgets[WASM], `${kB} kB`);
});

for (const name of Object.keys(pieces)) {
  test(`${name} take no more than they may`, () => {
    let best = Infinity;
    for (let i = 0; i < TRIES && best > MOST * budgets[name]; i += 1) best = Math.min(best, measure(name));
    console.log(`${name}: ${best.toFixed(2)} times the fixed work, of ${budgets[name]}`);
    assert.ok(best <= MOST * budgets[name], `${name}: ${best.toFixed(2)} times the fixed work; it was ${budgets[name]}`);
  });
}
