// All of an instant in one file: saved, opened again in another browser, and refused where it is none of ours.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, fragment, named, open, settled, test, violations, withoutWebGl } from './page';

test.use({ views: 'none' });

const MOTION = `tick,object,x,y,z,qx,qy,qz,qw\n${Array.from({ length: 121 }, (_, tick) => `${tick},0,${tick * 0.05},0,1,0,0,0,1\n`).join('')}`;
const NETWORK = 'sent_ms,delay_ms\n0,20\n100,lost\n200,30\n300,45\n';

const share = (page: Page) => page.getByRole('dialog', { name: 'Share this moment' });
const given = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) });

/** Opens the page with a motion and a recorded network, and saves all. */
async function saved(page: Page): Promise<Buffer> {
  await open(page, 'hz=20&loss=0');
  await page.locator('#motion').setInputFiles({ name: 'my game.csv', mimeType: 'text/csv', buffer: Buffer.from(MOTION) });
  await page.locator('#trace').setInputFiles({ name: 'my ping.csv', mimeType: 'text/csv', buffer: Buffer.from(NETWORK) });
  const begins = page.locator('lab-traced');
  await begins.getByText('More of it').click();
  await begins.getByLabel('Begin at').fill('0.1');
  await begins.getByLabel('Begin at').press('Enter');
  await expect(begins).toContainText('from 0.1 s on');
  await settled(page);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), share(page).getByRole('button', { name: 'Save all' }).click()]);
  await expect(share(page)).toContainText('Saved, ');
  expect(await violations(page, '#share')).toEqual([]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  return readFile(await download.path());
}

test('a motion, a network and the link are saved in one file, which opens all again elsewhere', async ({ page, browser }) => {
  const file = await saved(page);
  const parts = unzipSync(file);
  expect(Object.keys(parts).sort()).toEqual(['link.txt', 'motion/my game.csv', 'trace/my ping.csv']);
  expect(Buffer.from(parts['motion/my game.csv'] ?? []).toString()).toBe(MOTION);
  const link = Buffer.from(parts['link.txt'] ?? []).toString();
  expect(link).toMatch(/&trace=[0-9a-f]{8}&trace-from=0\.1\b/);

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.addInitScript(withoutWebGl);
  await open(elsewhere, 'grid=5&hz=60');
  await elsewhere.locator('#motion').setInputFiles(given('all.zip', file));
  await expect(elsewhere.locator('lab-played')).toContainText(`${named('my game.csv')} plays: 1 object`);
  await expect(elsewhere.locator('lab-traced')).toContainText(`${named('my ping.csv')}, from 0.1 s on`);
  await expect(elsewhere.locator('lab-notices')).not.toContainText('drop its file');
  await settled(elsewhere);
  const instant = /&at=\d+/.exec(link)?.[0];
  await expect.poll(() => fragment(elsewhere)).toContain(instant);
  // One step back leads to the world before, as does the way back from the motion.
  await elsewhere.goBack();
  await expect.poll(() => fragment(elsewhere)).toMatch(/grid=5/);
  await expect(elsewhere.locator('lab-played button', { hasText: 'Back to our own world' })).toHaveCount(0);
  await elsewhere.locator('#motion').setInputFiles(given('all.zip', file));
  await expect(elsewhere.locator('lab-played')).toContainText(`${named('my game.csv')} plays: 1 object`);
  await elsewhere.getByRole('button', { name: 'Back to our own world' }).click();
  await expect(elsewhere.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await elsewhere.context().close();
});

test('a file that is no saved one, or too long, is refused by name, and nothing changes @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=20&at=30');
  const before = fragment(page);
  const bomb = zipSync({ 'link.txt': strToU8('hz=30'), 'trace/long.csv': new Uint8Array(70 << 20) }, { level: 9 });
  expect(bomb.length).toBeLessThan(100_000);
  const whole = zipSync({ 'link.txt': strToU8('hz=30'), 'trace/a.csv': strToU8(NETWORK) });
  const cases: [string, Uint8Array, RegExp][] = [
    ['bomb.zip', bomb, /“\u2068bomb\.zip\u2069” cannot be opened: “\u2068trace\/long\.csv\u2069” in it is longer than \d+ MB/],
    ['holiday.zip', zipSync({ 'a.jpg': strToU8('x') }), /“\u2068holiday\.zip\u2069” cannot be opened: no link\.txt is in it/],
    [
      'two.zip',
      zipSync({ 'link.txt': strToU8(''), 'trace/a.csv': strToU8('0,1'), 'trace/b.csv': strToU8('0,2') }),
      /both “\u2068trace\/a\.csv\u2069” and “\u2068trace\/b\.csv\u2069” are in it/,
    ],
    ['cut.zip', whole.subarray(0, whole.length / 2), /“\u2068cut\.zip\u2069” cannot be opened: /],
  ];
  for (const [name, bytes, words] of cases) {
    await page.locator('#trace').setInputFiles(given(name, bytes));
    await expect(page.locator('lab-notices')).toContainText(words);
    expect(fragment(page)).toBe(before);
  }
  // Its reader refuses a part by the fault; the link is open by then.
  await page
    .locator('#trace')
    .setInputFiles(given('bad.zip', zipSync({ 'link.txt': strToU8('hz=30&grid=5'), 'trace/bad.csv': strToU8('sent_ms,delay_ms\n0,20\n10,-3\n') })));
  await expect(page.locator('lab-notices')).toContainText(`${named('bad.csv')} cannot be used: row 3`);
  await expect.poll(() => fragment(page)).toContain('hz=30');
});
