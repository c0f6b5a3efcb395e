// What a sceptic recomputes: the figures of a paused page against its own download of every tick.

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, open, show, test } from './page';

test.use({ views: 'blank' });

const HZ = 60;

/** The download: a value of a figure at each tick. */
class Download {
  private readonly rows: readonly string[][];
  private readonly names: readonly string[];

  constructor(text: string) {
    const [head = '', ...rows] = text.trim().split('\r\n');
    this.names = head.split(',').map((name) => name.replace(/ \(.*\)$/, ''));
    this.rows = rows.map((row) => row.split(','));
  }

  /** The values of a figure in the ticks after `from`, up to `to`, without those that are not there. */
  values(name: string, from: number, to: number): number[] {
    const [tick, place] = [this.names.indexOf('tick'), this.names.indexOf(name)];
    if (place < 0) throw new Error(`there is no ${name}`);
    const within = this.rows.filter((row) => Number(row[tick]) > from && Number(row[tick]) <= to && row[place] !== '');
    return within.map((row) => Number(row[place]));
  }

  at(name: string, tick: number): number {
    return this.values(name, tick - 1, tick)[0] ?? Number.NaN;
  }

  mean(name: string, tick: number): number {
    const values = this.values(name, tick - HZ, tick);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }
}

async function download(page: Page): Promise<Download> {
  await show(page, 'Bits');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download figures' }).click();
  return new Download(readFileSync(await (await saved).path(), 'utf8'));
}

/** The first number in a text. */
const number = (text: string | null): number => Number.parseFloat((text ?? '').replaceAll(',', '').match(/-?[\d.]+/)?.[0] ?? 'NaN');

/** The error of a number that is written with few digits. */
const written = (value: number): number => (value < 1 ? 0.006 : value < 10 ? 0.06 : 0.51);

/** Says which figure differs, the page's before the download's. */
function same(name: string, onPage: number, downloaded: number, most = written(downloaded)): void {
  test.info().annotations.push({ type: name, description: `${onPage} on the page, ${downloaded.toFixed(3)} downloaded` });
  expect.soft(Math.abs(onPage - downloaded), `${name}: ${onPage} on the page, ${downloaded} downloaded`).toBeLessThanOrEqual(most);
}

for (const [link, isApart] of [
  ['loss=0&jitter=0&latency=50&delay=350&scene=katamari&at=540', false],
  ['loss=0&jitter=0&latency=50&delay=300&scene=katamari&at=541', true],
  ['at=542', true],
  ['hz=15&interp=none&at=543', true],
  ['hz=30&loss=10&delay=120&interp=hermite&at=544', true],
  ['hz=20&loss=2&rate=256&queue=300&at=545', true],
] as const) {
  test(`the figures of a paused page are those of its download: ${link}${isApart ? ' @apart' : ''}`, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page, link);
    const tick = Number(/at=(\d+)/.exec(link)?.[1]);
    const file = await download(page);
    const effects = await page.locator('.front-control .effect').allTextContents();
    const [age = '', bits = '', off = ''] = effects;
    // The front: means of the last second, over every tick.
    const lateMs = file.mean('behind_ms', tick);
    same('ms late', number(age), lateMs);
    const [, buffered = Number.NaN, fastest = Number.NaN] = (age.match(/\d+/g) ?? []).map(Number);
    same('its parts', buffered + fastest, number(age), 0);
    same('ms of buffer', buffered, file.mean('delay_ms', tick));
    same('mm off', number(off), file.mean('surface_error_mm.mean', tick));
    same('bits a cube', number(bits.split(':')[1] ?? ''), file.mean('bits_per_changed_cube', tick));
    // The header and the bar: the last second at the shown instant.
    const unit = (await page.locator('lab-bandwidth .unit').textContent()) ?? '';
    const kbps = number(await page.locator('lab-bandwidth .value').textContent()) * (unit.startsWith('Mbit') ? 1000 : 1);
    same('kbit/s', kbps, file.at('kbps', tick), file.at('kbps', tick) < 100 ? 0.06 : unit.startsWith('Mbit') ? 6 : 0.51);
    await page.getByRole('tab', { name: 'Bits', exact: true }).waitFor();
    const packetBits = number(await page.locator('lab-breakdown tfoot td').first().textContent());
    const kinds = ['ip_udp', 'header', 'ack', 'index', 'flags', 'interacting', 'position', 'orientation', 'linear_velocity', 'angular_velocity', 'padding'];
    const whole = kinds.reduce((sum, kind) => sum + (file.values(`ledger_bits_per_packet.${kind}`, tick - 1, tick)[0] ?? 0), 0);
    same('bits of the mean packet', packetBits, whole, 0.51);
    // The charts of Errors and the list below them: the shown instant.
    await show(page, 'Errors');
    const legend = page.locator('lab-chart[figure="position"] .legend');
    const worst = number(await legend.locator('span', { hasText: 'worst cube' }).locator('b').textContent());
    same('worst cube, mm', worst, file.at('position_error_mm.max', tick));
    same('rms, mm', number(await legend.locator('span', { hasText: 'rms' }).locator('b').textContent()), file.at('position_error_mm.rms', tick));
    const [first] = await page.getByRole('group', { name: 'Farthest away at this instant' }).getByRole('button').allTextContents();
    same('the list, mm', number((first ?? '').split(':')[1] ?? ''), worst, written(worst));
    // The counts since the beginning.
    await show(page, 'Packets');
    const counters = page.locator('lab-counters dl > div');
    for (const [name, id] of [
      ['Packets sent', 'packets_sent'],
      ['Packets lost', 'packets_lost'],
      ['Packets late', 'packets_late'],
    ] as const) {
      const shown = await counters.filter({ hasText: name }).first().locator('dd').textContent();
      same(name, number(shown), file.at(id, tick), 0);
    }
    // Link: the time of the fastest packet that the delay is added to is a time that a packet took.
    await show(page, 'Link');
    const due = await page.locator('lab-delay-histogram .due').textContent();
    const [, delayMs = Number.NaN, fastestMs = Number.NaN] = /(\d+) ms.*after the ([\d.]+) ms/.exec((due ?? '').replace(/\s+/g, ' ')) ?? [];
    same('Link: playout delay', Number(delayMs), file.at('delay_ms', tick), 0.51);
    const least = Math.min(
      ...file.values('behind_ms', tick - 20 * HZ, tick).map((age, place) => age - (file.values('delay_ms', tick - 20 * HZ, tick)[place] ?? 0)),
    );
    same('Link: the fastest packet', Number(fastestMs), least, 0.51);
  });
}
