// What all browser tests share: a page that must stay without errors and must ask nothing of other hosts.

import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { Contexts } from './contexts';

/**
 * Software spends most of a test's time on drawing. `drawn`: pixels are looked at. `blank`: canvas and layout are there, and
 * nothing is drawn. `none`: a browser without WebGL; the page then says so, and everything but the views goes on.
 */
type Views = 'drawn' | 'blank' | 'none';

interface Fixtures {
  /** The one error that a test causes on purpose. */
  expectedError: RegExp | undefined;
  /** The part of the views that a test needs. */
  views: Views;
  /** The parts of the desk that the visit before left open; '' begins with the front. */
  desk: string;
  quiet: void;
}

export const test = base.extend<Fixtures, { contexts: Contexts }>({
  contexts: [
    async ({ browser }, use) => {
      const contexts = new Contexts(browser);
      await use(contexts);
      await contexts.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ contexts, baseURL, hasTouch, isMobile, serviceWorkers }, use) => {
    // Size and theme belong to a page: so contexts are few.
    const context = await contexts.of({ baseURL, hasTouch, isMobile, serviceWorkers });
    await use(context);
    await contexts.leave(context);
  },
  page: async ({ context, viewport, colorScheme, contextOptions: { reducedMotion = 'no-preference' } }, use) => {
    const page = await context.newPage();
    if (viewport !== null) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion });
    await use(page);
  },
  expectedError: [undefined, { option: true }],
  views: ['blank', { option: true }],
  desk: ['settings figures', { option: true }],
  quiet: [
    async ({ page, context, baseURL, expectedError, views, desk }, use) => {
      const prepare = async (page: Page): Promise<void> => {
        await page.addInitScript(leaveDesk, desk);
        if (process.env['LETTERS'] === 'wide') await page.addInitScript(withWideLetters);
        if (views !== 'drawn') await page.addInitScript(views === 'none' ? withoutWebGl : withoutDrawing);
      };
      await prepare(page);
      // A second page of the test's own, too.
      context.on('page', prepare);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol !== 'blob:' && origin !== new URL(baseURL ?? '').origin) complaints.push(`asked for ${request.url()}`);
      });
      await use();
      context.off('page', prepare);
      expect(complaints.filter((complaint) => expectedError?.test(complaint) !== true)).toEqual([]);
    },
    { auto: true },
  ],
});

/** Remembers an open desk, unless the test has changed it. */
function leaveDesk(desk: string): void {
  try {
    if (localStorage.getItem('desk') === null) localStorage.setItem('desk', desk);
  } catch {
    // A frame without an origin stores nothing.
  }
}

/** Makes all letters 15 % wider, as those of another font: half an em is their usual width. */
function withWideLetters(): void {
  document.addEventListener('DOMContentLoaded', () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { letter-spacing: 0.075em !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Makes the browser one without WebGL. */
export function withoutWebGl(): void {
  const original = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind === 'webgl2' ? null : Reflect.apply(original, this, [kind, ...rest]);
  } as typeof original;
}

/** Leaves out every draw call. */
function withoutDrawing(): void {
  for (const call of ['clear', 'drawArrays', 'drawArraysInstanced', 'drawElements', 'drawElementsInstanced'] as const) {
    WebGL2RenderingContext.prototype[call] = () => undefined;
  }
}

/** Opens a link and waits until the page runs and, where the link names an instant, is there. */
export async function open(page: Page, fragment = 'v=2'): Promise<void> {
  await page.goto(fragment === '' ? './' : `./#${fragment}`);
  await page.waitForSelector('html[data-ready]');
  if (/(^|&)at=/.test(fragment)) await settled(page);
}

/** Waits until everything shown is of the settings in force, from the beginning. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('lab-timeline .making')).toHaveCount(0, { timeout: 45_000 });
}

/**
 * Measures an act some times, and returns the longest task of the page's thread in the best of them, ms. Another program may take
 * the core, and a task is then as long as it lets it; what the page itself takes is there each time.
 */
export async function longestTask(page: Page, times: number, act: (time: number) => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const tasks = { longest: 0 };
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.longest = Math.max(tasks.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  const all: number[] = [];
  for (let time = 0; time < times && Math.min(...all, Number.POSITIVE_INFINITY) >= ANSWERS_MS; time += 1) {
    await page.evaluate(() => Object.assign((window as unknown as { tasks: { longest: number } }).tasks, { longest: 0 }));
    await act(time);
    all.push(await page.evaluate(() => (window as unknown as { tasks: { longest: number } }).tasks.longest));
  }
  test.info().annotations.push({ type: 'longest task of each time', description: all.map((ms) => `${ms} ms`).join(', ') });
  return Math.min(...all);
}

/** The page answers within this time, whatever is read meanwhile. */
export const ANSWERS_MS = 200;

/** Shows a figure by its place and its tab. */
export async function show(page: Page, figure: string): Promise<void> {
  const place = await page.locator(`[data-tab="${figure}"]`).getAttribute('data-place');
  const button = page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: place ?? '', exact: true });
  if ((await button.getAttribute('aria-current')) === null) await button.click();
  const tab = page.getByRole('tab', { name: figure, exact: true });
  // A click waits until nothing moves. What grows above the tabs may move them for long, and a hand presses them all the same.
  await tab.click({ timeout: 10_000 }).catch(() => tab.click({ force: true }));
  await expect(page.getByRole('tabpanel', { name: figure, exact: true })).toBeVisible();
}

/** Chooses a line of the menu. */
export async function menu(page: Page, line: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('#menu').getByRole('button', { name: line }).click();
}

/** Opens or closes the settings. On a phone they are a line of the menu. */
export async function toggleSettings(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Settings', exact: true });
  await ((await button.isVisible()) ? button.click() : menu(page, 'Settings'));
}

/** Shows the figure around an element, if there is one. */
export async function bringUp(page: Page, selector: string): Promise<void> {
  // A figure out of sight is empty: its element is there.
  const [element = selector] = selector.split(' ');
  const figure = await page
    .locator(element)
    .first()
    .evaluate((element) => element.closest<HTMLElement>('[role=tabpanel]')?.dataset['tab']);
  if (figure !== undefined) await show(page, figure);
}

/** Sets a control of the form, whatever it is. */
export async function set(page: Page, id: string, value: string): Promise<void> {
  const control = page.locator(`[id="${id}"]`);
  await control.evaluate((element) => {
    const fold = element.closest('details');
    if (fold !== null) fold.open = true;
  });
  const kind = await control.evaluate((element) => element.getAttribute('role') ?? element.tagName);
  if (kind === 'SELECT') await control.selectOption(value);
  else if (kind === 'switch') await control.setChecked(value === '1');
  else {
    await control.fill(value);
    await control.press('Enter');
  }
}

/** Finds what assistive technology stumbles over, in the whole page or in the parts that a selector names: rules, and the elements that break them. */
export async function violations(page: Page, parts?: string): Promise<[rule: string, elements: string[]][]> {
  // Otherwise each call opens a page of its own, for frames of other origins. There are none.
  // What passes is not asked for: naming each such element takes longer than judging it.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (parts !== undefined) builder.include(parts);
  const found = await builder.analyze();
  return found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}

export interface Picture {
  /** The shares of the view that are not background, and that are red. */
  drawn: number;
  red: number;
  hash: number;
}

/** The pictures on the canvas now, left and right (or above and below), read in the frame that drew them. */
export async function pictures(page: Page): Promise<[Picture, Picture]> {
  return page.evaluate(
    () =>
      new Promise<[Picture, Picture]>((resolve) => {
        let framesLeft = 8;
        const canvas = document.querySelector('.screen canvas') as HTMLCanvasElement;
        // Sizes are told after all callbacks of a frame: the page has drawn then, or has left this frame out.
        const ask = (): void => {
          requestAnimationFrame(() => {
            const observer = new ResizeObserver(() => {
              observer.disconnect();
              read();
            });
            observer.observe(canvas);
          });
        };
        const read = (): void => {
          const copy = new OffscreenCanvas(canvas.width, canvas.height);
          const context = copy.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
          context.drawImage(canvas, 0, 0);
          const stacked = getComputedStyle(canvas).getPropertyValue('--stacked').trim() === '1';
          const [width, height] = stacked ? [copy.width, copy.height >> 1] : [copy.width >> 1, copy.height];
          const judge = (x: number, y: number): Picture => {
            const { data } = context.getImageData(x, y, width, height);
            let [drawn, red, hash] = [0, 0, 0];
            for (let i = 0; i < data.length; i += 4) {
              const [r = 0, g = 0, b = 0] = data.subarray(i, i + 3);
              if (r !== data[0] || g !== data[1] || b !== data[2]) drawn += 1;
              if (r > 120 && g < 60 && b < 60) red += 1;
              hash = (Math.imul(hash, 31) + (r | (g << 8) | (b << 16))) | 0;
            }
            return { drawn: drawn / (width * height), red: red / (width * height), hash };
          };
          const both: [Picture, Picture] = [judge(0, 0), stacked ? judge(0, height) : judge(width, 0)];
          framesLeft -= 1;
          if (framesLeft > 0 && both.every(({ drawn }) => drawn === 0)) ask();
          else resolve(both);
        };
        ask();
      }),
  );
}

/** Keeps all texts that an element has from now on, those of a moment, too. Returns how to read them. */
export async function wordsSaid(element: Locator): Promise<() => Promise<string[]>> {
  const kept = await element.evaluateHandle((node) => {
    const words: string[] = [];
    const keep = (): number => words.push((node.textContent ?? '').trim());
    new MutationObserver(keep).observe(node, { childList: true, characterData: true, subtree: true });
    return words;
  });
  return () => kept.jsonValue();
}

/** A file's name as the page shows it: in quotes, isolated. */
export const named = (name: string): string => `“\u2068${name}\u2069”`;

export function fragment(page: Page): string {
  return new URL(page.url()).hash.slice(1);
}

export { expect };
