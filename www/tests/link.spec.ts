// The figure Link: delays by cause, the queue, and the line of the playout delay that is dragged.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, fragment, menu, open, set, settled, show, test, violations } from './page';

test.use({ views: 'none' });

const program = 'target/debug/snapshot-lab';
/** Rung 8 is more than this bottleneck takes, once the cubes are rolling. */
const NARROW = 'hz=60&rate=256&queue=500&codec=relative-index&at=1080&show=link';

const caption = (page: Page) => page.locator('lab-link .caption');
const late = (page: Page) => page.locator('lab-link .late-share');
const legend = (page: Page, chart: string) => page.locator('lab-line-chart .legend').filter({ hasText: chart });
const slider = (page: Page) => page.locator('lab-delay-histogram input[type=range]');

async function lateShare(page: Page): Promise<number> {
  return Number.parseFloat((await late(page).textContent()) ?? '');
}

test('the delays of a link are the command line’s, and the figure says over which time @apart', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  const link = 'hz=60&grid=6&latency=40&jitter=10&shape=lognormal&loss=2';
  const report = JSON.parse(execFileSync(program, ['run', `#${link}`, '--seconds', '20', '--json'], { encoding: 'utf8' })) as {
    delay_ms: { p50: number; p95: number };
  };
  await open(page, `${link}&at=1200&show=link`);
  await expect(caption(page)).toContainText('Of the 20.0 s from 0.0 s to 20.0 s: 1,200 packets');
  const [half, p95] = (await caption(page).locator('strong').allTextContents()).map((text) => Number.parseFloat(text));
  expect(Math.abs((half ?? 0) - report.delay_ms.p50)).toBeLessThan(1);
  expect(Math.abs((p95 ?? 0) - report.delay_ms.p95)).toBeLessThan(1);
  await expect(legend(page, 'Delay of each packet')).toContainText('jitter');
  await expect(legend(page, 'Delay of each packet')).not.toContainText('stall');
  await expect(page.locator('lab-link .counters')).toContainText('lost by chance');
});

test('the line of the playout delay is dragged, and moved by keys: later is less too late @apart', async ({ page }) => {
  await open(page, 'hz=60&grid=6&latency=40&jitter=10&shape=lognormal&delay=20&at=900&show=link');
  const before = await lateShare(page);
  expect(before).toBeGreaterThan(5);
  const line = (await page.locator('lab-delay-histogram .grip').boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
  await page.mouse.move(line.x + line.width / 2, line.y + line.height / 2);
  await page.mouse.down();
  await page.mouse.move(line.x + 40, line.y + line.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => fragment(page)).toMatch(/delay=[3-9]\d/);
  await settled(page);
  const dragged = await lateShare(page);
  expect(dragged).toBeLessThan(before / 2);
  await expect(page.locator('#delay')).toHaveValue(await slider(page).inputValue());
  await slider(page).press('End');
  await expect.poll(() => fragment(page)).toContain('delay=2000');
  await expect(late(page)).toHaveText('0 %');
  // The place of the line on its scale does not move what it is due after.
  await settled(page);
  await expect(page.locator('lab-delay-histogram .due')).toContainText('2000 ms');
});

test('a bottleneck shows its queue, what it drops and its capacity; without one there is none, and a button puts it in @apart', async ({ page }) => {
  await open(page, NARROW);
  await expect(legend(page, 'Delay of each packet')).toContainText('queue');
  await expect(legend(page, 'Queue, ms and bytes')).toContainText('full at 500 ms');
  await expect(legend(page, 'Offered and delivered')).toContainText('capacity, 256 kbit/s');
  await expect(page.locator('lab-link .counters')).toContainText('lost: the queue was full');
  // Told by keys as well, packet by packet, in ms and bytes.
  const queue = page.locator('lab-line-chart').filter({ hasText: 'Queue, ms and bytes' }).getByRole('slider');
  await queue.press('End');
  await expect(queue).toHaveAttribute('aria-valuetext', /waiting \d+ ms, [\d,]+ B at 18\.00 s/);
  await set(page, 'rate', '100000');
  await settled(page);
  await expect(page.locator('lab-link .counters')).not.toContainText('the queue was full');
  await open(page, 'hz=60&grid=6&at=300&show=link');
  await page.getByRole('button', { name: 'Put in a bottleneck of 256 kbit/s' }).click();
  await expect.poll(() => fragment(page)).toContain('rate=256');
  await expect(legend(page, 'Queue')).toBeVisible();
});

test('it is of either lane, of every strategy, of a window that is chosen, and of a delay that adapts @apart', async ({ page }) => {
  await open(page, 'hz=60&grid=6&loss=0&b.latency=150&b.loss=10&at=600&show=link');
  const half = async () => Number.parseFloat((await caption(page).locator('strong').first().textContent()) ?? '');
  expect(await half()).toBeLessThan(80);
  await page.getByLabel('Link of').selectOption('b');
  await expect(caption(page).locator('strong').first()).toHaveText(/^1[45]\d ms/);
  await expect(page.locator('lab-link .counters')).toContainText('lost by chance');
  await page.locator('lab-link').getByLabel('Seconds').selectOption('2');
  await expect(caption(page)).toContainText('Of the 2.0 s from 8.0 s to 10.0 s: 120 packets');
  for (const [link, name, amount] of [
    ['strategy=sync&buffer=4', 'Jitter buffer', '4 frames, 67 ms'],
    ['strategy=lockstep&transport=tcp&loss=10', 'Playout delay', '100 ms'],
    ['strategy=lockstep&delay=adaptive', 'Playout delay', 'adaptive now'],
    ['hz=60&delay=adaptive&link=wifi-busy', 'Playout delay', 'adaptive now'],
  ] as const) {
    await open(page, `grid=6&${link}&at=600&show=link`);
    await expect(page.locator('lab-delay-histogram .due')).toContainText(name);
    await expect(page.locator('lab-delay-histogram .due')).toContainText(amount);
    await expect(late(page)).toHaveText(/\d %/);
  }
});

test('it goes on while it plays, and assistive technology stumbles over nothing, light or dark @apart', async ({ page }) => {
  await open(page, NARROW);
  expect(await violations(page, '#figure-link')).toEqual([]);
  await menu(page, 'Dark');
  expect(await violations(page, '#figure-link')).toEqual([]);
  const before = await caption(page).textContent();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(caption(page)).not.toHaveText(before ?? '', { timeout: 20_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(caption(page)).toBeVisible();
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(scrolls).toBe(false);
});

test('it has packets soon after a link has opened it, while the motion plays @apart', async ({ page }) => {
  await open(page, 'grid=5&show=link');
  await expect(page.locator('lab-delay-histogram')).toBeVisible();
  const before = await caption(page).textContent();
  await expect(caption(page)).not.toHaveText(before ?? '');
});

test('a bottleneck is told by the header, the ladder, the packets and the widths @apart', async ({ page }) => {
  await open(page, NARROW.replace('at=1080&show=link', 'at=900&show=ladder'));
  await expect(page.locator('lab-bandwidth .link-full')).toHaveText('link full');
  await expect(page.locator('.rungs thead')).toContainText('dropped');
  await expect(page.locator('lab-ladder [role=status]')).toContainText('Of the 15.0 s', { timeout: 60_000 });
  const row = (name: string) => page.locator('.rungs tbody tr.opens').filter({ hasText: name });
  // Kbit/s, bytes, bits a cube, mm off, then delivered, the queue and the share dropped.
  await expect(row('uncompressed').locator('td').nth(5)).toHaveText(/^2[45]\d$/);
  await expect(row('uncompressed').locator('td').nth(6)).toHaveText(/^4\d\d, [45]\d\d$/);
  await expect(row('uncompressed').locator('td').nth(7)).toHaveText(/^9\d %$/);
  await expect(row('predicted').first().locator('td').nth(7)).toHaveText('0 %');
  expect(await violations(page, '#figure-ladder')).toEqual([]);
  await show(page, 'Packets');
  await expect(page.locator('lab-packets .fates')).toContainText(/wait in the queue, at most \d+ ms/);
  await show(page, 'Widths');
  await expect(page.locator('lab-widths')).toContainText('other widths make other packets, which change the queue');
  await set(page, 'rate', '100000');
  await settled(page);
  await expect(page.locator('lab-bandwidth .link-full')).toHaveCount(0);
});

test('the words beside a trace’s button are whole, and its notice has room on a phone @apart', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, 'grid=6&at=60');
  const help = page.locator('#trace-help');
  const [text, next] = [await help.boundingBox(), await page.locator('#link-heading').boundingBox()];
  expect(await help.evaluate((element) => element.scrollHeight <= element.clientHeight + 1)).toBe(true);
  expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThan(next?.y ?? 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('#trace').setInputFiles({ name: 'mine.csv', mimeType: 'text/plain', buffer: Buffer.from('sent_ms,delay_ms\n0,20\n10,30\n20,25\n') });
  const words = page.locator('lab-traced .notice > p');
  await expect(words).toBeVisible();
  expect((await words.boundingBox())?.width).toBeGreaterThan(240);
});
