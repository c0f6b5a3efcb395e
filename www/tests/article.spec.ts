// The article in a browser: what runs when, without a script or motion, on the whole screen, and on another site's page.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { FIGURES } from '../article/figures';
import { expect, test, violations } from './page';

const figure = (page: Page, id: string) => page.locator(`snapshot-figure#${id}`);
const tick = async (page: Page, id: string): Promise<number> => Number((await figure(page, id).getAttribute('data-tick')) ?? -1);
const see = (page: Page, id: string) =>
  figure(page, id)
    .locator('.stage')
    .evaluate((stage) => stage.scrollIntoView({ block: 'center' }));

test('a figure runs by itself while it is in sight, and rests with its picture elsewhere', async ({ page }) => {
  await page.goto('./article/');
  await expect.poll(() => tick(page, 'seam'), { timeout: 30_000 }).toBeGreaterThan(3);
  await see(page, 'rate');
  await expect.poll(() => tick(page, 'rate'), { timeout: 30_000 }).toBeGreaterThan(3);
  const rests = await tick(page, 'seam');
  const ran = await tick(page, 'rate');
  await expect.poll(() => tick(page, 'rate')).toBeGreaterThan(ran + 5);
  expect(await tick(page, 'seam')).toBe(rests);
  // Its picture is drawn, and is not one colour.
  const colours = await figure(page, 'rate')
    .locator('canvas.picture')
    .evaluate((canvas: HTMLCanvasElement) => {
      const copy = new OffscreenCanvas(64, 32).getContext('2d') as OffscreenCanvasRenderingContext2D;
      copy.drawImage(canvas, 0, 0, 64, 32);
      return new Set(new Uint32Array(copy.getImageData(0, 0, 64, 32).data.buffer)).size;
    });
  expect(colours).toBeGreaterThan(50);
});

test('keys play, pause and move the control, and the link follows', async ({ page }) => {
  await page.goto('./article/#rate');
  await see(page, 'rate');
  const slider = figure(page, 'rate').getByRole('slider', { name: 'Snapshots' });
  await slider.focus();
  await expect.poll(() => tick(page, 'rate'), { timeout: 30_000 }).toBeGreaterThan(3);
  await page.keyboard.press('Space');
  await expect(figure(page, 'rate').getByRole('button', { name: 'Play' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(figure(page, 'rate').locator('output')).toHaveText('20 a second');
  await expect(figure(page, 'rate').getByRole('link', { name: 'Open in the laboratory' })).toHaveAttribute('href', /&hz=20&/);
  // One stop of the Tab key a figure, and its link.
  await page.keyboard.press('Tab');
  await expect(figure(page, 'rate').getByRole('link')).toBeFocused();
});

test('presenting: the question stands alone, a key plays, the next goes on, Escape ends', async ({ page }) => {
  await page.goto('./article/');
  await see(page, 'seam');
  await figure(page, 'seam').getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('f');
  await expect(figure(page, 'seam')).toHaveAttribute('data-presented', 'asked');
  await expect(figure(page, 'seam').locator('.numbers')).toBeHidden();
  await page.keyboard.press('PageDown');
  await expect(figure(page, 'seam')).toHaveAttribute('data-presented', 'shown');
  const [number, window] = await figure(page, 'seam')
    .locator('data')
    .first()
    .evaluate((data) => [data.getBoundingClientRect().height, innerHeight]);
  expect(number ?? 0).toBeGreaterThanOrEqual((window ?? 0) * 0.099);
  await page.keyboard.press('ArrowRight');
  await expect(figure(page, 'snapshot')).toHaveAttribute('data-presented', 'asked');
  await expect(figure(page, 'seam')).not.toHaveAttribute('data-presented');
  const box = await figure(page, 'snapshot').evaluate((element) => [element.scrollHeight - innerHeight, element.scrollWidth - innerWidth]);
  expect(Math.max(...box)).toBeLessThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-presented]')).toHaveCount(0);
});

test('without motion a figure waits for a tap @apart', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./article/');
  await see(page, 'line');
  await expect(figure(page, 'line').locator('img')).toHaveJSProperty('complete', true);
  await expect(figure(page, 'line').getByRole('button', { name: 'Play' })).toBeVisible();
  expect(await tick(page, 'line')).toBe(-1);
  await figure(page, 'line').locator('.stage').click();
  await expect.poll(() => tick(page, 'line'), { timeout: 30_000 }).toBeGreaterThan(3);
});

test('where script is off the article is whole @apart', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) });
  const page = await context.newPage();
  await page.goto('./article/');
  for (const { id, numbers, question } of FIGURES) {
    await expect(figure(page, id).getByText(question)).toBeVisible();
    await figure(page, id).locator('img').scrollIntoViewIfNeeded();
    await expect
      .poll(() =>
        figure(page, id)
          .locator('img')
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(1000);
    for (const text of await figure(page, id).locator('data').allTextContents()) expect(text).toMatch(/^[\d,.]+$/);
    await expect(figure(page, id).locator('data')).toHaveCount(numbers.length);
  }
  await context.close();
});

test('the last figure is the laboratory, once somebody asks for it @apart', async ({ page }) => {
  await page.goto('./article/#lab');
  expect(page.frames()).toHaveLength(1);
  await figure(page, 'lab').getByRole('button', { name: 'Start the laboratory' }).click();
  await expect(page.frameLocator('#lab iframe').locator('.screen canvas')).toBeVisible({ timeout: 60_000 });
});

test('nothing leaps while the article loads @apart', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.set(window, 'shifts', 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) Reflect.set(window, 'shifts', Reflect.get(window, 'shifts') + Reflect.get(entry, 'value'));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('./article/');
  await expect.poll(() => tick(page, 'seam'), { timeout: 30_000 }).toBeGreaterThan(3);
  for (const { id, views } of FIGURES) {
    await see(page, id);
    if (views.length > 0) await expect.poll(() => tick(page, id), { timeout: 30_000 }).toBeGreaterThan(0);
  }
  expect(await page.evaluate(() => Reflect.get(window, 'shifts'))).toBeLessThan(0.02);
});

for (const [width, height, colorScheme] of [
  [1280, 800, 'light'],
  [390, 844, 'dark'],
] as const) {
  for (const name of ['', 'exercises.html']) {
    test.describe(`${name}, ${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height }, colorScheme });

      test('axe finds nothing, and nothing is wider than the screen @apart', async ({ page }) => {
        await page.goto(`./article/${name}`);
        if (name === '') await expect.poll(() => tick(page, 'seam'), { timeout: 30_000 }).toBeGreaterThan(3);
        expect(await violations(page)).toEqual([]);
        for (const wide of [360, 768, 1920, width]) {
          await page.setViewportSize({ width: wide, height });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(wide);
        }
      });
    });
  }
}

test.describe('on another site', () => {
  test.use({ expectedError: /^asked for http:\/\/127\.0\.0\.1|worker-src/ });

  for (const [policy, name, workers] of [
    ['worker-src blob: SITE', 'a Worker', 1],
    ["worker-src 'none'", 'no Worker', 0],
  ] as const) {
    test(`figures run under a strict policy with ${name}, share one engine, and no style leaks @apart`, async ({ page, baseURL }) => {
      const site = new URL('./', baseURL).origin;
      const body = `<!doctype html><html lang="en"><title>A blog</title>
        <style nonce="1">figure, .stage { display: none } snapshot-figure { max-width: 600px }</style>
        <h1>A blog</h1><snapshot-figure id="line"></snapshot-figure><p>Words.</p><snapshot-figure id="seam"></snapshot-figure>
        <script type="module" src="${new URL('./article/figure.js', baseURL).href}"></script></html>`;
      const rules = `default-src 'none'; script-src ${site} 'wasm-unsafe-eval'; img-src ${site}; connect-src ${site}; style-src 'nonce-1'; ${policy.replace('SITE', site)}`;
      // Another port is another origin.
      const blog = createServer((_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': rules }).end(body));
      await new Promise<void>((resolve) => blog.listen(0, '127.0.0.1', resolve));
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`http://127.0.0.1:${(blog.address() as AddressInfo).port}/`);
      for (const id of ['line', 'seam']) {
        await page.evaluate((id) => document.querySelector(`#${id}`)?.scrollIntoView({ block: 'center' }), id);
        await expect.poll(() => tick(page, id), { timeout: 40_000 }).toBeGreaterThan(3);
        await expect(figure(page, id).locator('.stage')).toBeVisible();
        await expect(figure(page, id).getByRole('link', { name: 'Open in the laboratory' })).toHaveAttribute('href', new RegExp(`^${site}/any/folder/#v=2`));
      }
      expect(page.workers()).toHaveLength(workers);
      for (const ending of ['.wasm', '.motion']) expect(asked.filter((path) => path.endsWith(ending))).toHaveLength(1);
      expect(await page.evaluate(() => document.adoptedStyleSheets.length + document.styleSheets.length)).toBe(1);
      blog.close();
    });
  }
});
