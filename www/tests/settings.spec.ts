// Settings, their link, and what follows from them.

import { readFile } from 'node:fs/promises';
import { type Page } from '@playwright/test';
import { expect, fragment, open, test } from './page';

/** A control, a value other than its default, and where on the page the change is seen besides the control and the link. */
type Change = [id: string, value: string, seen: string, text: string | RegExp];

// Of burst, reorder, mtu, seed and class the figures of so short a run say nothing: the lane's own tests do.
const ofAll: Change[] = [
  ['strategy', 'lockstep', '.label.right', 'Simulated again from the keys'],
  ['hz', '60', 'lab-bandwidth .words', /1\.\d+ Mbit\/s uncompressed|\d{3} kbit\/s uncompressed/],
  ['latency', '200', '#latency-help', 'round trip 400 ms'],
  ['jitter', '50', '#delay-help', '350 ms, 3.5 send intervals'],
  ['loss', '50', 'lab-counters', /lost\s*[1-9]/],
  ['burst', '20', 'lab-counters', /sent\s*\d/],
  ['dup', '50', 'lab-counters', /duplicated\s*[1-9]/],
  ['reorder', '50', 'lab-counters', /delivered\s*[1-9]/],
  ['mtu', '576', 'lab-counters', /fragments a packet\s*[\d.]+/],
  ['header', 'ipv6', 'lab-breakdown tbody tr:first-child', /384/],
  ['scene', 'roll', '.label.left', 'scene “roll” plays'],
  ['seed', '12345', '.clock', /s$/],
  ['grid', '6', '#grid-help', '37 cubes'],
  ['speed', '0.5', '.speed .value', '0.5×'],
];
const own: Readonly<Record<string, Change[]>> = {
  snapshot: [
    ['codec', 'uncompressed', 'lab-breakdown tbody', /linear velocity\s*[1-9]/],
    ['class', 'strict', 'lab-breakdown tfoot', /^\s*All\s*(\d,?)+/],
    ['pos', '12', '#pos-help', '4096 steps a metre, 0.244 mm'],
    ['rot', '15', '#rot-help', 'at worst 0.009° off'],
    ['vel', '0', '#vel-help', '1 step a m/s'],
    ['interp', 'hermite', '.label.right', 'hermite with tangents from neighbours'],
    ['delay', '150', '#delay-help', '150 ms, 1.5 send intervals'],
  ],
  // What the switches do to the figures takes other links to be seen, or a long run: strategies.spec.ts, crate/lab/tests/sync.rs.
  sync: [
    ['pos', '9', '#pos-help', '512 steps a metre, 1.95 mm'],
    ['rot', '9', '#rot-help', 'at worst 0.549° off'],
    ['vel', '5', '#vel-help', '32 steps a m/s'],
    ['budget', '64', 'lab-bandwidth .words', 'budget of 64 kbit/s'],
    ['adapt', '1', 'lab-sync', /budget in force\s*\d/],
    ['accumulate', '0', 'lab-sync', /waiting the longest\s*[1-9]/],
    ['velocities', '0', 'lab-breakdown tbody', /linear velocity\s*0\s/],
    ['rel', '1', 'lab-sync', /updates a packet\s*\d/],
    ['delta', '1', 'lab-sync', /updates a packet\s*\d/],
    ['rest', '1', 'lab-sync', /at rest and apart\s*\d/],
    ['buffer', '12', '#buffer-help', '200 ms'],
    ['smooth', 'off', '.label.right', 'not smoothed'],
    ['both', '0', 'lab-sync', /divergence, rms\s*[\d.]*[1-9][\d.]* mm/],
    ['soft', '0', 'lab-sync', /divergence, rms\s*[\d.]+ mm/],
  ],
  lockstep: [
    ['transport', 'tcp', '#header-help', '40 bytes with TCP, 19.2 kbit/s'],
    ['delay', '250', '#delay-help', '250 ms, 15 send intervals'],
    ['desync', 'bit', 'lab-lockstep .verdict', /Out of sync\s*since frame \d+/],
  ],
};

async function set(page: Page, id: string, value: string): Promise<void> {
  const control = page.locator(`[id="${id}"]`);
  const kind = await control.evaluate((element) => element.getAttribute('role') ?? element.tagName);
  if (kind === 'SELECT') await control.selectOption(value);
  else if (kind === 'switch') await control.setChecked(value === '1');
  else {
    await control.fill(value);
    await control.press('Enter');
  }
}

for (const [strategy, changes] of Object.entries(own)) {
  test(`${strategy}: each control changes its setting, the link and what is shown, and goes back`, async ({ page }) => {
    test.slow();
    await open(page, `strategy=${strategy}&grid=5`);
    const controls = page.locator('lab-controls :is(select, input[type=number], input[role=switch])');
    const shown = await controls.evaluateAll((all) => all.map(({ id }) => id));
    expect([...ofAll, ...changes].map(([id]) => id).toSorted()).toEqual(shown.toSorted());
    for (const [id, value, seen, text] of strategy === 'snapshot' ? [...ofAll, ...changes] : changes) {
      await set(page, id, value);
      await expect.poll(() => fragment(page)).toContain(`&${id}=${value}`);
      await expect(page.locator(seen)).toContainText(text);
      await page.locator('.control', { has: page.locator(`[id="${id}"]`) }).getByRole('button', { name: 'Reset' }).click();
      await expect.poll(() => fragment(page)).not.toContain(`${id}=`);
      // The default grid of 901 cubes is slow to draw in software.
      if (id === 'grid') await set(page, id, '5');
    }
  });
}

test('a slider changes the setting as it moves, and says what it is', async ({ page }) => {
  await open(page, 'grid=5');
  const slider = page.getByRole('slider', { name: 'Send rate' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => fragment(page)).toBe('v=1&hz=11&grid=5');
  await expect(page.getByLabel('Send rate', { exact: true })).toHaveValue('11');
  await expect(slider).toHaveAttribute('aria-valuetext', '11 /s, one every 90.9 ms');
});

test('special values have a box of their own', async ({ page }) => {
  await open(page, 'grid=5');
  const auto = page.getByRole('checkbox', { name: /^auto/ });
  await expect(auto).toBeChecked();
  await auto.uncheck();
  await expect(page.getByLabel('Playout delay', { exact: true })).toHaveValue('150');
  await auto.check();
  await expect.poll(() => fragment(page)).toBe('v=1&grid=5');
});

test('presets keep the world, and say which of them is chosen', async ({ page }) => {
  await open(page, 'grid=5&seed=7');
  await page.getByRole('button', { name: 'Delta' }).click();
  const preset = page.getByRole('button', { name: '3 Relative index' });
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => fragment(page)).toContain('codec=relative-index');
  expect(fragment(page)).toContain('seed=7&grid=5');
  await set(page, 'loss', '7');
  await expect(preset).toHaveAttribute('aria-pressed', 'false');
});

test('a hostile link falls back with a notice that can be sent away', async ({ page }) => {
  await open(page, 'grid=5&hz=9999&interp=%3Cimg%20src=x%20onerror=alert(1)%3E&constructor=1');
  const notice = page.getByRole('status').filter({ hasText: 'Send rate' });
  await expect(notice).toContainText('Send rate (hz) cannot be "9999": it goes from 1 to 60; the default stands');
  await expect(notice).toContainText('There is no setting "constructor"');
  await expect(page.getByLabel('Send rate', { exact: true })).toHaveValue('10');
  expect(fragment(page)).toBe('v=1&grid=5');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test('another link in the address bar is opened in place', async ({ page }) => {
  await open(page, 'grid=5');
  await page.evaluate(() => (location.hash = 'v=1&grid=5&hz=30'));
  await expect(page.getByLabel('Send rate', { exact: true })).toHaveValue('30');
});

test.describe('at rest', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('a shared link gives the same bytes, and exports say so', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, 'hz=30&interp=hermite&loss=5&seed=7');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await expect(page.locator('.clock')).toHaveText('7.0 s');
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByText('Link copied')).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(page.url());
    const here = await download(page, 'Download JSON');
    const there = await context.newPage();
    await there.goto(link);
    await there.waitForSelector('html[data-ready]');
    expect(await download(there, 'Download JSON')).toBe(here);
    const { report, samples } = JSON.parse(here) as { report: Record<string, unknown>; samples: unknown[] };
    expect(report['ticks']).toBe(421);
    expect(report['packets_hash']).toMatch(/^[0-9a-f]{16}$/);
    expect(samples).toHaveLength(70);
    const rows = (await download(page, 'Download CSV')).split('\r\n');
    expect(rows[0]).toMatch(/^time_s,kbps,/);
    expect(rows).toHaveLength(71);
  });
});

async function download(page: Page, button: string): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await coming).path(), 'utf8');
}
