// Two pages over WebRTC, in a network of their own.

import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { hasNamespaces, launchInNetwork, type NetworkBrowser } from './network';

/** Firefox's program; cargo xtask looks for one. */
const { FIREFOX = '' } = process.env;
const WORLD = '#v=2&scene=drive&grid=5&rival=hand&hz=20';
let network: NetworkBrowser;
/** Address of the site in the network: an insecure origin, as that of a host in a class. */
let site = '';

test.beforeAll(async () => {
  test.skip(!hasNamespaces, 'This machine gives no network namespaces');
  network = await launchInNetwork();
  site = await network.inside('site');
});

test.afterAll(() => network?.close());

function context(): Promise<BrowserContext> {
  return network.browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 900 } });
}

async function host(page: Page): Promise<void> {
  await page.goto(site + WORLD);
  await page.waitForSelector('html[data-ready]');
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto, 'serviceWorker' in navigator])).toEqual([false, false, false]);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Play together' }).click();
}

test('two windows and two browsers play over WebRTC on an insecure origin @apart', async () => {
  test.setTimeout(240_000);
  const here = await context();
  const page = await here.newPage();
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await test.step('another window', async () => {
    const [guest] = await Promise.all([here.waitForEvent('page'), dialog.getByRole('link', { name: 'In another window' }).click()]);
    await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
    await expect(guest.locator('lab-guest .word')).toHaveText('', { timeout: 30_000 });
    await expect(guest.locator('lab-guest')).not.toContainText('from window to window');
    await expect(dialog.locator('.guests')).not.toContainText('other window');
    await guest.close();
    await expect(dialog.locator('.said')).toHaveText(/is gone\.$/, { timeout: 8_000 });
  });
  await test.step('by a code, from a browser that shares nothing with this one', async () => {
    await dialog.getByRole('button', { name: 'By a code' }).click();
    const link = await dialog.locator('#invitation').inputValue({ timeout: 30_000 });
    await expect(dialog.locator('.qr')).toBeVisible();
    test.info().annotations.push({ type: 'characters of the invitation', description: String(link.length) });
    const guest = await (await context()).newPage();
    await guest.goto(link);
    await guest.getByLabel('Your name').fill('Ann');
    await guest.getByRole('button', { name: 'Join' }).click();
    const answer = await guest.locator('#answer').inputValue({ timeout: 30_000 });
    await dialog.locator('#answer').fill(answer);
    await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
    const row = dialog.locator('.guests tbody tr').filter({ hasText: 'Ann' });
    await expect(row).toContainText('drives');
    await guest.locator('canvas').press('ArrowUp', { delay: 1_500 });
    await row.getByRole('button', { name: 'What Ann saw' }).click();
    await expect(dialog.locator('.said')).toHaveText(/^Lane B is what “.*Ann.*” saw\.$/, { timeout: 60_000 });
    // The same code leads nowhere a second time.
    await dialog.getByRole('button', { name: 'By a code' }).click();
    await expect(dialog.locator('#answer')).toBeVisible({ timeout: 30_000 });
    await dialog.locator('#answer').fill(answer);
    await expect(dialog.getByRole('alert')).toHaveText('This code answers another invitation: make a new one.');
  });
});

test('a guest in Firefox joins by a code, drives, and the host sees what he saw @apart', async () => {
  test.skip(FIREFOX === '', 'Firefox is not there');
  test.setTimeout(240_000);
  const page = await (await context()).newPage();
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await dialog.getByRole('button', { name: 'By a code' }).click();
  const link = await dialog.locator('#invitation').inputValue({ timeout: 30_000 });
  await network.inside('firefox', FIREFOX, {});
  const ask = async <Value>(expression: string): Promise<Value> => JSON.parse(await network.inside<string>('run', expression)) as Value;
  const text = (selector: string): Promise<string> => ask(`document.querySelector('${selector}')?.textContent.replaceAll(/\\s+/g, ' ') ?? ''`);
  await network.inside('go', link);
  await expect.poll(() => ask('document.querySelector("#name") !== null')).toBe(true);
  await ask('document.querySelector("#name").value = "Fox", document.querySelector("button.primary").click()');
  await expect.poll(() => ask('document.querySelector("#answer")?.value ?? ""'), { timeout: 30_000 }).toMatch(/^1\./);
  await dialog.locator('#answer').fill(await ask('document.querySelector("#answer").value'));
  await expect.poll(() => text('lab-guest .counters'), { timeout: 60_000 }).toMatch(/Round trip ?\d+ ms/);
  // Without a graphics card Firefox draws nothing, and plays on.
  expect(await text('lab-guest .word')).toMatch(/^$|^This browser gives no WebGL 2/);
  const row = dialog.locator('.guests tbody tr').filter({ hasText: 'Fox' });
  await expect(row).toContainText('drives');
  await network.inside('press', 'ArrowUp', 1_500);
  await row.getByRole('button', { name: 'What Fox saw' }).click();
  await expect(dialog.locator('.said')).toHaveText(/^Lane B is what “.*Fox.*” saw\.$/, { timeout: 60_000 });
  await ask('document.querySelector("lab-guest").querySelectorAll("button").forEach((button) => button.textContent.trim() === "Leave" && button.click())');
  await expect(dialog.locator('.said')).toHaveText(/is gone\.$/, { timeout: 8_000 });
});
