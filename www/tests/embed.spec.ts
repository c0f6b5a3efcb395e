// Parts of the page inside other pages.

import type { FrameLocator, Page } from '@playwright/test';
import { expect, test, violations } from './page';

const instant = async (frame: FrameLocator): Promise<number> => Number.parseFloat((await frame.locator('.instant').textContent()) ?? '');

/** Another page with these parts of ours. */
async function host(page: Page, links: readonly string[]): Promise<FrameLocator[]> {
  const frames = links.map((link, place) => `<iframe id="f${place}" title="${place}" src="./#${link}" width="480" height="360"></iframe>`);
  await page.route('**/host.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>Host</title><h1>A blog</h1>${frames.join('<p>Words.</p>')}</html>`,
    }),
  );
  await page.goto('./host.html');
  return links.map((_, place) => page.frameLocator(`#f${place}`));
}

test('two on one page begin with stills, and only the one that was touched last runs @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 1100, height: 900 });
  const [one, two] = (await host(page, ['v=2&grid=8&at=120&embed=1', 'v=2&grid=8&hz=60&embed=1'])) as [FrameLocator, FrameLocator];
  for (const frame of [one, two]) await expect(frame.getByRole('button', { name: 'Run it' })).toBeVisible({ timeout: 60_000 });
  await expect(one.locator('.instant')).toHaveText('2.0 s');
  await expect(two.locator('.instant')).toHaveText('7.0 s');
  // Parts, and nothing else.
  for (const part of ['.masthead', '.time', '#settings', '.figures']) await expect(one.locator(part)).toBeHidden();
  await expect(one.locator('.screen canvas')).toBeVisible();

  await one.getByRole('button', { name: 'Run it' }).click();
  await expect.poll(() => instant(one)).toBeGreaterThan(2.2);
  await two.getByRole('button', { name: 'Run it' }).click();
  await expect.poll(() => instant(two)).toBeGreaterThan(7.2);
  await expect(one.getByRole('button', { name: 'Run it' })).toBeVisible();
  const stands = await instant(one);
  await two.getByRole('button', { name: 'Pause' }).click();
  expect(await instant(one)).toBe(stands);
  // What was done in them is no step of the page's history.
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  const link = await one.getByRole('link', { name: /Open in Snapshot Lab/ }).getAttribute('href');
  expect(link).toMatch(/^\.\/#v=2&grid=8/);
  expect(link).not.toContain('embed');
});

test('what nobody sees does nothing, and what goes out of sight stops @apart', async ({ page }) => {
  await page.setViewportSize({ width: 520, height: 400 });
  const [one, , far] = (await host(page, ['v=2&grid=8&at=60&embed=1', 'v=2&grid=8&at=60&embed=1', 'v=2&grid=8&at=60&embed=1'])) as [
    FrameLocator,
    FrameLocator,
    FrameLocator,
  ];
  await one.getByRole('button', { name: 'Run it' }).click({ timeout: 60_000 });
  await expect.poll(() => instant(one)).toBeGreaterThan(1.1);
  expect(await instant(far)).toBe(0);
  await page.locator('#f2').scrollIntoViewIfNeeded();
  await expect(far.locator('.instant')).toHaveText('1.0 s');
  await expect(one.getByRole('button', { name: 'Play', exact: true })).toHaveCount(1);
  const stands = await instant(one);
  await page.waitForTimeout(400);
  expect(await instant(one)).toBe(stands);
});

for (const [name, link, seen, hidden] of [
  ['the views', 'v=2&grid=8&at=120&embed=1', ['.screen canvas'], ['.figures']],
  ['one figure', 'v=2&grid=8&at=120&show=bits&embed=1', ['#figure-bits'], ['.screen canvas', 'lab-tabs']],
] as const) {
  test(`${name} at 480 x 360 fits, says where it is from, and axe finds nothing @apart`, async ({ page }) => {
    await page.setViewportSize({ width: 480, height: 360 });
    await page.goto(`./#${link}`);
    await page.waitForSelector('html[data-ready]');
    await expect(page.getByRole('link', { name: /Open in Snapshot Lab/ })).toBeInViewport();
    for (const part of seen) await expect(page.locator(part).first()).toBeInViewport();
    for (const part of hidden) await expect(page.locator(part).first()).toBeHidden();
    expect(await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight])).toEqual([480, 360]);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled({ timeout: 40_000 });
    expect(await violations(page)).toEqual([]);
  });
}
