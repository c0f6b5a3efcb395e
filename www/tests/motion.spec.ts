// Why these widths, and a motion of one's own: what the page counts and plays is what the command line says.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from '@playwright/test';
import { ANSWERS_MS, expect, fragment, longestTask, named, open, settled, show, test, toggleSettings, violations } from './page';

test.use({ views: 'none' });

const program = 'target/debug/snapshot-lab';
const example = 'docs/motion-example.csv';

function commandLine<T>(...options: string[]): T {
  // What there is to know of a motion is told on stderr.
  return JSON.parse(execFileSync(program, [...options, '--json'], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })) as T;
}

interface Pair {
  small_bits: number;
  large_bits: number;
  bits_per_changed_cube: number;
}
interface Counts {
  changed_cubes: number;
  position: { chosen: Pair; articles: Pair; best: Pair };
  orientation: { chosen: Pair; articles: Pair; best: Pair };
}

const position = (page: Page) => page.getByRole('region', { name: /^Position/ });

/** Drops a file onto the page, as a person's pointer would. */
async function drop(page: Page, name: string, file: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
      return transfer;
    },
    [name, file.toString('base64')] as const,
  );
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: transfer });
  await expect(page.locator('html')).toHaveAttribute('data-dragged', '');
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
  await expect(page.locator('html')).not.toHaveAttribute('data-dragged');
}

async function dropExample(page: Page): Promise<void> {
  await drop(page, 'my game.csv', readFileSync(example));
  await expect(page.locator('lab-played')).toContainText(`${named('my game.csv')} plays: 3 objects, 2.0 s at 60 Hz.`);
}

test('widths cost what the command line counts, and the best are one click away @apart', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  test.setTimeout(120_000);
  const link = 'hz=20&scene=katamari&grid=8';
  const counts = commandLine<Counts>('widths', `#${link}`, '--seconds', '5');
  await open(page, `${link}&at=300&show=widths`);
  await expect(page.locator('lab-widths [role=status]')).toContainText(`${counts.changed_cubes.toLocaleString('en')} changed cubes in 100 packets`, {
    timeout: 30_000,
  });
  const costs = position(page).locator('.costs');
  const bits = (pair: Pair): string => pair.bits_per_changed_cube.toFixed(2);
  await expect(costs).toContainText(`${bits(counts.position.chosen)} bits a changed cube with 5 and 9.`);
  await expect(page.getByRole('region', { name: /^Orientation/ }).locator('.costs')).toContainText(`${bits(counts.orientation.best)}`);
  const { best } = counts.position;
  await position(page).getByRole('button', { name: 'Use the best' }).click();
  await expect(costs).toContainText(`${bits(best)} bits a changed cube with ${best.small_bits} and ${best.large_bits}, the best there is.`);
  await expect(page.locator('[id="pos-small"]')).toHaveValue(String(best.small_bits));
  await expect.poll(() => fragment(page)).toContain(`pos-small=${best.small_bits}&pos-large=${best.large_bits}`);
  await position(page).getByRole('button', { name: 'Use the articles’' }).click();
  await expect.poll(() => fragment(page)).not.toContain('pos-small');
});

test('a range is moved by keys and by dragging its line, and the other gives way @apart', async ({ page }) => {
  await open(page, 'hz=20&scene=katamari&grid=8&at=120&show=widths');
  const costs = position(page).locator('.costs');
  await expect(costs).toContainText('with 5 and 9');
  const small = position(page).getByRole('slider', { name: /^Small range of position/ });
  await small.press('ArrowRight');
  await expect(costs).toContainText('with 6 and 9');
  await expect(small).toHaveAttribute('aria-valuetext', /^6 bits, [\d.]+ bits a changed cube$/);
  await position(page)
    .getByRole('slider', { name: /^Large range/ })
    .press('Home');
  await expect(costs).toContainText('with 2 and 2');
  await position(page).getByRole('button', { name: 'Use the articles’' }).click();
  const drawing = position(page).getByRole('img');
  await drawing.scrollIntoViewIfNeeded();
  const line = await drawing.locator('path.edge.small').boundingBox();
  if (line === null) throw new Error('no line');
  const y = line.y + line.height / 2;
  await page.mouse.move(line.x + line.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(line.x + 120, y, { steps: 6 });
  await page.mouse.up();
  await expect(costs).not.toContainText('with 5 and');
  await expect.poll(() => fragment(page)).toMatch(/pos-small=([6-9]|1\d)/);
});

test('a motion that is dropped plays, and its ladder and widths are the command line’s', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  test.setTimeout(120_000);
  await open(page, 'hz=20&show=ladder');
  await dropExample(page);
  await expect(page.locator('lab-played')).toContainText('Bounds fitted to it, m: x');
  await expect(page.locator('lab-views .label.left')).toContainText('my game.csv');
  await page.getByRole('button', { name: 'Pause' }).click();
  await settled(page);
  // A link cannot carry the file, and Share says so in place of its promise.
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const share = page.getByRole('dialog', { name: 'Share this moment' });
  await expect(share).toContainText(/but not\s+the motion of “\u2068my game\.csv\u2069”: whoever opens it has to drop the same\s+file on the page/);
  await expect(share).not.toContainText('to the last bit');
  await page.keyboard.press('Escape');
  await expect(page.locator('lab-ladder [role=status]')).toContainText('Of the 2.0 s', { timeout: 30_000 });
  const rungs = commandLine<{ bytes_per_packet_mean: number }[]>('ladder', '#hz=20', '--motion', example);
  const rows = page.locator('lab-ladder tbody tr');
  for (const rung of [0, 5, 11])
    await expect(rows.nth(rung).locator('td').nth(2)).toHaveText(Math.round(rungs[rung]?.bytes_per_packet_mean ?? -1).toLocaleString('en'));
  await page.getByRole('button', { name: 'Which widths would it take?' }).click();
  const counts = commandLine<Counts>('widths', '#hz=20', '--motion', example);
  await expect(page.locator('lab-widths [role=status]')).toContainText(`${counts.changed_cubes} changed cubes in 40 packets`);
  await expect(position(page).locator('.costs')).toContainText(`The best, ${counts.position.best.small_bits} and ${counts.position.best.large_bits}`);
});

/** Two objects for three seconds at 240 Hz: a slider that turns back every second, and an object at rest. */
function fastMotion(): Buffer {
  const rows = Array.from({ length: 721 }, (_, tick) => {
    const x = Math.abs(((tick / 240) % 2) - 1) * 3;
    return `${tick},0,${x.toFixed(4)},0,0.5,0,0,0,1\n${tick === 0 ? '0,1,4,2,0.5,0,0,0,1\n' : ''}`;
  });
  return Buffer.from(`rate=240\ntick,object,x,y,z,qx,qy,qz,qw\n${rows.join('')}`);
}

test('a motion of 240 ticks a second plays in its own seconds, up to a packet a tick, on a phone @apart', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'hz=20&show=ladder');
  const file = fastMotion();
  await page.getByLabel('A motion of your own').setInputFiles({ name: 'fast.csv', mimeType: 'text/csv', buffer: file });
  await expect(page.locator('lab-played')).toContainText(`${named('fast.csv')} plays: 2 objects, 3.0 s at 240 Hz.`);
  await toggleSettings(page);
  await expect(page.locator('#hz')).toHaveAttribute('aria-valuemax', '240');
  await page.locator('#hz').fill('120');
  await page.locator('#hz').press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Pause' }).click();
  await settled(page);
  await expect(page.getByLabel('Instant that is shown')).toHaveAttribute('aria-valuetext', / of 3\.00 s/);
  await expect(page.locator('lab-ladder [role=status]')).toContainText('Of the 3.0 s', { timeout: 30_000 });
  const path = test.info().outputPath('fast.csv');
  writeFileSync(path, file);
  const rungs = commandLine<{ bytes_per_packet_mean: number }[]>('ladder', '#hz=120', '--motion', path);
  const rows = page.locator('lab-ladder tbody tr');
  for (const rung of [0, 11])
    await expect(rows.nth(rung).locator('td').nth(2)).toHaveText(Math.round(rungs[rung]?.bytes_per_packet_mean ?? -1).toLocaleString('en'));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await show(page, 'Link');
  // The link's seconds are the motion's.
  const [, until] = /to ([\d.]+) s/.exec((await page.locator('lab-link > .caption').textContent()) ?? '') ?? [];
  const instant = Number.parseFloat((await page.getByLabel('Instant that is shown').getAttribute('aria-valuetext')) ?? '');
  expect(Math.abs(Number(until) - instant)).toBeLessThan(0.1);
  // Our own world has 60 ticks a second again.
  await page.getByRole('button', { name: 'Back to our own world' }).click();
  await expect(page.locator('#hz')).toHaveAttribute('aria-valuemax', '60');
});

/**
 * Two seconds at 240 Hz: an object runs and jumps back by 40 m each second, and a shot each tenth of a second lives for half of it. Without events
 * the shots stay where they are, and the jumps are to be found.
 */
function comingAndGoing(tells: boolean): Buffer {
  const rows = Array.from({ length: 481 }, (_, tick) => {
    const lap = Math.floor(tick / 200);
    const row = (object: number, event: string, x: number, y: number): string =>
      `${tick},${object},${x.toFixed(3)},${y},1,0,0,0,1${tells ? `,${event}` : ''}\n`;
    let text = row(0, lap > 0 && tick % 200 === 0 ? 'jump' : '', tick * 0.1 - lap * 40, 0);
    for (let shot = 1; shot < 20; shot += 1) {
      const age = tick - 24 * shot;
      if (age === 0) text += row(shot, '', shot, 3);
      else if (tells && age > 0 && age < 12) text += row(shot, '', shot, 3 + age * 0.1);
      else if (tells && age === 12) text += `${tick},${shot},,,,,,,,end\n`;
    }
    return text;
  });
  return Buffer.from(`rate=240\ntick,object,x,y,z,qx,qy,qz,qw${tells ? ',event' : ''}\n${rows.join('')}`);
}

test('objects that come, go and jump at 240 Hz are told of, and the jumps’ speed is set, on a phone @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'hz=60');
  const choose = (name: string, buffer: Buffer) => page.getByLabel('A motion of your own').setInputFiles({ name, mimeType: 'text/csv', buffer });
  const played = page.locator('lab-played');
  await choose('told.csv', comingAndGoing(true));
  await expect(played).toContainText(`${named('told.csv')} plays: 2 objects, 2.0 s at 240 Hz. Objects appear 19 times, end 19 times and jump 2 times.`);
  await expect(played.getByRole('slider')).toHaveCount(0);
  // What is wrong with another file is said, and this one plays on.
  const wrong: [string, string, string][] = [
    [
      'after.csv',
      'tick,object,x,y,z,qx,qy,qz,qw,event\n0,0,0,0,0,0,0,0,1,\n1,0,,,,,,,,end\n2,0,0,0,0,0,0,0,1,\n',
      'row 4: object 0 has ended: another row of it needs the event spawn',
    ],
    ['rate.csv', 'rate=x\ntick,object,x,y,z\n', 'the rate is "x"'],
  ];
  for (const [name, text, why] of wrong) {
    await choose(name, Buffer.from(text, 'latin1'));
    await expect(page.locator('lab-notices')).toContainText(`${named(name)} cannot be played: ${why}`);
    await expect(played).toContainText(`${named('told.csv')} plays`);
  }
  await choose('found.csv', comingAndGoing(false));
  await expect(played).toContainText('Objects appear 19 times, end never and jump 2 times.');
  await expect(played).toContainText('Steps faster than 100 m/s count as jumps: 2.');
  await played.getByText('More of it').click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await settled(page);
  const slider = played.getByRole('slider', { name: 'Speed above which a step is a jump' });
  const at = await page.getByLabel('Instant that is shown').inputValue();
  // The object runs at 24 m/s.
  await slider.fill('2');
  await expect(played).toContainText('Steps faster than 20 m/s count as jumps: 480.');
  await expect(played).toContainText('jump 480 times');
  await expect.poll(() => fragment(page)).toMatch(/jumps=20(&|$)/);
  await slider.fill('16');
  await expect(played).toContainText('No step counts as a jump.');
  await expect.poll(() => fragment(page)).toMatch(/jumps=off(&|$)/);
  await settled(page);
  expect(await page.getByLabel('Instant that is shown').inputValue()).toBe(at);
  await slider.fill('6');
  await expect.poll(() => fragment(page)).not.toContain('jumps=');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violations(page)).toEqual([]);
});

test('what needs physics is refused in words, and the way back leads to our own world @apart', async ({ page }) => {
  await open(page, 'hz=20');
  await dropExample(page);
  const notices = page.locator('lab-notices');
  await page.locator('#strategy').selectOption('lockstep');
  await expect(page.getByRole('alert').filter({ hasText: 'deterministic lockstep cannot be used with a motion of your own' })).toBeVisible();
  await expect(page.locator('#strategy')).toHaveValue('snapshot');
  await page.locator('.screen canvas').press('ArrowUp');
  await expect(page.locator('lab-played')).toContainText(`${named('my game.csv')} plays`);
  await expect.poll(() => fragment(page)).toMatch(/motion=[0-9a-f]{8}/);
  const link = fragment(page);
  // What follows without a pause is the same step of the history.
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Back to our own world' }).click();
  await expect(page.locator('lab-played')).not.toContainText('plays');
  await expect.poll(() => fragment(page)).not.toContain('motion=');
  // Back brings it in again; a link elsewhere can only say what it needs.
  await page.goBack();
  await expect(page.locator('lab-played')).toContainText(`${named('my game.csv')} plays`);
  // Elsewhere nothing is kept that a page could bring back.
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const forgetting = indexedDB.deleteDatabase('snapshot-lab');
        [forgetting.onsuccess, forgetting.onerror] = [resolve, reject];
      }),
  );
  await page.goto('about:blank');
  await open(page, link);
  await expect(notices).toContainText('which no link can carry');
  await dropExample(page);
  await expect(notices).not.toContainText('which no link can carry');
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('a long motion is read beside the page: no task of its thread takes 200 ms @apart', { tag: '@alone' }, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page, 'grid=5&hz=20');
    // 300 things that move for 20 s: 14 MB of rows.
    const objects = 300;
    const rows = ['tick,object,x,y,z,qx,qy,qz,qw'];
    for (let tick = 0; tick <= 1200; tick += 1) {
      for (let object = 0; object < objects; object += 1)
        rows.push(`${tick},${object},${(tick * 0.01 + object * 0.1).toFixed(4)},${(object % 7).toFixed(4)},0.5000,0,0,0,1`);
    }
    // By their paths: a buffer would be unpacked on the page's own thread.
    const paths = ['long.csv', 'longer.csv', 'again.csv', 'last.csv'].map((name) => test.info().outputPath(name));
    for (const path of paths) writeFileSync(path, rows.join('\n'));
    const read = async (path: string): Promise<void> => {
      const name = basename(path);
      await page.getByLabel('A motion of your own').setInputFiles(path);
      await expect(page.locator('lab-played')).toContainText(`Reading ${named(name)}`);
      await expect(page.locator('lab-played')).toContainText(`${named(name)} plays: 300 objects, 20.0 s at 60 Hz.`, { timeout: 60_000 });
    };
    const [long = '', longer = '', ...others] = paths;
    const ms = await longestTask(page, 3, async (time) => {
      if (time > 0) return read(others[time - 1] ?? '');
      await read(long);
      // Another file takes the place of one that is still read, and Cancel ends a reading.
      await page.getByLabel('A motion of your own').setInputFiles(longer);
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await expect(page.locator('lab-played')).not.toContainText('longer.csv');
      await expect(page.locator('lab-played')).toContainText(`${named('long.csv')} plays`);
    });
    expect(ms).toBeLessThan(ANSWERS_MS);
  });
});

test('a bad row is refused by its number, and what plays goes on @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const lines = readFileSync(example, 'utf8').split('\n');
  // One row in a hundred may be odd.
  for (let at = 41; at < lines.length; at += 40) lines[at] = '13,0,nan,0,0,0,0,0,1,1,1,1';
  await page.getByLabel('A motion of your own').setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await expect(page.locator('lab-notices')).toContainText(`${named('bad.csv')} cannot be played: row 42: x is "nan", which is no number that fits.`);
  await expect(page.locator('lab-played')).not.toContainText('plays');
});

test('columns of unknown names are asked for, and the answer is in the file @apart', async ({ page }) => {
  const row = (tick: number): string => `${tick};ball;${String(tick / 60).replace('.', ',')};0;0,5;0;0;0;1`;
  const text = ['Bild;Wer;Hoch;Breit;Tief;i;j;k;real', ...Array.from({ length: 90 }, (_, tick) => row(tick))].join('\n');
  await open(page, 'grid=6');
  await page.getByLabel('A motion of your own').setInputFiles({ name: 'odd.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const form = page.locator('lab-columns');
  await expect(page.getByRole('dialog', { name: 'Which column is which?' })).toBeVisible();
  expect(await violations(page, '#columns')).toEqual([]);
  const answers = { Bild: 'tick', Wer: 'object', Hoch: 'x', Breit: 'y', Tief: 'z', i: 'qx', j: 'qy', k: 'qz', real: 'qw' };
  for (const [column, word] of Object.entries(answers)) await form.getByRole('combobox', { name: `${column} holds`, exact: true }).selectOption(word);
  await form.getByRole('button', { name: 'Read it like this' }).click();
  await expect(page.locator('lab-played')).toContainText('1 objects, 1.5 s at 60 Hz');
  await expect(form).toBeEmpty();
  // The form comes again with what was said.
  await page.locator('lab-played summary').click();
  await page.getByRole('button', { name: 'Columns, axes, units' }).click();
  await expect(form.getByRole('combobox', { name: 'Hoch holds', exact: true })).toHaveValue('x');
  // The link tells the answer to whoever has the file as it was.
  await expect(page).toHaveURL(/columns=columns:tick\.2cobject\.2cx/);
  const other = await page.context().browser()?.newPage();
  if (other === undefined) throw new Error('there is a browser');
  await other.goto(page.url());
  await expect(other.locator('lab-notices')).toContainText('somebody');
  await other.getByLabel('A motion of your own').setInputFiles({ name: 'odd.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await expect(other.locator('lab-played')).toContainText('1 objects, 1.5 s at 60 Hz');
  await expect(other.locator('lab-notices')).toBeEmpty();
  await other.close();
});

test('a network of unknown columns is asked about in the same form, and the first words are guesses with reasons @apart', async ({ page }) => {
  await open(page, 'grid=6');
  const rows = Array.from({ length: 60 }, (_, at) => `${at},${at * 0.05},${20 + (at % 7)}000,x`);
  const text = ['packet,txTime(sec),latency(usec),note', ...rows].join('\n');
  await page.getByLabel('A motion of your own').setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const form = page.locator('lab-columns');
  await expect(form.getByRole('combobox', { name: 'latency(usec) holds', exact: true })).toHaveValue('delay_us');
  await expect(form).toContainText('its unit');
  await form.getByRole('button', { name: 'Read it like this' }).click();
  await expect(page.locator('lab-traced')).toContainText('60 packets');
  await expect(form).toBeEmpty();
});

test('a file that is dropped while the challenge is shown is judged, not played @apart', async ({ page }) => {
  await open(page, 'grid=5&show=challenge');
  // The panel takes files once its script has rendered it: its words stand in the document before.
  await expect(page.getByLabel('A capture file')).toBeVisible();
  const transfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(64)], 'some.bin'));
    return transfer;
  });
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
  await expect(page.locator('.outcome')).toContainText(`Cannot judge ${named('some.bin')}`);
  await expect(page.locator('lab-notices')).not.toContainText('some.bin');
});

for (const [colorScheme, width, height] of [
  ['light', 1280, 720],
  ['dark', 390, 844],
] as const) {
  test.describe(colorScheme, () => {
    test.use({ views: 'blank', colorScheme, viewport: { width, height } });

    test(`with a motion and its widths axe finds nothing at ${width}, and nothing is wider than the screen @apart`, async ({ page }) => {
      await open(page, 'hz=20&show=widths');
      await dropExample(page);
      await page.evaluate(() => document.querySelector('lab-widths')?.scrollIntoView());
      await expect(position(page).locator('.costs')).toContainText('bits a changed cube');
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });

    test('the page that documents the format is readable, and its example is there @apart', async ({ page }) => {
      await page.goto('./motion.html');
      expect(await violations(page)).toEqual([]);
      const response = await page.request.get(new URL('docs/motion-example.csv', page.url()).href);
      expect(await response.text()).toBe(readFileSync(example, 'utf8'));
    });
  });
}

test('a reload brings a motion and a trace back, until they are forgotten @apart', async ({ page }) => {
  await open(page, 'hz=20&grid=5');
  await dropExample(page);
  await drop(page, 'my ping.csv', Buffer.from('sent_ms,delay_ms\n0,20\n10,lost\n20,30\n'));
  await expect(page.locator('lab-traced')).toContainText('my ping.csv');
  await expect(page.locator('.kept')).toContainText(/my game\.csv.* kB.*my ping\.csv/s);
  await expect.poll(() => fragment(page)).toMatch(/motion=.*trace=|trace=.*motion=/);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await expect(page.locator('lab-played')).toContainText(`${named('my game.csv')} plays: 3 objects`);
  await expect(page.locator('lab-traced')).toContainText('my ping.csv');
  await expect(page.locator('lab-notices')).not.toContainText(/was repeated|drop its file/);
  await page.locator('.kept summary').click();
  await page.locator('.kept').getByRole('button', { name: 'Forget all' }).click();
  await expect(page.locator('.kept')).toHaveCount(0);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await expect(page.locator('lab-notices')).toContainText('own motion');
  expect(fragment(page)).toContain('motion=');
});

test('Back finds the file before a second one, and each is forgotten by itself @apart', async ({ page }) => {
  await open(page, 'hz=20&grid=5');
  await dropExample(page);
  await expect.poll(() => fragment(page)).toContain('motion=');
  await page.waitForTimeout(500);
  const first = fragment(page);
  const rows = Array.from({ length: 60 }, (_, tick) => `${tick},0,${tick / 10},0,1,0,0,0,1`);
  await drop(page, 'second.csv', Buffer.from(`tick,object,x,y,z,qx,qy,qz,qw\n${rows.join('\n')}\n`));
  await expect(page.locator('lab-played')).toContainText(`${named('second.csv')} plays: 1 objects`);
  await expect.poll(() => fragment(page)).not.toBe(first);
  await page.waitForTimeout(500);
  await expect(page.locator('.kept')).toContainText('2 files');
  for (const [go, name] of [
    [() => page.goBack(), 'my game.csv'],
    [() => page.goForward(), 'second.csv'],
  ] as const) {
    await go();
    await expect(page.locator('lab-played')).toContainText(`${named(name)} plays`);
    await expect(page.locator('lab-notices')).not.toContainText('drop its file');
  }
  await page.locator('.kept summary').click();
  await page.getByRole('button', { name: `Forget ${named('my game.csv')}` }).click();
  await expect(page.locator('.kept')).toContainText('1 file');
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await expect(page.locator('.kept')).not.toContainText('my game.csv');
  await expect(page.locator('lab-played')).toContainText(`${named('second.csv')} plays`);
});

/** Puts a record into the store of files by itself, as another version or program may. bytes: it gets a file of this length. */
async function leaveRecord(page: Page, record: unknown, place = 'motion', bytes?: number): Promise<void> {
  await page.evaluate(
    ([record, place, bytes]) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('snapshot-lab', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('files');
        opening.onerror = reject;
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('files', 'readwrite');
          const file = bytes === undefined ? {} : { file: new File([new Uint8Array(bytes)], `${place}.csv`) };
          transaction.objectStore('files').put(bytes === undefined ? record : { ...(record as object), ...file }, place);
          transaction.oncomplete = () => resolve(opening.result.close());
        };
      }),
    [record, place, bytes] as const,
  );
}

test('the oldest of the kept files go where all are more than 150 MB @apart', async ({ page }) => {
  await open(page, 'grid=5');
  // The list is sorted by when a file was last taken, not by its name.
  for (const [at, name] of [...'cab'].entries()) await leaveRecord(page, { fingerprint: name, at }, `motion ${name}`, 50e6);
  await dropExample(page);
  await expect(page.locator('.kept')).toContainText('3 files');
  await page.locator('.kept summary').click();
  for (const [name, count] of Object.entries({ 'motion c.csv': 0, 'motion a.csv': 1, 'motion b.csv': 1, 'my game.csv': 1 }))
    await expect(page.getByRole('button', { name: `Forget ${named(name)}` })).toHaveCount(count);
});

test('what one tab keeps or forgets all tabs say, a store that aborts keeps nothing, and odd records are passed over @apart', async ({ page, context }) => {
  const file = readFileSync(example);
  const kept = (page: Page) => page.locator('.kept');
  await open(page, 'grid=5');
  await drop(page, 'here.csv', file);
  await expect(kept(page)).toContainText('here.csv');
  const other = await context.newPage();
  await open(other, 'grid=5');
  await expect(kept(other)).toContainText('here.csv');
  await kept(page).locator('summary').click();
  await kept(page)
    .getByRole('button', { name: `Forget ${named('here.csv')}` })
    .click();
  await expect(kept(other)).toHaveCount(0);
  // The request goes well, and its transaction does not, as where the disk is full.
  await other.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given);
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    };
  });
  await drop(other, 'aborted.csv', file);
  await expect(other.locator('lab-played')).toContainText('aborted.csv');
  await expect(kept(other)).toHaveCount(0);
  await other.close();
  for (const record of [{}, null, { fingerprint: 'a', file: 'no file' }]) {
    await leaveRecord(page, record);
    await open(page, 'grid=6&motion=0123abcd');
    await expect(kept(page)).toHaveCount(0);
  }
});

test.describe('at 600 px', () => {
  test.use({ viewport: { width: 600, height: 800 } });

  test('a file’s name of any length makes no page wider @apart', async ({ page }) => {
    await open(page, 'grid=5&hz=20&show=verdict');
    await drop(page, `${'n'.repeat(250)}.csv`, readFileSync(example));
    await expect(page.locator('lab-played')).toContainText(/n{40,60}…n+\.csv\u2069” plays/);
    await drop(page, `${'p'.repeat(250)}.txt`, readFileSync('docs/ping-example.txt'));
    await expect(page.locator('lab-traced')).toContainText('…');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(600);
  });
});

test('who drove, played a motion and goes back finds what was driven @apart', async ({ page }) => {
  await open(page, 'scene=katamari&grid=5&hz=20');
  await page.locator('.screen canvas').press('ArrowUp', { delay: 400 });
  await page.keyboard.press('p');
  await settled(page);
  const before = await page.locator('.clock').textContent();
  await dropExample(page);
  await page.getByRole('button', { name: 'Back to our own world' }).click();
  await settled(page);
  await expect(page.locator('.clock')).toHaveText(before ?? '');
  await expect(page.locator('.label.left')).toContainText(/you drive|replay|drove/);
});

test('a link that names the article’s motion plays it from the site', async ({ page }) => {
  await open(page, 'v=2&motion=pile&hz=20&loss=0&jitter=0&at=120');
  await expect(page.locator('lab-played')).toContainText(`${named('pile.motion')} plays: 901 objects, 10.0 s at 60 Hz.`);
  await expect.poll(() => fragment(page)).toContain('&at=120&motion=pile');
});

test.describe('without the file', () => {
  test.use({ expectedError: /Failed to load resource/ });

  test('a link that names the article’s motion says that it cannot be loaded @apart', async ({ page }) => {
    await page.route('**/*.motion', (route) => route.abort());
    await open(page, 'v=2&motion=pile');
    await expect(page.getByText('The article’s motion cannot be loaded from this site')).toBeVisible();
  });
});
