// What is said of a simulation that falls behind. The judges by themselves: units/quality.test.ts.

import { expect, open, test } from './page';

for (const desk of ['', 'settings figures']) {
  test.describe(desk === '' ? 'on the front' : 'on the desk', () => {
    test.use({ desk });

    test('a simulation that falls behind is said to, beside its speed @apart', { tag: '@alone' }, async ({ page }) => {
      // Frames 800 ms apart bring 15 ticks each, where 48 would be due.
      await page.addInitScript(() => {
        window.requestAnimationFrame = (callback) => window.setTimeout(() => callback(performance.now()), 800);
      });
      await open(page, 'grid=5');
      await expect(page.locator('.pace')).toHaveText(/^at 0\.[1-4]×$/);
      await page.getByRole('button', { name: 'Pause' }).click();
      await expect(page.locator('.pace')).toHaveCount(0);
    });
  });
}
