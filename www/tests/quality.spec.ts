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

test.describe('slow', () => {
  test.use({ views: 'drawn', desk: '' });

  test('a processor at a quarter draws fewer pixels before the motion slows down, and says its speed @apart', { tag: '@alone' }, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page, '');
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const canvas = page.locator('.screen canvas');
    const pixels = () => canvas.evaluate((element) => (element as HTMLCanvasElement).width / element.clientWidth);
    const at = async () => Number.parseFloat((await page.locator('.clock').textContent()) ?? '');
    await page.waitForTimeout(15_000);
    const [before, since] = [await at(), Date.now()];
    await page.waitForTimeout(10_000);
    const speed = ((await at()) - before) / ((Date.now() - since) / 1000);
    const said = await page.locator('.pace').allTextContents();
    console.log(`${speed.toFixed(2)} of real time, said: ${said}, pixels: ${await pixels()}`);
    expect(await pixels()).toBeLessThan(0.7);
    if (speed < 0.85) await expect(page.locator('.pace')).toBeVisible();
  });
});
