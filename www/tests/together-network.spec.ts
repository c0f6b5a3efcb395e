// Two pages over WebRTC, in a network of their own.

import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { hasNamespaces, launchInNetwork, type NetworkBrowser } from './network';

const ADDRESS = 'http://lab.test/any/folder/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};
let network: NetworkBrowser;

test.beforeAll(async () => {
  test.skip(!hasNamespaces, 'This machine gives no network namespaces');
  network = await launchInNetwork();
});

test.afterAll(() => network?.close());

/** A context whose pages come from `dist`, by no network. The origin is an insecure one, as that of a host in a class. */
async function context(): Promise<BrowserContext> {
  const made = await network.browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 900 } });
  await made.route('**/*', (route) => {
    const path = new URL(route.request().url()).pathname.replace('/any/folder/', '') || 'index.html';
    try {
      return route.fulfill({ body: readFileSync(join('dist', path)), contentType: TYPES[extname(path)] ?? 'application/octet-stream' });
    } catch {
      return route.fulfill({ status: 404, body: '' });
    }
  });
  return made;
}

async function host(page: Page): Promise<void> {
  await page.goto(`${ADDRESS}#v=2&scene=drive&grid=5&rival=hand&hz=20`);
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
