// Pages that a browser or a person has changed: translated, from right to left, in forced colours, on paper.

import type { Page } from '@playwright/test';
import { expect, open, show, test } from './page';

test.use({ views: 'blank' });

/** Stands for a browser's translator. It replaces each text node, now and later, by an element with another text. */
function translateAll(): void {
  const isOurs = (node: Node): boolean => node.parentElement?.closest('[translate]')?.getAttribute('translate') === 'no';
  const translate = (root: Node): void => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    for (const text of found) {
      const { parentElement } = text;
      if (parentElement === null || parentElement.closest('font, script, style') !== null || isOurs(text) || text.data.trim() === '') continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  translate(document.body);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) for (const node of addedNodes) translate(node.nodeType === Node.TEXT_NODE ? target : node);
  }).observe(document.body, { childList: true, subtree: true });
}

test('figures live on in a page that the browser translates, and words are translated @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=20');
  await page.evaluate(translateAll);
  await expect(page.locator('.lesson').first()).toContainText('«');
  await expect(page.locator('label[for=front-hz]')).toHaveText('«Send rate»');
  await page.locator('#front-hz').fill('60');
  await expect(page.locator('output[for=front-hz]')).toHaveText('60/s');
  const clock = await page.locator('.clock').textContent();
  await expect(page.locator('.clock')).not.toHaveText(clock ?? '');
  const value = page.locator('lab-bandwidth .value');
  const rate = await value.textContent();
  await expect(value).not.toHaveText(rate ?? '');
  for (const figure of ['Ladder', 'Packets', 'Errors', 'A and B']) await show(page, figure);
  await page.getByRole('button', { name: 'Pause' }).click();
});

test('from right to left the names of the views stay over their pictures @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await page.getByRole('button', { name: 'Lab', exact: true }).click();
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
  });
  const left = async (part: string): Promise<number> => (await page.locator(part).boundingBox())?.x ?? Number.NaN;
  expect(await left('.label.left')).toBeLessThan(await left('.label.right'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});

/** Colours of an element's middle, as the browser shows them. */
async function background(page: Page, part: string): Promise<string> {
  return page
    .locator(part)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);
}

test('in forced colours the bar of bits, its key and the chosen interpolation are seen @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await page.emulateMedia({ forcedColors: 'active' });
  const paper = await background(page, 'body');
  for (const part of ['.bar.now .segment', '.front-control button[aria-pressed=true]', '.meter .fill', 'lab-breakdown .swatch, lab-breakdown .dot'])
    expect(await background(page, part), part).not.toBe(paper);
  const line = (tab: string): Promise<string> =>
    page
      .locator(tab)
      .first()
      .evaluate((element) => getComputedStyle(element).borderBottomColor);
  // White, as the paper is: Canvas.
  expect(await line('[role=tab][aria-selected=false]')).toBe('rgb(255, 255, 255)');
  expect(await line('[role=tab][aria-selected=true]')).not.toBe('rgb(255, 255, 255)');
  expect(await background(page, '.front-control button[aria-pressed=true]')).not.toBe(await background(page, '.front-control button[aria-pressed=false]'));
});

test('the page prints as its report @apart', async ({ page }) => {
  await open(page, 'grid=5&at=120');
  await page.evaluate(async () => {
    // The report's script comes after the first picture, and closes the report again after printing.
    await customElements.whenDefined('lab-report');
    const report = document.querySelector<HTMLElement & { updateComplete: Promise<unknown> }>('#report lab-report');
    Object.assign(window, { printed: '' });
    window.addEventListener('beforeprint', () => void report?.updateComplete.then(() => Object.assign(window, { printed: report.textContent })));
  });
  const paper = await page.pdf();
  expect(paper.length).toBeGreaterThan(10_000);
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'printed'))).toContain('Settings that are not the usual ones');
  await expect(page.locator('#report')).toBeHidden();
});

test('who holds an arrow stays near the others, and the way home covers no view @apart', async ({ page }) => {
  await open(page, '');
  await page.keyboard.down('ArrowUp');
  await page.waitForTimeout(4000);
  await page.keyboard.up('ArrowUp');
  await expect(page.locator('.label.left')).toContainText('you drive');
  await page.waitForTimeout(2000);
  await expect(page.locator('.home')).toHaveCount(0);
});

test('without interpolation it is its control that stands still, and bits are said as they are @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=10&loss=0&interp=none');
  const effects = page.locator('.front-control .effect');
  await expect(effects.nth(3)).toHaveText('nothing is lost');
  await expect(effects.nth(2)).toHaveText(/pixels off the original, frozen [\d.]+ of [\d.]+ s/);
  await page.locator('#front-loss').fill('10');
  await expect(effects.nth(3)).toHaveText(/^\d+ packets? lost$/);
  await expect(effects.nth(2)).toHaveText(/pixels off the original, frozen [\d.]+ of [\d.]+ s/);
  await page.getByRole('button', { name: 'linear', exact: true }).click();
  await expect(effects.nth(3)).toHaveText(/^frozen [\d.]+ of/);
  await page.locator('#front-quantisation').fill('1');
  await expect(effects.nth(1)).toHaveText(/^at most 3,\d+ mm of rounding, \d+ pixels: /);
  await page.locator('#front-quantisation').fill('2');
  await expect(effects.nth(1)).toHaveText(/^at most [12],\d+ mm of rounding, \d+ pixels: /);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, desk: '' });

  test('the verdict’s heading is beside the tabs, not under them, and names a way for a finger @apart', async ({ page }) => {
    await open(page, 'grid=5&at=60');
    await page.getByRole('button', { name: 'Your game' }).tap();
    const heading = page.getByRole('heading', { name: 'The verdict on your game’s motion' });
    await expect(heading).toBeInViewport();
    const top = async (part: string) => (await page.locator(part).boundingBox()) ?? { y: 0, height: 0 };
    const tabs = await top('lab-tabs');
    await expect.poll(async () => ((await heading.boundingBox())?.y ?? 0) >= tabs.y + tabs.height - 1).toBe(true);
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a recording' }).tap();
    await chosen;
  });
});
