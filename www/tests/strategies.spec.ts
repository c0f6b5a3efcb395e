// The strategies: one page for all, and what only one of them has.

import { expect, fragment, open, pictures, show, test, violations } from './page';

test.use({ views: 'none' });

/** The strategies' own parts: a figure, a kind of bit, and the demos. */
const strategies = [
  ['sync', 'lab-sync', 'angular velocity', 'State sync', 6],
  ['lockstep', 'lab-lockstep', 'input', 'Lockstep', 7],
  ['game', 'lab-hand', 'connection', 'Your hand', 5],
] as const;

test.describe(() => {
  test.use({ views: 'drawn', viewport: { width: 960, height: 640 } });

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
      await expect.poll(() => fragment(page)).toBe(`v=2&strategy=${strategy}&grid=8&show=errors`);
      await expect(page.locator(element)).toBeVisible();
      await expect(page.locator('#interp')).toHaveCount(strategy === 'game' ? 1 : 0);
      await expect(page.getByRole('button', { name: group, exact: true })).toHaveAttribute('aria-pressed', 'true');
      await show(page, 'Bits');
      await expect(page.locator('lab-breakdown tbody')).toContainText(kind);
      await expect(page.locator('.label.right')).toContainText(/\d ms (behind|after a key)/);
      await moving();
      await page.getByLabel('Strategy', { exact: true }).selectOption('snapshot');
      await expect.poll(() => fragment(page)).toMatch(/^v=2&grid=8&show=bits$/);
      await expect(page.locator(element)).toBeHidden();
      await expect(page.locator('#interp')).toHaveValue('linear');
    }
  });
});

test('every mode of a demo is a preset with a key @apart', async ({ page }) => {
  const [strategy, , , group, modes] = strategies[0];
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

test('the network is cut by a key, by the pointer and by the keyboard on its button, and bursts end by themselves @apart', async ({ page }) => {
  await open(page, 'strategy=sync&grid=5');
  const said = page.getByText('No packet gets through.');
  await page.keyboard.down('c');
  await expect(said).toBeVisible();
  await page.keyboard.up('c');
  await expect(said).toHaveCount(0);
  await expect(page.locator('.label.left')).not.toContainText('you drive');
  await page.getByRole('button', { name: 'for 2 s' }).click();
  await expect(said).toBeVisible();
  await expect(said).toHaveCount(0);
  await page.getByRole('button', { name: 'while held' }).hover();
  await page.mouse.down();
  await expect(said).toBeVisible();
  await page.mouse.up();
  await expect(said).toHaveCount(0);
  await page.getByRole('button', { name: 'while held' }).focus();
  await page.keyboard.down('Space');
  await expect(said).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(said).toHaveCount(0);
  await page.keyboard.up('Space');
});

test('the budget is the line that bandwidth is held against @apart', async ({ page }) => {
  await open(page, 'strategy=sync&budget=64&grid=8');
  await expect(page.locator('#figure-bits lab-chart .legend')).toContainText('budget, 64');
  await expect(page.locator('lab-rate .words')).toContainText('budget of 64 kbit/s');
  await show(page, 'Errors');
  const divergence = page.locator('lab-chart[figure=divergence]').getByRole('slider', { name: /^Divergence/ });
  await expect(divergence).toHaveAttribute('aria-valuetext', /now [\d.]+ mm/);
});

test.describe('narrow and dark', () => {
  test.use({ views: 'blank', colorScheme: 'dark', viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

  for (const [strategy, element] of strategies) {
    test(`${strategy}: nothing is wider than the screen, and axe finds nothing @apart`, async ({ page }) => {
      await open(page, `strategy=${strategy}&grid=5&loss=20&show=errors`);
      await expect(page.locator(element)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      expect(await violations(page)).toEqual([]);
    });
  }
});

test.describe('with views', () => {
  test.use({ views: 'blank' });

  test('a correction flashes where it happened, and the labels tell old cubes from the own one @apart', async ({ page }) => {
    await open(page, 'strategy=game&predict=own&server=now&scene=mixed&grid=12&latency=100');
    await expect(page.locator('.flashes b').first()).toHaveText(/^[\d.,]+ mm$/, { timeout: 60_000 });
    await expect(page.locator('.label.left')).toContainText('The server, now');
    await expect(page.locator('.label.right')).toContainText(/own cube \d+ ms after a key, others [1-9]\d\d ms/);
    await expect(page.locator('.label.right')).toContainText('outlined: your cube on the server');
    await expect(page.locator('.label.right')).not.toContainText('0 ms behind');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.locator('.flashes b')).toHaveCount(0);
  });
});

test('a correction of the hand leads to the wrong prediction @apart', async ({ page }) => {
  await open(page, 'strategy=game&predict=own&scene=mixed&grid=12&at=900&show=errors');
  const rows = page.locator('lab-hand tbody tr');
  await expect(rows.first()).toContainText('a cube not predicted');
  await rows.first().getByRole('button').click();
  await expect(rows.first()).toHaveClass(/chosen/);
  await expect.poll(() => violations(page)).toEqual([]);
  // Who waits predicts nothing, and feels the way to the server and back.
  await page.getByLabel('Predict', { exact: true }).selectOption('wait');
  await expect(page.locator('lab-hand')).toContainText(/key to own cube\s*[1-9]\d\d ms/);
  await expect(rows).toHaveCount(0);
});
