// Settings, their link, and what follows from them.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { bringUp, expect, fragment, open, set, settled, show, test } from './page';

test.use({ views: 'none' });

/** A control, a value other than its default, and where on the page the change is seen besides the control and the link. */
type Change = [id: string, value: string, seen: string, text: string | RegExp];

// What each setting does to the figures is seen of a motion that is held, below; here, that the words beside it follow.
const ofAll: Change[] = [
  ['strategy', 'lockstep', '.label.right', 'Simulated again from the keys'],
  ['hz', '60', 'lab-rate .words', /1\.\d+ Mbit\/s uncompressed|\d{3} kbit\/s uncompressed/],
  ['dup', '50', 'lab-counters', /duplicated\s*[1-9]/],
  ['header', 'ipv6', 'lab-breakdown tbody tr:first-child', /384/],
  ['scene', 'drive', '.label.left', 'you drive'],
  ['grid', '6', '#grid-help', '37 cubes'],
  ['speed', '0.5', '.speed .value', '0.5×'],
];
const own: Readonly<Record<string, Change[]>> = {
  snapshot: [
    ['codec', 'uncompressed', 'lab-breakdown tbody', /linear velocity\s*[1-9]/],
    ['interp', 'hermite', '.front-control [aria-pressed=true]', 'hermite'],
    ['delay', '150', '#delay-help', '150 ms, 1.5 send intervals'],
  ],
  // What the switches do to the figures takes other links to be seen, or a long run: strategies.spec.ts.
  sync: [
    ['budget', '64', 'lab-rate .words', 'budget of 64 kbit/s'],
    ['smooth', 'off', '.label.right', 'not smoothed'],
    ['both', '0', 'lab-sync', /divergence, rms\s*[\d.]*[1-9][\d.]* mm/],
  ],
  lockstep: [
    ['transport', 'tcp', '#header-help', '40 bytes with TCP, 19.2 kbit/s'],
    ['delay', '250', '#delay-help', '250 ms, 15 send intervals'],
    ['desync', 'bit', 'lab-lockstep .verdict', /Out of sync\s*since frame \d+/],
  ],
};

for (const [strategy, changes] of Object.entries(own)) {
  test(`${strategy}: each control changes its setting, the link and what is shown, and goes back${strategy === 'snapshot' ? '' : ' @apart'}`, async ({
    page,
  }) => {
    test.slow();
    await open(page, `strategy=${strategy}&grid=5`);
    for (const [id, value, seen, text] of strategy === 'snapshot' ? [...ofAll, ...changes] : changes) {
      await bringUp(page, seen);
      await expect(page.locator(seen), id).not.toContainText(text);
      await set(page, id, value);
      await expect.poll(() => fragment(page)).toContain(`&${id}=${value}`);
      await expect(page.locator(seen)).toContainText(text);
      await page
        .locator('.control', { has: page.locator(`[id="${id}"]`) })
        .getByRole('button', { name: 'Reset' })
        .click();
      await expect.poll(() => fragment(page)).not.toContain(`${id}=`);
      // The default grid of 901 cubes is slow to draw in software.
      if (id === 'grid') await set(page, id, '5');
    }
  });
}

// Tests of the laboratory hold every setting to the part that reads it; here is seen that the page keeps its instant and shows the new figures.
test('paused, a setting of each kind leaves the instant, changes the figures and empties none @apart', async ({ page }) => {
  test.slow();
  const values = { hz: '60', delay: '40', grid: '7', strategy: 'sync' };
  await open(page, 'hz=30&scene=katamari&grid=8&codec=predicted&loss=10&reorder=5&at=200');
  const figures = async (): Promise<string> => {
    const texts = await page.locator('lab-bandwidth, .label.right').allInnerTexts();
    for (const tab of ['Bits', 'Packets']) {
      await show(page, tab);
      texts.push(await page.getByRole('tabpanel').innerText());
    }
    return texts.join(' ').replace(/\s+/g, ' ');
  };
  const instant = page.getByRole('slider', { name: 'Instant that is shown' });
  await expect(instant).toHaveValue('200');
  const before = await figures();
  for (const [id, value] of Object.entries(values)) {
    const old = await page
      .locator(`[id="${id}"]`)
      .evaluate((control: HTMLInputElement) => (control.type === 'checkbox' ? Number(control.checked) : control.value));
    await set(page, id, value);
    // At once, while the history is made again, and when it is there.
    expect(Number.parseFloat((await page.locator('lab-bandwidth .value').textContent()) ?? ''), id).toBeGreaterThan(0);
    await settled(page);
    await expect(instant, id).toHaveValue('200');
    const after = await figures();
    expect(Number.parseFloat((await page.locator('lab-bandwidth .value').textContent()) ?? ''), id).toBeGreaterThan(0);
    expect(after, id).not.toBe(before);
    await page.goBack();
    await settled(page);
    await expect.poll(() => fragment(page), id).not.toContain(`&${id}=${value}`);
    if (id !== 'strategy')
      expect(
        await page.locator(`[id="${id}"]`).evaluate((control: HTMLInputElement) => (control.type === 'checkbox' ? Number(control.checked) : control.value)),
      ).toBe(old);
    expect(await figures(), `${id}, back again`).toBe(before);
  }
});
test('a slider changes the setting as it moves, and says what it is @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const slider = page.locator('#settings').getByRole('slider', { name: 'Send rate' });
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => fragment(page)).toBe('v=2&hz=11&grid=5');
  await expect(page.locator('#settings').getByLabel('Send rate', { exact: true })).toHaveValue('11');
  await expect(slider).toHaveAttribute('aria-valuetext', '11 /s, one every 90.9 ms');
});

test('special values have a box of their own @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const auto = page.getByRole('checkbox', { name: /^auto ?: Playout delay/ });
  const adaptive = page.getByRole('checkbox', { name: /^adaptive ?: Playout delay/ });
  await expect(auto).toBeChecked();
  await auto.uncheck();
  await expect(page.getByLabel('Playout delay', { exact: true })).toHaveValue('150');
  await adaptive.check();
  await expect.poll(() => fragment(page)).toContain('delay=adaptive');
  await expect(auto).not.toBeChecked();
  await auto.check();
  await expect(adaptive).not.toBeChecked();
  await expect.poll(() => fragment(page)).toBe('v=2&grid=5');
});

test('presets keep the world, and say which of them is chosen @apart', async ({ page }) => {
  await open(page, 'grid=5&seed=7');
  await page.getByRole('button', { name: 'Delta' }).click();
  const preset = page.getByRole('button', { name: 'Relative index' });
  await preset.click();
  await expect(preset).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => fragment(page)).toContain('codec=relative-index');
  expect(fragment(page)).toContain('seed=7&grid=5');
  await set(page, 'loss', '7');
  await expect(preset).toHaveAttribute('aria-pressed', 'false');
});

test('a refused value is told beside its field, with the step, and the next one that is taken ends that @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=20');
  const field = page.locator('#settings').getByLabel('Send rate', { exact: true });
  await set(page, 'hz', '99.5');
  const refusal = page.getByRole('alert').filter({ hasText: 'cannot be "99.5": it takes whole numbers from 1 to 240. It stays 20.' });
  await expect(refusal).toBeVisible();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/It stays 20/);
  await expect(field).toHaveValue('20');
  await set(page, 'hz', '30');
  await expect(refusal).toHaveCount(0);
  await expect.poll(() => fragment(page)).toContain('hz=30');
});

test('a hostile link falls back with a notice that can be sent away @apart', async ({ page }) => {
  await open(page, 'grid=5&show=nothing&hz=9999&interp=%3Cimg%20src=x%20onerror=alert(1)%3E&constructor=1');
  const notice = page.getByRole('status').filter({ hasText: 'Send rate' });
  await expect(notice).toContainText('Send rate (hz) cannot be "9999": it takes whole numbers from 1 to 240; the default stands');
  await expect(notice).toContainText('There is no setting "constructor"');
  await expect(notice).toContainText('"show" cannot be "nothing": bits, packets, ');
  await expect(page.locator('#settings').getByLabel('Send rate', { exact: true })).toHaveValue('10');
  expect(fragment(page)).toBe('v=2&grid=5');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
});

test.describe('at rest', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('a shared link gives the same bytes, and exports say so', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, 'hz=30&interp=hermite&loss=5&seed=7&grid=8');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await expect(page.locator('.clock')).toHaveText('7.02 s');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Copy: Link' }).click();
    await expect(page.getByText('Link copied')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(page.url());
    const here = await download(page, 'Download JSON');
    const there = await context.newPage();
    await there.goto(link);
    await there.waitForSelector('html[data-ready]');
    await settled(there);
    expect(await download(there, 'Download JSON')).toBe(here);
    const { report } = JSON.parse(here) as { report: Record<string, unknown> };
    expect(report['ticks']).toBe(421);
    expect(report['packets_hash']).toMatch(/^[0-9a-f]{16}$/);
    const rows = (await download(page, 'Download figures')).trim().split('\r\n');
    expect(rows[0]).toMatch(/^tick,time \(s\),kbps \(kbit\/s\),/);
    // A row a tick, the start included.
    expect(rows).toHaveLength(1 + 422);
  });
});

async function download(page: Page, button: string): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile(await (await coming).path(), 'utf8');
}

test('settings without effect now are folded with their count, and come out when the rung uses them @apart', async ({ page }) => {
  await open(page, 'codec=uncompressed&grid=5');
  const sender = page.locator('lab-controls[group="Sender"]');
  await expect(sender.locator('summary')).toHaveText('8 more, without effect now');
  await expect(sender.locator('#pos')).toBeHidden();
  await page.locator('#codec').selectOption('predicted');
  await expect(sender.locator('#pos')).toBeVisible();
  await expect(sender.locator('#class')).toBeVisible();
  await expect(sender.locator('summary')).toHaveText('5 more, without effect now');
  // What is set is in sight.
  await page.goto('./#v=2&grid=5&mtu=1200&dup=3');
  await expect(page.locator('#mtu')).toBeVisible();
  await expect(page.locator('#dup')).toBeVisible();
  await page.goto('about:blank');
  await open(page, '');
  expect(await page.evaluate(() => document.querySelector('#settings')?.scrollHeight)).toBeLessThan(3600);
});

test('the search finds settings by name, by id and by their explanation, also below the fold @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const controls = page.locator('#settings lab-controls .control');
  const all = await controls.count();
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('hermite');
  await expect(controls.locator('label').first()).toHaveText('Interpolation');
  await expect(page.getByRole('heading', { name: 'Link', exact: true })).toBeHidden();
  await expect(page.locator('lab-presets')).toBeHidden();
  // One that is folded without a search.
  await page.getByRole('searchbox').fill('MTU');
  await expect(page.locator('#mtu')).toBeVisible();
  expect(await controls.count()).toBeLessThan(all / 4);
  await page.getByRole('searchbox').fill('');
  await expect(controls).toHaveCount(all);
  await expect(page.locator('lab-presets')).toBeVisible();
});
