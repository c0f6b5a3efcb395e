// What is said of a simulation that falls behind. The judges by themselves: units/quality.test.ts.

import { expect, open, test } from './page';

test('a simulation that falls behind is said to, beside its speed', { tag: '@alone' }, async ({ page }) => {
  // Frames 200 ms apart bring four ticks each, where twelve would be due.
  await page.addInitScript(() => {
    window.requestAnimationFrame = (callback) => window.setTimeout(() => callback(performance.now()), 200);
  });
  await open(page, 'grid=5');
  await expect(page.locator('.pace')).toHaveText(/^at 0\.[1-4]×$/);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.locator('.pace')).toHaveCount(0);
});
