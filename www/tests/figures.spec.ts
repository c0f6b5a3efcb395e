// The figures, one at a time: what each shows is what the command line says, and one selection goes through them all.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, fragment, open, set, settled, show, test, toggleSettings, violations } from './page';

test.use({ views: 'none' });

const program = 'target/debug/snapshot-lab';

/** The command line's JSON for a link. */
function commandLine<T>(...options: string[]): T {
  return JSON.parse(execFileSync(program, [...options, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 })) as T;
}

interface Rung {
  surface_error_mm: { worst: number };
  name: string;
  bytes_per_packet_mean: number;
}

async function report(page: Page): Promise<Record<string, unknown>> {
  await show(page, 'Bits');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  return (JSON.parse(await readFile(await (await coming).path(), 'utf8')) as { report: Record<string, unknown> }).report;
}

test('tabs have an address, and are gone through by keys @apart', async ({ page }) => {
  await open(page, 'grid=5&show=errors');
  await expect(page.getByRole('tab', { name: 'Errors' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Errors' }).press('Home');
  await expect(page.getByRole('tab', { name: 'Bits' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('tabpanel', { name: 'Errors' })).toBeVisible();
  // The places are the first level.
  await expect(page.getByRole('tab')).toHaveText(['Bits', 'Packets', 'Link', 'Errors']);
  const places = page.getByRole('navigation', { name: 'Places' }).getByRole('button');
  await expect(places).toHaveText(['Lab', 'Packet', 'Compare', 'Your game', 'Read']);
  await places.filter({ hasText: 'Compare' }).click();
  await expect(page.getByRole('tab', { name: 'A and B' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('tabpanel', { name: 'Ladder' })).toBeVisible();
  await expect.poll(() => fragment(page)).toBe('v=2&grid=5&show=ladder');
  // A place opens where it was left, and the lab has no figure.
  await places.filter({ hasText: 'Packet' }).click();
  await expect(page.getByRole('tab', { name: 'Errors' })).toBeFocused();
  await places.filter({ hasText: 'Lab' }).click();
  await expect(page.getByRole('tabpanel')).toHaveCount(0);
  await expect.poll(() => fragment(page)).toBe('v=2&grid=5');
});

test('the ladder of a motion that is held is the command line’s, and each rung chosen costs what it says @apart', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  test.setTimeout(150_000);
  const link = 'hz=60&loss=5&scene=roll&grid=12';
  const ladder = commandLine<Rung[]>('ladder', `#${link}`, '--seconds', '5').filter(({ name }) => name !== 'simulated');
  await open(page, `${link}&at=300&show=ladder`);
  await expect(page.locator('lab-ladder [role=status]')).toContainText('Of the 5.0 s', { timeout: 60_000 });
  await expect(page.locator('lab-ladder [role=status]')).toContainText('Rung 14 is left out above 20 packets a second');
  // The command line shows the class of the link alone.
  const rows = page.locator('.rungs tbody tr.opens').filter({ hasNotText: 'strict' });
  await expect(rows).toHaveCount(ladder.length);
  const shown = (await rows.locator('td:nth-child(4)').allTextContents()).map((text) => Number(text.replaceAll(',', '')));
  expect(shown).toEqual(ladder.map((rung) => Math.round(rung.bytes_per_packet_mean)));
  const off = (await rows.locator('td:nth-child(6)').allTextContents()).map(Number);
  for (const [place, rung] of ladder.entries())
    expect(Math.abs((off[place] ?? -1) - rung.surface_error_mm.worst)).toBeLessThan(0.06 * Math.max(rung.surface_error_mm.worst, 1));
  // In any order, and each to the byte.
  for (const place of [13, 6]) {
    await show(page, 'Ladder');
    await rows.nth(place).getByRole('button').click();
    await expect(rows.nth(place).getByRole('button')).toHaveAttribute('aria-pressed', 'true');
    await settled(page);
    const { bytes_per_packet_mean: mean } = await report(page);
    expect(mean).toBe(ladder[place]?.bytes_per_packet_mean);
  }
});

test('a second lane gets the same motion: one click compares, and what is set for B alone is B’s', async ({ page }) => {
  await open(page, 'scene=katamari&grid=8&at=240&show=compare');
  await page.getByRole('button', { name: 'Linear against hermite' }).click();
  await settled(page);
  await expect.poll(() => fragment(page)).toBe('v=2&codec=uncompressed&jitter=0&loss=0&scene=katamari&grid=8&b.interp=hermite&at=240&show=compare');
  await expect(page.locator('.label.b')).toContainText('hermite');
  await expect(page.locator('.label.right')).toContainText('linear');
  const errors = async (): Promise<number[]> =>
    (
      await page
        .getByRole('row', { name: /Position error, rms/ })
        .getByRole('cell')
        .allTextContents()
    )
      .slice(0, 2)
      .map((text) => Number.parseFloat(text));
  const [linear = 0, hermite = 0] = await errors();
  expect(linear).toBeGreaterThan(hermite);
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await settled(page);
  expect(await errors()).toEqual([hermite, linear]);
  await page.getByRole('group', { name: 'Settings of' }).getByRole('button', { name: 'B', exact: true }).click();
  await set(page, 'hz', '30');
  await settled(page);
  await expect.poll(() => fragment(page)).toContain('b.hz=30&b.interp=linear');
  await page.getByRole('button', { name: /^Reset Send rate to what A has/ }).click();
  await expect(page.locator('#hz')).toBeFocused();
  await expect.poll(() => fragment(page)).not.toContain('b.hz');
  await page.getByRole('tabpanel').getByRole('button', { name: 'Drop B' }).click();
  await expect(page.locator('lab-compare')).toBeFocused();
  await expect(page.locator('.label.b')).toHaveCount(0);
  await expect.poll(() => fragment(page)).not.toContain('b.');
});

test('a packet is chosen by keys, its bits are the command line’s, and its cube is one in all figures', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  const link = 'hz=60&loss=10&scene=katamari&grid=8&codec=predicted';
  interface Inspection {
    number: number;
    bytes: number;
    fate: string;
    spans: { kind: string; rule: string; cube: number | null; length_65536ths: number }[];
  }
  const inspection = commandLine<Inspection>('inspect', `#${link}`, '--tick', '240', '--packet', '230');
  await open(page, `${link}&at=240&packet=230&show=packets`);
  const packets = page.getByRole('slider', { name: 'Packet that is looked at' });
  await expect(packets).toHaveAttribute('aria-valuetext', new RegExp(`^packet 230, ${inspection.bytes} bytes, `));
  const fields = page.getByRole('slider', { name: /^Field of packet/ });
  await expect(fields).toHaveAttribute('aria-valuemax', String(inspection.spans.length));
  await fields.focus();
  await page.keyboard.press('ArrowDown');
  const first = inspection.spans.find(({ cube }) => cube !== null);
  await expect.poll(() => fragment(page)).toContain(`&cube=${first?.cube}`);
  await expect(page.locator('lab-inspector .field')).toContainText(`rule ${first?.rule}`);
  await packets.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(packets).toHaveAttribute('aria-valuenow', '229');
  await expect(page.locator('.fates')).toContainText('lost');
});

test('what if a lost packet had arrived: both are seen side by side @apart', async ({ page }) => {
  await open(page, 'hz=10&loss=30&scene=katamari&grid=8&at=240&show=packets');
  const packets = page.getByRole('slider', { name: 'Packet that is looked at' });
  await packets.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('PageDown');
  await expect(packets).toHaveAttribute('aria-valuetext', /lost/);
  const number = Number(await packets.getAttribute('aria-valuenow'));
  await page.getByRole('button', { name: 'What if it had arrived?' }).click();
  await expect(page.getByRole('tabpanel')).toContainText(`B: packet ${number} arrived.`);
  await settled(page);
  // It goes to the instant at which that shows first.
  const first = page.getByRole('tabpanel').getByRole('button', { name: /^At [\d.]+ s$/ });
  await expect(first).toBeVisible();
  const seconds = Number(/[\d.]+/.exec((await first.textContent()) ?? '')?.[0]);
  await expect(page.getByRole('slider', { name: 'Instant that is shown' })).toHaveValue(String(Math.round(seconds * 60)));
  const [lostA = '', lostB = ''] = await page
    .getByRole('row', { name: /Packets lost/ })
    .getByRole('cell')
    .allTextContents();
  // What is counted has no decimals.
  expect([lostA, lostB]).toEqual([String(Number(lostA)), String(Number(lostA) - 1)]);
  // By keys, too: on the packets, and on the line of time.
  await page.getByRole('tabpanel').getByRole('button', { name: 'Drop B' }).click();
  await show(page, 'Packets');
  await packets.focus();
  await page.keyboard.press('x');
  await expect(page.locator('lab-packets > .chosen')).toContainText('is lost already');
  await page.keyboard.press('s');
  await expect(page.getByRole('tabpanel', { name: 'A and B' })).toBeFocused();
  await expect(page.getByRole('tabpanel')).toContainText(/B: packet \d+ (arrived|lost)/);
  await show(page, 'Packets');
  await packets.press('End');
  await expect(packets).not.toHaveAttribute('aria-valuetext', /lost/);
  const instant = page.getByRole('slider', { name: 'Instant that is shown' });
  await instant.press('Delete');
  await expect(page.locator('lab-timeline [role=status]')).toHaveText(/In B packet \d+ is lost/);
  await expect(instant).toBeFocused();
  await expect(page.getByRole('tabpanel', { name: 'A and B' })).toBeVisible();
});

test('a view that stands still says so beside a cut, and which packet it waits for @apart', async ({ page }) => {
  await open(page, 'hz=10&loss=40&delay=100&scene=katamari&grid=8&at=240&show=packets');
  await page.getByLabel('Event', { exact: true }).selectOption('freeze');
  await page.getByRole('button', { name: 'Previous freeze' }).click();
  await expect(page.locator('.label.right')).toContainText('stands still');
  await expect(page.locator('.why-frozen')).toContainText(/Nothing newer than packet \d+, .*packets? \d+.* lost/);
  await page
    .locator('.why-frozen')
    .getByRole('button', { name: /^Look at packet/ })
    .click();
  await expect(page.getByRole('slider', { name: 'Packet that is looked at' })).toHaveAttribute('aria-valuetext', /lost/);
  await show(page, 'Bits');
  await page.getByRole('button', { name: 'why?' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Packets' })).toBeVisible();
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('button', { name: 'for 2 s' }).click();
  await expect(page.locator('.label.right')).toContainText(/cut off\s+stands still/);
  await expect(page.locator('.why-frozen')).toContainText('the network is cut');
});

test('a visible correction names its packet and who had waited the longest @apart', async ({ page }) => {
  await open(page, 'strategy=sync&both=0&smooth=off&scene=katamari&grid=8&budget=64&loss=20&at=400&show=packets');
  await page.getByLabel('Event', { exact: true }).selectOption('pop');
  await page.getByRole('button', { name: 'Previous visible correction' }).click();
  await expect(page.locator('.label.right')).toContainText('put right');
  await expect(page.locator('.why-frozen')).toContainText(
    /The right view is put right. \d+ cubes? jumps? because of packet \d+: cube \d+ had waited the longest/,
  );
  // And who stood in line for that packet.
  await page
    .locator('.why-frozen')
    .getByRole('button', { name: /^Look at packet/ })
    .click();
  const line = page.locator('lab-inspector details.queue');
  await line.locator('summary').click();
  await expect(line.getByRole('row', { name: /^player .* yes$/ })).toHaveCount(1);
  await expect(line.getByRole('row', { name: /did not fit$/ })).toHaveCount(8);
});

test('the ladder has a second mark for what is set for B, where that makes a difference to it @apart', async ({ page }) => {
  test.setTimeout(90_000);
  await open(page, 'scene=katamari&grid=8&hz=20&at=400&b.pos=12&show=ladder');
  const rows = page.locator('.rungs tbody tr.opens');
  await expect(rows).toHaveCount(18);
  // Bars of what is not all worked out are hatched, beside the words; and no longer than that.
  await expect(page.locator('lab-ladder [role=status]')).toContainText('So far, of');
  await expect(rows.locator('.fill.provisional')).toHaveCount(18);
  await expect(page.locator('lab-ladder [role=status]')).not.toContainText('So far', { timeout: 60_000 });
  await expect(rows.locator('.fill.provisional')).toHaveCount(0);
  await expect(rows.locator('.track .of-b')).toHaveCount(18);
  await expect(rows.nth(11)).toContainText(/\d+ with B/);
  await show(page, 'A and B');
  await page.getByRole('button', { name: 'Copy A to B' }).click();
  await show(page, 'Ladder');
  await expect(rows.locator('.track .of-b')).toHaveCount(0);
});

test('a chart tells its values by pointer and by keys, marks what went wrong, and is not flattened by one outlier @apart', async ({ page }) => {
  await open(page, 'hz=10&loss=40&delay=100&scene=katamari&grid=8&at=400&show=errors');
  const chart = page.locator('#figure-errors lab-chart[figure=position]');
  const slider = chart.getByRole('slider');
  await expect(slider).toHaveAttribute('aria-valuetext', /^now /);
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', /^worst cube [\d.,]+ mm, rms [\d.,]+ mm at \d+\.\d s$/);
  const first = await slider.getAttribute('aria-valuetext');
  await page.keyboard.press('PageUp');
  await expect(slider).not.toHaveAttribute('aria-valuetext', first ?? '');
  await expect(chart.locator('.legend')).toContainText(/rms\s+[\d.,]+ mm/);
  const box = await chart.locator('.u-over').boundingBox();
  if (box === null) throw new Error('there is no chart');
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
  await expect(chart.locator('.legend')).toContainText(/at \d+\.\d s/);
  // Freezes are bars in the colour of what is bad along the top of the lines' field.
  const marked = await chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, 20) ?? { data: [] };
    return [...data].filter((red, i) => i % 4 === 0 && red > 150 && (data[i + 1] ?? 0) < 60).length;
  });
  expect(marked).toBeGreaterThan(10);
});

test('the same packet on another rung stands beside it, cube by cube @apart', async ({ page }) => {
  await open(page, 'scene=katamari&grid=8&hz=20&loss=5&at=240&show=packets');
  await page.getByLabel('The same packet on').selectOption('predicted');
  await settled(page);
  const beside = page.locator('lab-inspector .beside');
  await expect(beside).toContainText(/A: \d+ bytes\. B \(.*\): \d+ bytes,\s+\d+ % of it/);
  await expect(page.locator('lab-inspector table')).toHaveCount(2);
  const captions = await page.locator('lab-inspector caption').allTextContents();
  expect(captions.map((caption) => /(Cube \d+|no cube)/.exec(caption)?.[0])).toEqual([expect.any(String), /(Cube \d+|no cube)/.exec(captions[0] ?? '')?.[0]]);
  await beside.getByRole('button', { name: 'Leave out B' }).click();
  await expect(page.locator('lab-inspector table')).toHaveCount(1);
});

test('what a kbit/s buys is the command line’s, and a point chosen is set @apart', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  const [link, vary] = ['scene=katamari&grid=8', ['hz=10,30', 'interp=linear,hermite']];
  const points = commandLine<{ settings: Record<string, string>; kbps_mean: number; on_front: boolean }[]>(
    'trade',
    `#${link}`,
    '--seconds',
    '4',
    ...vary.flatMap((text) => ['--vary', text]),
  );
  await open(page, `${link}&at=240&show=trade`);
  const rate = page.getByRole('group', { name: 'Send rate' });
  for (const value of ['5', '20', '60']) await rate.getByRole('button', { name: value, exact: true }).click();
  await rate.getByRole('spinbutton').fill('300');
  await rate.getByRole('spinbutton').press('Enter');
  await page.getByRole('button', { name: 'Try all 6' }).click();
  await expect(page.locator('lab-trade [role=status]')).toContainText('Send rate (hz) cannot be "300"');
  await rate.getByRole('button', { name: '300', exact: true }).click();
  await page.getByLabel('Vary also').selectOption('codec');
  await page.getByRole('button', { name: 'Leave out Codec rung' }).click();
  await page.getByRole('button', { name: 'Try all 4' }).click();
  const rows = page.locator('lab-trade tbody tr');
  await expect(rows).toHaveCount(4, { timeout: 30_000 });
  await expect(page.locator('lab-trade [role=status]')).toHaveText('');
  expect(await rows.filter({ hasText: '✓' }).count()).toBe(points.filter((point) => point.on_front).length);
  const cheapest = Math.min(...points.map((point) => point.kbps_mean));
  expect(Number.parseFloat((await rows.first().getByRole('cell').first().textContent()) ?? '')).toBe(Math.round(cheapest));
  await rows.last().getByRole('button').click();
  await expect.poll(() => fragment(page)).toContain('hz=30');
  await expect(page.locator('lab-trade [role=status]')).toContainText('other settings');
  // What is chosen can be read: paper on ink.
  await expect(rows.last().getByRole('button', { pressed: true })).toHaveCSS('color', 'rgb(255, 255, 255)');
});

for (const [colorScheme, width, height] of [
  ['light', 1280, 720],
  ['dark', 390, 844],
] as const) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ views: 'blank', colorScheme, viewport: { width, height }, hasTouch: width < 500, isMobile: width < 500 });

    test('views, time and every figure fit, and axe finds nothing in any @apart', async ({ page }) => {
      test.slow();
      await open(page, 'grid=6&hz=60&loss=20&b.hz=10&at=120');
      expect(await violations(page)).toEqual([]);
      for (const figure of ['Bits', 'Ladder', 'Packets', 'A and B', 'Errors', 'Trade-off', 'Widths', 'Verdict', 'Judge', 'Contents', 'Can you tell?']) {
        await show(page, figure);
        // The rest of the page is as it was.
        expect(await violations(page, '[role=tablist], [role=tabpanel]:not([hidden])'), figure).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      if (width > 500) {
        // All at once, without scrolling the page.
        for (const part of ['.screen canvas', 'lab-transport', '[role=tablist]', '[role=tabpanel]:not([hidden])', '#settings-heading']) {
          const box = await page.locator(part).boundingBox();
          expect((box?.y ?? -1) >= 0 && (box?.y ?? height) + 60 <= height, part).toBe(true);
        }
        return;
      }
      // The sheet leaves both views in sight.
      await toggleSettings(page);
      // It slides into its place.
      await expect
        .poll(async () => {
          const [sheet, canvas] = [await page.locator('#settings').boundingBox(), await page.locator('.screen canvas').boundingBox()];
          return (sheet?.y ?? 0) + 1 - ((canvas?.y ?? 0) + (canvas?.height ?? 1e9));
        })
        .toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Escape');
      await expect(page.locator('#settings')).toBeHidden();
    });
  });
}

test('lanes are compared over the run with eight seeds, and three actions make a report of it @apart', async ({ page }) => {
  await open(page, 'scene=katamari&grid=6&hz=20&loss=10&jitter=20&at=120');
  // Three: the tab, what differs, the report.
  await show(page, 'A and B');
  await page.locator('lab-compare .suggestions button').first().click();
  await settled(page);
  await page.getByRole('button', { name: 'Report' }).click();
  const report = page.getByRole('dialog', { name: /A against B/ });
  await expect(report).toContainText('in 8 of 8 runs', { timeout: 60_000 });
  // Wider than a dialog of words alone: 60 rem.
  expect((await report.boundingBox())?.width).toBe(900);
  await expect(report.locator('polyline.of-b').first()).toBeAttached();
  expect(await violations(page, '#report')).toEqual([]);
  await report.getByRole('button', { name: 'Close' }).click();
  const rows = page.locator('lab-runs tbody tr');
  await expect(rows.first()).toContainText(/B (less|more) in each|the same|within chance/);
});

test('the objects that err most are named at an instant, and a click looks at one @apart', async ({ page }) => {
  await open(page, 'hz=10&loss=20&scene=katamari&grid=6&delay=100&interp=linear&at=400&show=errors');
  const listed = (name: string) => page.getByRole('group', { name }).getByRole('button');
  const worst = listed('Farthest away at this instant');
  await expect(worst).toHaveCount(6);
  const turned = listed('Turned farthest at this instant');
  await expect(turned).toHaveCount(6);
  const angles = (await turned.allTextContents()).map((text) => Number(/: ([\d.,]+)°/.exec(text)?.[1]));
  expect(angles).toEqual(angles.toSorted((a, b) => b - a));
  const errors = (await worst.allTextContents()).map((text) => Number(/: ([\d.,]+) mm/.exec(text)?.[1]?.replace(',', '')));
  expect(errors).toEqual(errors.toSorted((a, b) => b - a));
  const object = /\d+/.exec((await worst.nth(1).textContent()) ?? '')?.[0];
  await worst.nth(1).click();
  await expect(worst.nth(1)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => fragment(page)).toContain(`cube=${object}`);
  await expect(page.locator('lab-worst figcaption')).toContainText(`Cube ${object}`);
  await expect(page.locator('lab-worst')).toContainText('From 0.0 to 6.7 s these err most');
  for (const list of [listed('Farthest away over the run'), listed('Turned farthest over the run')]) {
    await expect(list).toHaveCount(6);
    const means = (await list.allTextContents()).map((text) => Number(/mean ([\d.,]+)/.exec(text)?.[1]?.replace(',', '')));
    expect(means).toEqual(means.toSorted((a, b) => b - a));
    const other = /\d+/.exec((await list.nth(2).textContent()) ?? '')?.[0];
    await list.nth(2).click();
    await expect.poll(() => fragment(page)).toContain(`cube=${other}`);
  }
});
