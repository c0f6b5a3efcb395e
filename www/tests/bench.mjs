// Speed and size, each beside its target: `cargo xtask bench` builds what is measured here and runs the criterion benches first.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { perform } from '../../target/node/snapshot_web.js';
import { args, executablePath } from './chromium.mjs';
import { median, tickRows } from './ticks.mjs';

const budgets = JSON.parse(readFileSync('budgets.json', 'utf8'))['first load, kB of Brotli'];

/**
 * What was measured, or in words why it was not.
 * @typedef {{ what: string, unit: string, atMost: number, measured: number | string }} Row
 */

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}

/**
 * Criterion's median of a benchmark of the codec.
 * @param {string} name
 */
function criterionUs(name) {
  const folder = process.env['CRITERION_HOME'] ?? 'target/criterion';
  try {
    const file = filesBelow(folder).find((path) => path.endsWith(join(name, 'new', 'estimates.json')));
    if (file) return JSON.parse(readFileSync(file, 'utf8')).median.point_estimate / 1000;
  } catch {
    // There is no folder where no benchmark ran.
  }
  return 'needs the captures in ../shared/data';
}

/**
 * A packet of the captured `mixed`, encoded and decoded, class chained where there is one.
 * @returns {Promise<Row[]>}
 */
async function codecRows() {
  const rows = [];
  for (const [rung, encodeUs, decodeUs] of /** @type {const} */ ([
    ['changed-flags', 30, 15],
    ['arithmetic', 100, 100],
    ['predicted', 700, 700],
  ])) {
    for (const [direction, atMost] of /** @type {const} */ ([
      ['encode', encodeUs],
      ['decode', decodeUs],
    ])) {
      const measured = await attempt(() => criterionUs(join(rung, direction)));
      rows.push({ what: `${direction}, ${rung}`, unit: 'us', atMost, measured });
    }
  }
  return rows;
}

/** What the page's own judge says in wasm of the codec that takes longest: its times are means. */
function verdictInWasm() {
  /** @type {import('../../target/node/snapshot_web.js').ChallengeVerdict[]} */
  let verdicts = [];
  perform('challenge', [readFileSync('../shared/data/mixed.bin.xz')], (told) => {
    if ('contested' in told) ({ verdicts } = told.contested);
  });
  const verdict = verdicts.find((one) => one.codec === 'predicted' && one.class === 'chained');
  if (verdict === undefined) throw new Error('predicted is not judged');
  return verdict;
}

function wasmKb() {
  const wasm = filesBelow('dist').filter((path) => path.endsWith('.wasm'));
  return wasm.reduce((sum, path) => sum + brotliCompressSync(readFileSync(path)).length, 0) / 1000;
}

/**
 * From opening the page with nothing cached until it says that it is ready.
 * @param {import('@playwright/test').Browser} browser
 * @param {string} address
 */
async function readyMs(browser, address) {
  const times = [];
  for (let run = 0; run < 5; run += 1) {
    const page = await browser.newPage();
    await page.goto(address);
    const ready = await page.waitForFunction(() => 'ready' in document.documentElement.dataset && performance.now());
    times.push(Number(await ready.jsonValue()));
    await page.close();
  }
  return median(times);
}

/** What may take time beside the views: lane B, and each figure that works on its own. */
const FIGURES = [
  { what: 'CPU of a page frame', link: '', atMost: 8 },
  { what: 'the same, B and ladder', link: '#b.codec=predicted&show=ladder', atMost: 12 },
  { what: 'the same, B and comparison', link: '#b.codec=predicted&show=compare', atMost: 12 },
  { what: 'the same, B and packets', link: '#codec=predicted&b.interp=hermite&cube=0&show=packets', atMost: 12 },
];
/** Stretches of a measurement, of which the middle one counts, and how long each is. */
const STRETCHES = 20;
const STRETCH_MS = 500;

/**
 * CPU time of the page's own thread for a frame: ticks, figures and draw calls. Drawing itself is another process's, here in
 * software; the window is small so that it keeps up.
 * @param {import('@playwright/test').Browser} browser
 * @param {string} address
 * @param {string} link
 */
async function frameMs(browser, address, link) {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  await page.goto(address + link);
  await page.waitForTimeout(4000);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyS = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
  };
  const times = [];
  let frames = 0;
  for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
    const before = await busyS();
    const drawn = await page.evaluate(async (ms) => {
      const end = performance.now() + ms;
      let count = 0;
      for (; performance.now() < end; count += 1) await new Promise(requestAnimationFrame);
      return count;
    }, STRETCH_MS);
    times.push((((await busyS()) - before) * 1000) / drawn);
    frames += drawn;
  }
  await page.close();
  console.log(`${link === '' ? 'The page' : link} drew ${(frames / ((STRETCHES * STRETCH_MS) / 1000)).toFixed(0)} frames a second.`);
  return median(times);
}

/** @returns {Promise<Row[]>} */
async function frameRows() {
  const rows = [];
  for (const { what, link, atMost } of FIGURES) rows.push({ what, unit: 'ms', atMost, measured: await attempt(() => frameMs(browser, address, link)) });
  return rows;
}

/**
 * Nothing that fails to be measured keeps the rest from being shown.
 * @param {() => number | string | Promise<number | string>} measure
 */
async function attempt(measure) {
  try {
    return await measure();
  } catch (error) {
    return String(error).split('\n')[0] ?? '';
  }
}

const server = await preview({ preview: { port: 0 } });
const address = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath, args });

/** @type {Row[]} */
const rows = [
  ...(await Promise.all(tickRows.map(async ({ measure, ...row }) => ({ ...row, measured: await attempt(measure) })))),
  ...(await frameRows()),
  ...(await codecRows()),
  { what: 'encode, predicted, in wasm', unit: 'us', atMost: 1500, measured: await attempt(() => verdictInWasm().encode_us) },
  { what: 'decode, predicted, in wasm', unit: 'us', atMost: 1500, measured: await attempt(() => verdictInWasm().decode_us) },
  { what: 'wasm, brotli', unit: 'kB', atMost: budgets.wasm, measured: await attempt(wasmKb) },
  { what: 'page usable after opening', unit: 'ms', atMost: 2000, measured: await attempt(() => readyMs(browser, address)) },
];
await browser.close();
await server.close();

console.log(`\n${'what'.padEnd(36)}${'target'.padStart(10)}${'measured'.padStart(12)}`);
for (const { what, unit, atMost, measured } of rows) {
  const found =
    typeof measured === 'string'
      ? `  not measured: ${measured}`
      : `${measured.toFixed(measured < 100 ? 1 : 0)} ${unit}`.padStart(12) + (measured > atMost ? '  missed' : '');
  console.log(`${what.padEnd(36)}${`<= ${atMost} ${unit}`.padStart(10)}${found}`);
}
