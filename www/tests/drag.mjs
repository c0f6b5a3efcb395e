// Times of a drag: from a slider's value to the figure that it makes, and to the view. `node www/tests/drag.mjs` after `cargo xtask build`.

import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { args, executablePath } from './chromium.mjs';
import { median } from './ticks.mjs';

/** Drags that are measured: the rungs with the largest packets and the usual ones, with a full tape. */
const DRAGS = [
  { what: 'rung 0, paused', link: '#v=2&codec=uncompressed&scene=katamari&at=1800' },
  { what: 'rung 0, playing', link: '#v=2&codec=uncompressed&scene=katamari&at=1800', plays: true },
  { what: 'rung 11, paused', link: '#v=2&scene=katamari&at=1800' },
  { what: 'rung 11, playing', link: '#v=2&scene=katamari&at=1800', plays: true },
];
/** From a drag's pixel to a new figure, and to the changed view, ms. */
const FIGURE_MS = 100;
const VIEW_MS = 250;
/** Values that are dragged over, up and down again. Each is of whole ticks, so that it shows in the age to the millisecond. */
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8].map((step) => step * 50);
const ROUNDS = 3;
const STEP_MS = 30;

/**
 * Drags the latency, which is a part of the age that the view's caption tells, and returns the ms from each value that was shown to its figure and to
 * its picture. A value that another one has overtaken is not shown.
 * @param {{ values: number[], stepMs: number }} drag
 */
async function drag({ values, stepMs }) {
  const slider = /** @type {HTMLInputElement} */ (document.querySelector('.control:has(#latency) input[type=range]'));
  const caption = [...document.querySelectorAll('.effect b')].find((element) => / ms late/.test(element.textContent ?? ''));
  if (caption === undefined) throw new Error('no caption tells the age');
  const age = () => Number(/(\d+) ms late/.exec(caption.textContent ?? '')?.[1]);
  /** @param {number} ms */
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let drawnAt = 0;
  for (const call of /** @type {const} */ (['drawArraysInstanced', 'drawElementsInstanced'])) {
    const own = WebGL2RenderingContext.prototype[call];
    WebGL2RenderingContext.prototype[call] = /** @type {any} */ (
      /** @this {WebGL2RenderingContext} @param {unknown[]} all */ function (...all) {
        drawnAt = performance.now();
        return Reflect.apply(own, this, all);
      }
    );
  }
  /** @type {Map<number, number>} */
  const draggedAt = new Map();
  const others = age() - Number(slider.value);
  /** @type {{ figureMs: number, viewMs: number }[]} */
  const times = [];
  let last = age();
  let goesOn = true;
  /** @type {Promise<void>[]} */
  const pictures = [];
  const watch = (async () => {
    const channel = new MessageChannel();
    for (; goesOn; ) {
      // After each task of the page.
      await new Promise((resolve) => {
        channel.port1.onmessage = resolve;
        channel.port2.postMessage(0);
      });
      const now = age();
      if (now === last) continue;
      last = now;
      const nearest = [...draggedAt].find(([value]) => Math.abs(value + others - now) < 10);
      if (nearest === undefined) continue;
      const figureAt = performance.now();
      pictures.push(
        (async () => {
          while (drawnAt < nearest[1]) await wait(1);
          await new Promise((resolve) => requestAnimationFrame(resolve));
          times.push({ figureMs: figureAt - nearest[1], viewMs: performance.now() - nearest[1] });
        })(),
      );
    }
  })();
  for (const value of values) {
    slider.value = String(value);
    draggedAt.set(value, performance.now());
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    await wait(stepMs);
  }
  slider.dispatchEvent(new Event('change', { bubbles: true }));
  await wait(1500);
  goesOn = false;
  await Promise.all([watch, ...pictures]);
  return times;
}

/**
 * The median times of each drag.
 * @param {import('@playwright/test').Browser} browser
 * @param {string} address
 */
export async function dragTimes(browser, address) {
  const rows = [];
  const values = Array.from({ length: ROUNDS }, () => [...VALUES, ...VALUES.slice(1, -1).toReversed()]).flat();
  for (const { what, link, plays } of DRAGS) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(address + link);
    await page.locator('html[data-ready]').waitFor();
    await page.locator('lab-timeline .making').waitFor({ state: 'detached', timeout: 120_000 });
    if (plays) await page.getByRole('button', { name: 'Play', exact: true }).first().click();
    await page.waitForTimeout(1500);
    const times = await page.evaluate(drag, { values, stepMs: STEP_MS });
    rows.push({ what, shown: times.length, figureMs: median(times.map((time) => time.figureMs)), viewMs: median(times.map((time) => time.viewMs)) });
    await page.close();
  }
  return rows;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const server = await preview({ preview: { port: 0 } });
  const browser = await chromium.launch({ executablePath, args });
  console.log(`${'drag'.padEnd(20)}${'shown'.padStart(8)}${`figure <= ${FIGURE_MS} ms`.padStart(20)}${`view <= ${VIEW_MS} ms`.padStart(20)}`);
  for (const { what, shown, figureMs, viewMs } of await dragTimes(browser, server.resolvedUrls?.local[0] ?? '')) {
    console.log(`${what.padEnd(20)}${String(shown).padStart(8)}${figureMs.toFixed(0).padStart(20)}${viewMs.toFixed(0).padStart(20)}`);
  }
  await browser.close();
  await server.close();
}
