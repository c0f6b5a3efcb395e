// The verdict: an estimate on a first visit, a recording's verdict without a further click, errors to drag, settings to take.

import { expect, open, test, violations } from './page';

test.use({ views: 'none' });

const motion = 'docs/motion-example.csv';

test('the first screen leads to an estimate, which works without a file', async ({ page }) => {
  await open(page, 'grid=5&at=60');
  await page.getByRole('button', { name: 'Your game' }).click();
  await expect(page.locator('.verdict-rung')).toContainText('Take rung', { timeout: 60_000 });
  await expect(page.locator('.verdict-summary')).toContainText('60 objects');
  await expect(page.locator('lab-verdict .engines tbody tr')).toHaveCount(8);
  // Other numbers are another motion.
  await page.locator('lab-verdict input[name=objects]').fill('6');
  await page.locator('lab-verdict input[name=moving]').fill('6');
  await page.getByRole('button', { name: 'Estimate' }).click();
  await expect(page.locator('.verdict-summary')).toContainText('an estimate of 6 objects, 6 of which move: 6 objects', { timeout: 60_000 });
  expect(await violations(page)).toEqual([]);
});

test('a recording is judged once it is chosen; errors are dragged, and the settings are taken', async ({ page }) => {
  await open(page, 'hz=20&jitter=0&loss=0&show=verdict');
  await page.locator('#motion').setInputFiles(motion);
  await expect(page.locator('.verdict-summary')).toContainText('Of motion-example.csv: 3 objects', { timeout: 60_000 });
  const rows = page.locator('lab-verdict table').first().locator('tbody tr');
  await expect(rows).toHaveCount(14);
  await expect(page.locator('lab-verdict pre').first()).toContainText('Format::new(Rung::');
  await expect(page.locator('lab-verdict pre').nth(1)).toHaveText('snapshot-lab verdict "#hz=20" --motion motion-example.csv');
  // A finer error takes more bits, and is told at once.
  const slider = page.locator('.verdict-errors label').first();
  await expect(slider).toContainText('9 bits');
  await slider.getByRole('slider').fill('20');
  await expect(slider).toContainText(/1[012] bits/);
  await expect(page.locator('lab-verdict pre').first()).toContainText(/QuantisationBits::new\(1[012], /, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Use these settings here' }).click();
  await expect(page.locator('lab-verdict > [role=status]')).toContainText('Lane A now has');
  await expect(page).toHaveURL(/pos=1[012]/);
});

test('the verdict fits a phone and a desk', async ({ page }) => {
  for (const [width, height] of [
    [390, 844],
    [1280, 720],
    [1440, 900],
  ] as const) {
    await page.goto('about:blank');
    await page.setViewportSize({ width, height });
    await open(page, 'grid=5&at=60');
    await expect(page.getByRole('button', { name: 'Your game' })).toBeInViewport();
    await page.getByRole('button', { name: 'Your game' }).click();
    await expect(page.locator('.verdict-rung')).toBeVisible({ timeout: 60_000 });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wider).toBe(0);
  }
});
