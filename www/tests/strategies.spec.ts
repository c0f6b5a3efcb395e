// The three strategies: one page for all, and what only one of them has.

import type { Page } from '@playwright/test';
import { expect, fragment, open, pictures, set, show, test, violations } from './page';

test.use({ views: 'none' });

/** The strategies' own parts: a figure, a kind of bit, and the demos. */
const strategies = [
  ['sync', 'lab-sync', 'angular velocity', 'State sync', 6],
  ['lockstep', 'lab-lockstep', 'input', 'Lockstep', 7],
] as const;

test.describe(() => {
  test.use({ views: 'drawn' });

  test('every strategy shows both views and its own figures, and so does the way back', async ({ page }) => {
    test.slow();
    await open(page, 'grid=8');
    const moving = async (): Promise<void> => {
      await expect.poll(async () => Math.min(...(await pictures(page)).map((view) => view.red))).toBeGreaterThan(0.002);
      const before = await pictures(page);
      for (const i of [0, 1] as const) await expect.poll(async () => (await pictures(page))[i].hash).not.toBe(before[i].hash);
    };
    for (const [strategy, element, kind, group] of strategies) {
      await show(page, 'Errors');
      await expect(page.locator(element)).toBeHidden();
      await page.getByLabel('Strategy', { exact: true }).selectOption(strategy);
      await expect.poll(() => fragment(page)).toBe(`v=1&strategy=${strategy}&grid=8&show=errors`);
      await expect(page.locator(element)).toBeVisible();
      await expect(page.getByLabel('Interpolation', { exact: true })).toHaveCount(0);
      await expect(page.getByRole('button', { name: group, exact: true })).toHaveAttribute('aria-pressed', 'true');
      await show(page, 'Bits');
      await expect(page.locator('lab-breakdown tbody')).toContainText(kind);
      await expect(page.locator('.label.right')).toContainText(/\d ms behind/);
      await moving();
      await page.locator('.screen canvas').focus();
      await page.keyboard.press('p');
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Strategy', { exact: true }).selectOption('snapshot');
      await expect.poll(() => fragment(page)).toMatch(/^v=1&grid=8(&at=\d+)?&show=bits$/);
      await expect(page.locator(element)).toBeHidden();
      await expect(page.getByLabel('Interpolation', { exact: true })).toHaveValue('linear');
      await page.locator('.screen canvas').focus();
      await page.keyboard.press('p');
      await moving();
    }
  });
});

for (const [strategy, , , group, modes] of strategies) {
  test(`${strategy}: every mode of the demo is a preset with a key`, async ({ page }) => {
    await open(page, `strategy=${strategy}&grid=5&seed=7`);
    await expect(page.getByRole('button', { name: group, exact: true })).toHaveAttribute('aria-pressed', 'true');
    const presets = page.locator('.modes button');
    await expect(presets).toHaveCount(modes);
    const links = new Set<string>();
    for (let mode = 1; mode <= modes; mode += 1) {
      await page.keyboard.press(String(mode));
      await expect(presets.nth(mode - 1)).toHaveAttribute('aria-pressed', 'true');
      await expect.poll(() => links.has(fragment(page))).toBe(false);
      links.add(fragment(page));
      expect(fragment(page)).toContain(`strategy=${strategy}`);
      expect(fragment(page)).toContain('seed=7');
    }
  });
}

test('lockstep says that both sides are in sync, and since when they are not', async ({ page }) => {
  await open(page, 'strategy=lockstep&grid=5&show=errors');
  const verdict = page.locator('lab-lockstep .verdict');
  await expect(verdict).toContainText(/In sync\s*for \d+ frames/);
  const frames = async (): Promise<number> => Number(/for ([\d,]+) frames/.exec((await verdict.textContent()) ?? '')?.[1]?.replace(',', ''));
  const before = await frames();
  await expect.poll(frames).toBeGreaterThan(before);
  await page.getByLabel('Break determinism', { exact: true }).selectOption('bit');
  await expect(verdict).toContainText(/Out of sync\s*since frame 6\d/);
  await expect(page.locator('.label.right')).toContainText('out of sync');
  await page.getByLabel('Break determinism', { exact: true }).selectOption('none');
  await expect(verdict).toContainText('In sync');
});

test('over TCP a loss stalls what comes behind it, and the page counts it', async ({ page }) => {
  await open(page, 'strategy=lockstep&transport=tcp&latency=125&loss=20&grid=5&show=errors');
  const figures = page.locator('lab-lockstep');
  await expect(figures).toContainText(/retransmissions\s*[1-9]/);
  await expect(figures).toContainText(/stalls a minute\s*[1-9]/);
  await expect(figures).toContainText('In sync');
  await show(page, 'Bits');
  await expect(page.locator('lab-breakdown tbody tr').first()).toContainText('IP + TCP header');
});

test.describe('a cut network', () => {
  const apart = async (page: Page): Promise<number> =>
    Number(/divergence, worst cube\s*([\d.,]+) mm/.exec((await page.locator('lab-sync').textContent()) ?? '')?.[1]?.replace(',', ''));

  test('parts both simulations for as long as the button is held, and they heal', async ({ page }) => {
    test.slow();
    await open(page, 'strategy=sync&scene=katamari&grid=8&loss=0&show=errors');
    await expect(page.locator('.clock')).toHaveText(/^[4-9]\./, { timeout: 40_000 });
    await page.getByRole('button', { name: 'while held' }).hover();
    await page.mouse.down();
    await expect(page.getByText('No packet gets through.')).toBeVisible();
    await expect(page.locator('.label.right')).toContainText('cut off');
    await expect.poll(() => apart(page)).toBeGreaterThan(100);
    await page.mouse.up();
    await expect(page.getByText('No packet gets through.')).toHaveCount(0);
    await expect.poll(() => apart(page), { timeout: 30_000 }).toBeLessThan(10);
  });

  test('is one by its key and by the keyboard on its button, and bursts end by themselves', async ({ page }) => {
    await open(page, 'strategy=sync&grid=5');
    const said = page.getByText('No packet gets through.');
    await page.keyboard.down('c');
    await expect(said).toBeVisible();
    await page.keyboard.up('c');
    await expect(said).toHaveCount(0);
    await expect(page.locator('.label.left')).toContainText('scene “mixed” plays');
    await page.getByRole('button', { name: 'for 2 s' }).click();
    await expect(said).toBeVisible();
    await expect(said).toHaveCount(0);
    await page.getByRole('button', { name: 'while held' }).focus();
    await page.keyboard.down('Space');
    await expect(said).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(said).toHaveCount(0);
    await page.keyboard.up('Space');
  });
});

test('lockstep waits through a cut, catches up, and stays in sync', async ({ page }) => {
  await open(page, 'strategy=lockstep&grid=5&show=errors');
  await expect(page.locator('lab-lockstep')).toContainText('In sync');
  await page.getByRole('button', { name: 'for ¼ s' }).click();
  await expect(page.locator('lab-lockstep')).toContainText(/catch-up steps\s*[1-9]/);
  await expect(page.locator('lab-lockstep')).toContainText('In sync');
});

test.describe('switches of state sync change the figure that they promise to', () => {
  const figure = async (page: Page, name: string): Promise<number> => {
    const text = (await page.locator('lab-sync').textContent()) ?? '';
    return Number(new RegExp(`${name}\\s*([\\d.,]+)`).exec(text)?.[1]?.replace(',', ''));
  };
  // Everything lies still, and a packet has room for four cubes of 26.
  const still = 'strategy=sync&scene=drive&grid=5&budget=48&loss=0&show=errors';
  const atRest = async (page: Page, link: string): Promise<void> => {
    await open(page, link);
    await expect(page.locator('.clock')).toHaveText(/^(?:[5-9]|\d\d)\./, { timeout: 40_000 });
  };

  test('relative positions and deltas put more updates into a packet', async ({ page }) => {
    await atRest(page, still);
    const plain = await figure(page, 'updates a packet');
    expect(plain).toBeLessThan(5);
    await page.getByRole('switch', { name: 'Relative to the player' }).check();
    await expect.poll(() => figure(page, 'updates a packet')).toBeGreaterThan(1.1 * plain);
    await page.getByRole('switch', { name: 'Delta against acked' }).check();
    await expect.poll(() => figure(page, 'updates a packet')).toBeGreaterThan(4 * plain);
  });

  test('without accumulation the last in line is never sent', async ({ page }) => {
    await atRest(page, still);
    expect(await figure(page, 'waiting the longest')).toBeLessThan(2000);
    await page.getByRole('switch', { name: 'Accumulate priority' }).uncheck();
    await expect.poll(() => figure(page, 'waiting the longest')).toBeGreaterThan(4000);
  });

  test('a budget that adapts is cut where packets get lost', async ({ page }) => {
    await open(page, 'strategy=sync&grid=5&loss=30&show=errors');
    expect(await figure(page, 'budget in force')).toBe(256);
    await set(page, 'adapt', '1');
    await expect.poll(() => figure(page, 'budget in force')).toBeLessThan(100);
  });
});

test('the budget is the line that bandwidth is held against', async ({ page }) => {
  await open(page, 'strategy=sync&budget=64&grid=8');
  await expect(page.locator('#figure-bits lab-chart .legend')).toContainText('budget, 64');
  await expect(page.locator('lab-bandwidth .words')).toContainText('budget of 64 kbit/s');
  await show(page, 'Errors');
  const divergence = page.locator('lab-chart[figure=divergence]').getByRole('slider', { name: /^Divergence/ });
  await expect(divergence).toHaveAttribute('aria-valuetext', /now [\d.]+ mm/);
});

test.describe('narrow and dark', () => {
  test.use({ views: 'blank', colorScheme: 'dark', viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

  for (const [strategy, element] of strategies) {
    test(`${strategy}: nothing is wider than the screen, and axe finds nothing`, async ({ page }) => {
      await open(page, `strategy=${strategy}&grid=5&loss=20&show=errors`);
      await expect(page.locator(element)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await violations(page)).toEqual([]);
    });
  }
});
