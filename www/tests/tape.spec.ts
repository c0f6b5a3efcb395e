// The motion stays, whatever is set; and any instant of the newest minute can be seen again.

import type { Page } from '@playwright/test';
import { expect, open, settled, test } from './page';

test.use({ views: 'none' });

const instant = (page: Page) => page.getByRole('slider', { name: 'Instant that is shown' });
const bandwidth = async (page: Page): Promise<string> => (await page.locator('lab-bandwidth .big').textContent()) ?? '';

/** Plays for so many ticks, and pauses. */
async function play(page: Page, ticks: number): Promise<void> {
  await expect.poll(async () => Number(await instant(page).inputValue()), { timeout: 60_000 }).toBeGreaterThan(ticks);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
}

test('rungs chosen in any order at one paused instant each cost what they cost before @apart', async ({ page }) => {
  await open(page, 'hz=60&scene=roll&grid=12');
  await play(page, 150);
  const at = await instant(page).inputValue();
  const tabsTop = async () => (await page.locator('[role=tablist]').boundingBox())?.y;
  const top = await tabsTop();
  const costs = new Map<string, string>();
  for (const rung of ['not-changed', 'relative-position', 'predicted', 'relative-position', 'not-changed', 'predicted']) {
    await page.locator('#codec').selectOption(rung);
    // Being worked out does not push the figures down.
    expect(await tabsTop()).toBe(top);
    await settled(page);
    const cost = await bandwidth(page);
    expect(costs.get(rung) ?? cost).toBe(cost);
    costs.set(rung, cost);
    expect(Number.parseFloat(cost)).toBeGreaterThan(0);
    expect(await instant(page).inputValue()).toBe(at);
  }
  expect(new Set(costs.values()).size).toBe(3);
});

test('the past is shown again, lost packets are found, and a key drives on from there until that is undone', async ({ page }) => {
  await open(page, 'hz=60&scene=roll&grid=12&loss=20');
  await play(page, 150);
  const last = Number(await instant(page).getAttribute('max'));
  await instant(page).fill('60');
  await expect(page.locator('.clock')).toHaveText('1.00 s');
  await page.getByRole('button', { name: 'Next lost packet' }).click();
  const lost = Number(await instant(page).inputValue());
  expect(lost).toBeGreaterThan(60);
  await page.getByRole('button', { name: 'One tick back' }).click();
  await expect(instant(page)).toHaveValue(String(lost - 1));
  await page.locator('.screen canvas').focus();
  await page.keyboard.down('ArrowRight');
  await page.getByRole('button', { name: 'Play', exact: true }).evaluate((button: HTMLButtonElement) => button.click());
  await expect(page.locator('.label.left')).toContainText('you drive');
  await page.keyboard.up('ArrowRight');
  await page.getByRole('button', { name: 'Undo driving on' }).click();
  await expect(instant(page)).toBeFocused();
  await expect(instant(page)).toHaveAttribute('max', String(last));
  await settled(page);
});
