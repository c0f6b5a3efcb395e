// The challenge's panel: captures go in, every codec is judged in a Worker, and what is no capture is refused in words.

import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, named, open, test, violations } from './page';

test.use({ views: 'none' });

const CUBES = 901;
const FRAME_BYTES = CUBES * 8 * 4;

/** A capture with some sliding cubes, each at a speed of its own. */
function capture(frames: number, sliding = 20): Buffer {
  const bytes = Buffer.alloc(frames * FRAME_BYTES);
  for (let frame = 0; frame < frames; frame += 1) {
    for (let cube = 0; cube < CUBES; cube += 1) {
      const x = cube < sliding ? ((frame * (cube % 7)) % 2000) - 1000 : 0;
      const numbers = [3, 256, 256, 256, x, 100 * cube - 45_000, 102, cube === 0 ? 1 : 0];
      numbers.forEach((number, place) => bytes.writeInt32LE(number, frame * FRAME_BYTES + cube * 32 + place * 4));
    }
  }
  return bytes;
}

/** Opens the page at the panel: views that are out of sight are not drawn, and the simulation keeps up. */
async function openPanel(page: Page, fragment = ''): Promise<void> {
  await open(page, `${fragment}&show=challenge`);
  await page.locator('.captures').scrollIntoViewIfNeeded();
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('A capture file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Drops a file onto some place of the page, as a person's pointer would. */
async function drop(page: Page, onto: string, name: string, file: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
      return transfer;
    },
    [name, file.toString('base64')] as const,
  );
  await page.dispatchEvent(onto, 'dragover', { dataTransfer: transfer });
  await expect(page.locator('.captures')).toHaveClass(/dragged/);
  await page.dispatchEvent(onto, 'drop', { dataTransfer: transfer });
  await expect(page.locator('.captures')).not.toHaveClass(/dragged/);
}

const outcome = (page: Page) => page.locator('.outcome');
const rows = (page: Page) => page.locator('.results tbody tr');

async function recorded(page: Page, seconds: number): Promise<void> {
  const kept = async (): Promise<number> => Number(/last (\d+) s/.exec((await page.locator('lab-recorded').textContent()) ?? '')?.[1] ?? 0);
  await expect.poll(kept, { timeout: 40_000 }).toBeGreaterThanOrEqual(seconds);
}

test('the last minute of play is judged by every codec, beside what was published', async ({ page }) => {
  await openPanel(page);
  await recorded(page, 2);
  await page.getByRole('button', { name: 'Judge it' }).click();
  await expect(outcome(page)).toContainText(/^Judged your own play: \d+ packets, each rebuilt exactly by every codec/, { timeout: 40_000 });
  const cells = await rows(page).evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? '')));
  // What was published is of other data: it stands apart, below.
  expect(cells).toHaveLength(10 + 1 + 2);
  const bytes = cells.slice(0, 10).map((row) => Number(row[1]));
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  for (const [, size, kbps, encode, decode, lossless] of cells.slice(0, 10)) {
    expect(Math.abs(Number(kbps) - Number(size) * 0.48)).toBeLessThan(0.06);
    expect(Number(encode?.replace(',', ''))).toBeGreaterThan(0);
    expect(Number(decode?.replace(',', ''))).toBeGreaterThan(0);
    expect(lossless).toBe('yes');
  }
  expect(cells.slice(11).map((row) => row.slice(1, 3))).toEqual([
    ['531.95', '255.3'],
    ['445.00', '213.6'],
  ]);
  const legend = page.locator('lab-challenge lab-line-chart .legend span');
  await expect(legend).toHaveCount(4);
  await page.getByRole('checkbox', { name: '6 · delta: not changed' }).check();
  await expect(legend).toHaveCount(5);
  await page.getByRole('checkbox', { name: '13 · predicted, chained' }).uncheck();
  await expect(legend).toHaveCount(4);
  await expect(page.locator('lab-challenge lab-line-chart').getByRole('img')).toHaveAttribute(
    'aria-label',
    /over \d+ seconds; means: .*delta: not changed: \d/,
  );
});

test('the last minute is saved as a file that can be dropped and judged @apart', async ({ page }) => {
  await openPanel(page);
  await recorded(page, 1);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save it as a file' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^snapshot-lab-mixed-\d+\.bin\.xz$/);
  await expect(page.locator('lab-recorded')).toContainText(/Saved, [\d,]+ kB/);
  const file = readFileSync(await download.path());
  expect(file.subarray(0, 6)).toEqual(Buffer.from('\xfd7zXZ\0', 'latin1'));
  // Anywhere will do.
  await drop(page, 'h1', 'mine.bin.xz', file);
  await expect(outcome(page)).toContainText(/^Judged “\u2068mine\.bin\.xz\u2069”: \d+ packets, each rebuilt exactly/, { timeout: 40_000 });
});

test('a world of other than 901 cubes has no capture @apart', async ({ page }) => {
  await openPanel(page, 'grid=8');
  await expect(page.locator('lab-recorded')).toContainText('set the grid to 30');
  await expect(page.getByRole('button', { name: 'Judge it' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save it as a file' })).toBeDisabled();
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('judging leaves the page responsive, can be cancelled, and gives way to another file @apart', { tag: '@alone' }, async ({ page }, testInfo) => {
    test.slow();
    const long = testInfo.outputPath('long.bin');
    writeFileSync(long, capture(1200, CUBES));
    await openPanel(page, 'grid=5');
    const input = page.getByLabel('A capture file');
    const progress = page.getByRole('progressbar', { name: /packets of “\u2068long\.bin\u2069”/ });
    const clock = async (): Promise<number> => Number.parseFloat((await page.locator('.clock').textContent()) ?? '');

    await input.setInputFiles(long);
    await expect(progress).toHaveAttribute('max', '1194', { timeout: 40_000 });
    const before = await clock();
    await expect.poll(clock).toBeGreaterThan(before + 0.5);
    await expect(rows(page)).toHaveCount(13);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(progress).toHaveCount(0);
    await expect(outcome(page)).toHaveText(/^Cancelled: the table is of the first \d+ of 1,194 packets\.$/);
    await expect(rows(page)).toHaveCount(13);
    await expect(input).toBeFocused();

    await input.setInputFiles(long);
    await expect(progress).toHaveAttribute('max', '1194', { timeout: 40_000 });
    await choose(page, 'short.bin', capture(20));
    await expect(outcome(page)).toContainText(`Judged ${named('short.bin')}: 14 packets, each rebuilt exactly`);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await page.waitForTimeout(500);
    await expect(outcome(page)).toContainText(`Judged ${named('short.bin')}`);
  });
});

test('what is no capture is refused in words, and what to do @apart', async ({ page }, testInfo) => {
  await openPanel(page, 'grid=5');
  const whole = capture(10);
  const refusals: [name: string, file: Buffer, why: string, remedy: string][] = [
    ['letter.txt', Buffer.from('Dear Sir or Madam, this is not what you are looking for.'), 'not a capture', 'save one here to see'],
    ['broken.bin.xz', Buffer.from('\xfd7zXZ\0\0\x04 and then nothing of the kind', 'latin1'), 'the xz packing is damaged', 'download it again'],
  ];
  for (const [name, file, why, remedy] of refusals) {
    await choose(page, name, file);
    await expect(outcome(page)).toContainText(`Cannot judge ${named(name)}: `);
    await expect(outcome(page)).toContainText(why);
    await expect(outcome(page)).toContainText(remedy);
    await expect(page.getByRole('progressbar')).toHaveCount(0);
  }
  const huge = testInfo.outputPath('huge.bin');
  writeFileSync(huge, '');
  truncateSync(huge, 3 * 60 * 60 * FRAME_BYTES);
  await page.getByLabel('A capture file').setInputFiles(huge);
  await expect(outcome(page)).toContainText('That is two minutes, as much as fits into a page', { timeout: 40_000 });
  // And all is well after that.
  await choose(page, 'whole.bin', whole);
  await expect(outcome(page)).toContainText(`Judged ${named('whole.bin')}: 4 packets`);
});

test('a capture of the original simulation comes to what the command line says @apart', async ({ page }) => {
  test.slow();
  await openPanel(page, 'grid=5');
  await page.getByLabel('A capture file').setInputFiles('crate/codec/tests/captures/mixed.bin.xz');
  await expect(outcome(page)).toContainText(`Judged ${named('mixed.bin.xz')}: 300 packets, each rebuilt exactly`, { timeout: 180_000 });
  const bytes = async (codec: string): Promise<number> => Number(await rows(page).filter({ hasText: codec }).locator('td').first().textContent());
  expect(await bytes('13 · predicted, strict')).toBeCloseTo(225.08, 2);
  expect(await bytes('13 · predicted, chained')).toBeCloseTo(187.65, 2);
});

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ views: 'blank', colorScheme, viewport: { width, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds nothing in the panel, and the page is no wider than the screen @apart', async ({ page }) => {
      await openPanel(page, 'grid=5');
      await page.getByText('What the columns mean').click();
      await choose(page, 'with-a-name-that-has-no-place-to-break-and-goes-on-for-longer-than-the-screen-is-wide.bin', capture(40));
      await expect(outcome(page)).toContainText('34 packets');
      expect(await violations(page, '#figure-challenge')).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await choose(page, 'empty.bin', Buffer.alloc(0));
      await expect(outcome(page)).toContainText('is empty');
      expect(await violations(page, '#figure-challenge')).toEqual([]);
    });
  });
}
