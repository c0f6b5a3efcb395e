// Room: in each state nothing of the bar below the views is cut off or covered, and figures keep their part of the window.

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, named, open, settled, show, test, toggleSettings } from './page';

test.use({ views: 'blank' });

const motion = (page: Page) => page.locator('#motion').setInputFiles('docs/motion-example.csv');
const network = (page: Page) => page.locator('#trace').setInputFiles('docs/ping-example.txt');

/** Ways to a state of bar, banners and overlay, from links. */
const states: Readonly<Record<string, { link: string; go?: (page: Page) => Promise<unknown> }>> = {
  'at the newest instant': { link: 'grid=6&hz=20&at=120' },
  'at an earlier one': { link: 'grid=6&hz=20&loss=20&at=240', go: (page) => page.getByRole('button', { name: 'Previous lost packet' }).click() },
  'where nothing was found': { link: 'grid=6&hz=20&loss=0&at=120', go: (page) => page.getByRole('button', { name: 'Next lost packet' }).click() },
  'while it is worked out': { link: 'grid=12&hz=60&at=1200', go: (page) => page.locator('#codec').selectOption('predicted') },
  'on state synchronisation': { link: 'grid=6&strategy=sync&at=120' },
  'with A and B': { link: 'grid=6&hz=20&b.hz=10&at=120' },
  'with a motion and a network': {
    link: 'hz=20&b.hz=10',
    go: async (page) => {
      await motion(page);
      await expect(page.locator('lab-played')).toContainText('plays:');
      await network(page);
      await expect(page.locator('lab-traced')).toContainText('ping-example.txt');
    },
  },
};

test('the bar has room in each state, on a desk and on a laptop @apart', async ({ page }) => {
  test.setTimeout(180_000);
  for (const [name, { link, go }] of Object.entries(states)) {
    await open(page, link);
    await go?.(page);
    for (const [width, height, least] of [
      [1440, 900, 340],
      [1280, 720, 170],
    ] as const) {
      await page.setViewportSize({ width, height });
      const found = await page.evaluate(crowded);
      expect(found.faults, name).toEqual([]);
      expect(found.figures, name).toBeGreaterThanOrEqual(least);
    }
  }
});

test('the document is no higher than the window with any figure, at each width @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'grid=6&hz=20&at=120');
  const heights: string[] = [];
  const measure = async (name: string): Promise<void> => {
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [1000, 700],
    ] as const) {
      await page.setViewportSize({ width, height });
      const document = await page.evaluate(() => window.document.documentElement.scrollHeight);
      if (document > height) heights.push(`${name}: ${document} at ${width} x ${height}`);
    }
  };
  for (const figure of await page.locator('[data-tab]').evaluateAll((panels) => panels.map((panel) => (panel as HTMLElement).dataset['tab'] ?? ''))) {
    await show(page, figure);
    await measure(figure);
  }
  await show(page, 'Verdict');
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  await expect(page.locator('.verdict-answer')).toBeVisible({ timeout: 60_000 });
  await measure('Verdict, judged');
  expect(heights).toEqual([]);
});

/** The controls of the bar that are cut off or covered, by their names, and the height that figures have. */
function crowded(): { faults: string[]; figures: number } {
  const faults: string[] = [];
  const bench = document.querySelector('.stage')?.getBoundingClientRect();
  const controls = [...document.querySelectorAll<HTMLElement>('.time :is(button, select, label, .clock, .told), .notice.played :is(button, summary)')].filter(
    (part) => part.checkVisibility(),
  );
  for (const control of controls) {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.className;
    if (width === 0) continue;
    if (bench === undefined || left < bench.left - 1 || right > bench.right + 1) faults.push(`${name} is cut off`);
    if (control.matches(':disabled') || control.matches('.told, .clock')) continue;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (there === null || !(control.contains(there) || there.contains(control))) faults.push(`${name} is covered by ${there?.className}`);
  }
  return { faults, figures: document.querySelector('.figures > [role=tabpanel]:not([hidden])')?.getBoundingClientRect().height ?? 0 };
}

test('going to an event says where it is, and closed choices of views cover nothing @apart', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, 'grid=6&hz=20&loss=30&b.hz=10&at=240');
  await settled(page);
  await page.getByRole('button', { name: 'Previous lost packet' }).click();
  await expect(page.locator('lab-timeline [role=status]')).toHaveText(/^lost packet at \d\.\d\d s$/);
  await expect(page.getByRole('combobox', { name: 'Views' })).toBeHidden();
  await page.locator('.look summary').click();
  await expect(page.getByRole('combobox', { name: 'Views' })).toBeVisible();
});

test('on a phone a chosen tab is in sight with its figure, and stays while the figure is read @apart', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'grid=6&hz=20&at=120');
  await toggleSettings(page);
  await show(page, 'Packets');
  await expect(page.locator('html')).not.toHaveAttribute('data-settings');
  const tab = page.getByRole('tab', { name: 'Packets' });
  await expect(tab).toBeInViewport();
  await expect(page.getByRole('tabpanel', { name: 'Packets' })).toBeInViewport({ ratio: 0.1 });
  await page.evaluate(() => window.scrollBy(0, 250));
  await expect(tab).toBeInViewport();
});

test('an answer about another motion goes while a new one is awaited @apart', async ({ page }) => {
  await open(page, 'hz=20&grid=5&at=60&show=verdict');
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  await expect(page.getByRole('button', { name: 'Use these settings here' })).toBeVisible({ timeout: 60_000 });
  const rows = readFileSync('docs/motion-example.csv');
  await page.locator('#motion').setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer: rows });
  await expect(page.locator('lab-verdict > [role=status]')).toContainText('mine.csv');
  await expect(page.locator('lab-verdict')).toContainText(`Of ${named('mine.csv')}`, { timeout: 60_000 });
});
