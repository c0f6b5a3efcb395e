// The wasm in two parts: the first screen needs one, and what needs the other waits for it with a sign.

import type { Page } from '@playwright/test';
import { expect, test } from './page';

test.use({ views: 'none', desk: '' });

/** Holds the rest of the wasm back until the returned function is called. */
async function held(page: Page): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/snapshot_web_rest*.wasm', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('the first screen runs without the rest, and a setting that needs it waits for it', async ({ page }) => {
  const release = await held(page);
  await page.goto('./');
  await page.locator('html[data-ready]').waitFor();
  const time = () => page.evaluate(() => document.querySelector('lab-timeline')?.textContent ?? '');
  const before = await time();
  await expect.poll(time).not.toBe(before);
  await page.locator('#front-loss').fill('20');
  await expect(page).toHaveURL(/loss=20/);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.locator('#codec').selectOption('predicted');
  await expect(page.getByText('Loading the rest of the simulation, which this needs')).toBeVisible();
  await expect(page).not.toHaveURL(/codec=predicted/);
  release();
  await expect(page).toHaveURL(/codec=predicted/);
  await expect(page.getByText('Loading the rest')).toHaveCount(0);
});

test('a link to another strategy says what it loads, and opens with it', async ({ page }) => {
  const release = await held(page);
  await page.goto('./#strategy=sync', { waitUntil: 'commit' });
  await expect(page.getByText('Loading the rest of the simulation, which this link needs')).toBeVisible();
  release();
  await page.locator('html[data-ready][data-strategy=sync]').waitFor();
  await expect(page).toHaveURL(/strategy=sync/);
});

test('a figure that a link names says that it is loading, and comes with the rest', async ({ page }) => {
  const release = await held(page);
  await page.goto('./#show=ladder');
  await page.locator('html[data-ready]').waitFor();
  const isDefined = () => page.evaluate(() => customElements.get('lab-ladder') !== undefined);
  expect(await isDefined()).toBe(false);
  release();
  await expect.poll(isDefined).toBe(true);
  await expect(page.locator('lab-ladder table')).toBeVisible();
});
