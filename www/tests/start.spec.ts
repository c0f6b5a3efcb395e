// The start on slow ways, from broken hosts and in old browsers: progress from the first second, and sentences with advice.

import { readFileSync } from 'node:fs';
import type { Page, Route } from '@playwright/test';
import { expect, open, test } from './page';

test.use({ views: 'none', desk: '' });

const alert = (page: Page) => page.getByRole('alert').filter({ visible: true });

test('on 400 kbit/s with 400 ms the bytes are told as they come, and nothing untrue @apart', async ({ page }) => {
  test.setTimeout(240_000);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 });
  const start = Date.now();
  await page.goto('./', { waitUntil: 'commit' });
  const seen: string[] = [];
  const firstMs: Record<string, number> = {};
  const bar = page.locator('.starting');
  while (!(await page.evaluate(() => document.documentElement.hasAttribute('data-ready')))) {
    if (await bar.isVisible()) firstMs['bar'] ??= Date.now() - start;
    const words = (await bar.textContent({ timeout: 1000 }).catch(() => '')) ?? '';
    if (/^\d\.\d of \d\.\d MB/.test(words) && seen.at(-1) !== words) {
      firstMs['bytes'] ??= Date.now() - start;
      seen.push(words);
    }
    const isPainted = await page.evaluate(() => performance.getEntriesByName('first-paint').length > 0);
    if (isPainted) expect(await alert(page).count(), words).toBe(0);
    await page.waitForTimeout(200);
  }
  console.log(firstMs, seen.length, seen.at(0), seen.at(-1), `ready after ${Date.now() - start} ms`);
  expect(firstMs['bar']).toBeLessThan(4500);
  expect(firstMs['bytes']).toBeLessThan(9000);
  expect(seen.length).toBeGreaterThan(15);
  await expect(bar).toBeHidden();
});

const wasm = (): Buffer => readFileSync('pkg/snapshot_web_bg.wasm');
const served = (route: Route, body: Buffer): Promise<void> => route.fulfill({ contentType: 'application/wasm', body });

const faults: readonly [string, RegExp, (route: Route) => Promise<void>][] = [
  ['a file that is cut', /only 1\.0 of the simulation’s \d\.\d MB arrived\. See to the connection/, (route) => served(route, wasm().subarray(0, 1_000_000))],
  ['a damaged file', /file is damaged\. Reload/, (route) => served(route, wasm().fill(0xff, 500_000, 500_100))],
  ['404', /the host answers 404 .* reload the page/, (route) => route.fulfill({ status: 404, body: 'none' })],
  ['a dropped connection', /only 0\.0 of .* See to the connection/, (route) => route.abort('connectionreset')],
];

test.describe('says what is wrong, and what helps, after', () => {
  test.use({ expectedError: /./ });

  for (const [name, said, answer] of faults) {
    test(`${name} @apart`, async ({ page }) => {
      await page.route('**/*.wasm', answer);
      await page.goto('./');
      await expect(alert(page)).toContainText(said);
      await expect(page.locator('.starting')).toHaveCount(0);
      await expect(alert(page)).toHaveCount(1);
    });
  }

  test('a script that does not come @apart', async ({ page }) => {
    await page.route('**/app-*.js', (route) => route.abort());
    await page.goto('./');
    await expect(alert(page)).toContainText('a script of the page could not be loaded');
  });

  test('an old browser without SIMD @apart', async ({ page }) => {
    await page.addInitScript(() => {
      WebAssembly.validate = () => false;
    });
    await page.goto('./');
    await expect(alert(page)).toContainText(/has no SIMD.* Take a newer one: Chrome/);
  });
});

test('a network that changes on the way is asked again @apart', async ({ page }) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = () => {
      window.fetch = fetch;
      return Promise.reject(new TypeError('Failed to fetch'));
    };
  });
  await page.goto('./');
  await page.waitForSelector('html[data-ready]');
});

test('without JavaScript one sentence says so, at the top @apart', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) });
  const page = await context.newPage();
  await page.goto('./');
  const sentence = page.locator('noscript .failure');
  await expect(sentence).toBeInViewport();
  await expect(page.locator('.starting')).toBeHidden();
  await page.waitForTimeout(13_000);
  await expect(page.locator('.unstarted')).toBeHidden();
  await context.close();
});

test('an ordinary start shows the bar no longer than the page is away @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await expect(page.locator('.starting')).toBeHidden();
});
