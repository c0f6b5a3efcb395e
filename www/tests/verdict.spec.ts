// The verdict: of the play on a first visit, a recording's verdict without a further click, errors to drag, settings to take.

import { readFileSync } from 'node:fs';
import { expect, fragment, named, open, show, test, violations } from './page';

test.use({ views: 'none' });

const motion = 'docs/motion-example.csv';

/** Rows of a motion that takes long enough to be stopped while it is judged. */
function longMotion(): Buffer {
  const rows = Array.from({ length: 60_000 }, (_, i) => `${Math.floor(i / 100)},${i % 100},${i / 1e5},${i % 100},1,0,0,0,1`);
  return Buffer.from(['tick,object,x,y,z,qx,qy,qz,qw', ...rows].join('\n'));
}

test('the first screen leads to a verdict, which works without a file and begins when it is asked for @apart', async ({ page }) => {
  await open(page, 'grid=5&at=60');
  await page.getByRole('button', { name: 'Your game' }).click();
  await expect(page.getByRole('button', { name: 'Judge this motion' })).toBeVisible();
  await expect(page.locator('.verdict-rung')).toHaveCount(0);
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  await expect(page.locator('.verdict-summary')).toContainText('Of your own play: 26 objects', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Take it home' }).click();
  await expect(page.getByLabel('Settings for a game')).toContainText('"objects": 26,');
  await expect(page.getByRole('heading', { name: 'Snapshot Lab', exact: true })).toBeInViewport();
  await expect(page.locator('lab-verdict lab-line-chart')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('lab-verdict .engines tbody tr')).toHaveCount(8);
  expect(await violations(page, '#figure-verdict')).toEqual([]);
});

test('the example is a click away, and is judged into a card of four numbers, on a laptop', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, 'jitter=0&loss=0&at=60');
  await page.getByRole('button', { name: 'Your game' }).click();
  const verdict = page.locator('lab-verdict');
  await expect(verdict.getByLabel('Three lines of the format')).toHaveText(/^tick,object,x,y,z,.*\n.*\n.*$/);
  await expect(verdict.getByRole('button').first()).toHaveText('Choose a recording');
  expect(await violations(page, 'lab-verdict')).toEqual([]);
  await verdict.getByRole('button', { name: 'Try the example' }).click();
  const summary = page.locator('.verdict-summary');
  await expect(summary.locator('.verdict-rung')).toHaveText(
    /^\s*Send \d+ packets a second with .*: [\d.]+ kbit\/s to each player, over a network with \d+ ms of latency, .*\.\s*$/,
    { timeout: 60_000 },
  );
  await expect(summary.locator('dd')).toHaveText([/^\d+ a second/, /^[\d.]+ kbit\/s/, /^\d+ ms/, /^[\d.]+ mm/]);
  await expect(summary.getByRole('button')).toHaveText(['Use these settings here', 'Take it home', 'Share this verdict']);
  // The card and its ways stand before all else, and the whole panel has its part of a laptop.
  for (const part of [summary.locator('dl'), summary.getByRole('button').last()]) await expect(part).toBeInViewport({ ratio: 1 });
  expect((await page.locator('#figure-verdict').boundingBox())?.height).toBeGreaterThanOrEqual(400);
  // It is long enough to promise something.
  await expect(summary).toContainText('7 objects');
  await expect(summary).toContainText('eight runs of 20 s');
  await expect(summary).not.toContainText('too short to promise');
});

test('a recording leads to a decision over the rates in four actions', async ({ page }) => {
  await open(page, 'jitter=0&loss=0&at=60');
  // A click, and a file that is chosen.
  await page.getByRole('button', { name: 'Your game' }).click();
  await page.locator('#motion').setInputFiles(motion);
  await expect(page.locator('.verdict-summary')).toContainText(`Of ${named('motion-example.csv')}: 3 objects`, { timeout: 60_000 });
  await expect(page.locator('.verdict-summary')).toContainText(/Send (10|20|30|60) packets a second/);
  await expect(page.locator('.verdict-summary')).toContainText(/freezes?/);
  await expect(page.locator('lab-verdict lab-line-chart')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Use these settings here' }).click();
  await expect(page.locator('lab-verdict > [role=status]')).toContainText('Now set here');
});

test('errors and limits are dragged; the settings and the link are taken @apart', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'hz=20&jitter=0&loss=0&show=verdict');
  await page.locator('#motion').setInputFiles(motion);
  await expect(page.locator('.verdict-summary')).toContainText(`Of ${named('motion-example.csv')}`, { timeout: 60_000 });
  // A finer surface error takes more bits, and "Judge this motion" keeps it.
  const slider = page.locator('.verdict-errors label', { hasText: 'Surface error at p95 at most' });
  await expect(slider).toBeVisible({ timeout: 60_000 });
  await slider.getByRole('slider').fill('0');
  await expect(page).toHaveURL(/limits=surface-/);
  await expect(page.getByLabel('Settings for a game')).toContainText(/"orientation": 1[0-6],/, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  await expect(page.getByLabel('Settings for a game')).toContainText(/"orientation": 1[0-6],/, { timeout: 60_000 });
  await expect(page.locator('lab-verdict lab-line-chart')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('lab-verdict progress')).toHaveCount(0, { timeout: 60_000 });
  // Another rate is recommended where the delay must be short.
  const delay = page.locator('.verdict-errors label', { hasText: 'Playout delay at most' });
  await delay.getByRole('slider').fill('25');
  await expect(page).toHaveURL(/_delay-/);
  await expect(page.locator('.verdict-summary')).toContainText('Send 60 packets a second');
  await page.getByRole('button', { name: 'Share this verdict' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/show=verdict/);
  expect(link).toMatch(/motion=[0-9a-f]{8}/);
  expect(link).toMatch(/limits=surface-[\d.]+_delay-[\d.]+/);
  await page.getByRole('button', { name: 'Use these settings here' }).click();
  await expect(page.locator('lab-verdict > [role=status]')).toContainText('Now set here');
  await expect(page).toHaveURL(/rot=1[0-6]/);
  expect(await violations(page, '#figure-verdict')).toEqual([]);
});

test('the link of a verdict opens as a card without the file, and gives way to the verdict of the file', async ({ page, context, browser }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 'jitter=0&loss=0&show=verdict');
  await page.locator('#motion').setInputFiles(motion);
  await expect(page.locator('lab-verdict lab-line-chart')).toBeVisible({ timeout: 60_000 });
  const headline = (await page.locator('.verdict-summary .verdict-rung strong').allTextContents()).map((words) => words.trim());
  await page.getByRole('button', { name: 'Share this verdict' }).click();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(link.hash.length).toBeLessThan(1000);
  // Another browser, which has not the file.
  const other = await (await browser.newContext()).newPage();
  await open(other, link.hash.slice(1));
  const card = other.getByRole('region', { name: 'Another’s verdict' });
  for (const words of headline) await expect(card).toContainText(words);
  await expect(card).toContainText('Measured on the sender’s recording, not here. Drop the same file here to play it.');
  await expect(card.locator('table')).toHaveCount(1);
  // What was measured stays, whatever the reader sets.
  await other.locator('.control:has(#loss) input[type=range]').evaluate((slider: HTMLInputElement) => {
    slider.value = '25';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect.poll(() => fragment(other)).toContain('loss=25');
  await expect(card).toContainText('0 % of loss');
  await other.reload();
  await expect(card).toContainText('0 % of loss');
  expect(await violations(other, '.verdict-card')).toEqual([]);
  const saved = other.waitForEvent('download');
  await card.getByRole('button', { name: 'Save as a picture' }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.png$/);
  await expect(card.getByRole('status')).toHaveText('Picture saved');
  await other.locator('#motion').setInputFiles(motion);
  await expect(other.locator('.verdict-summary')).toContainText(`Of ${named('motion-example.csv')}`, { timeout: 60_000 });
  await expect(card).toHaveCount(0);
  await expect(other).not.toHaveURL(/card=/);
  await other.context().close();
});

test('a card that was written by hand is named and left out @apart', async ({ page }) => {
  await open(page, 'show=verdict&card=m1~2~60_r12c_p30~<img>~9~100~174~3~0~0~1~33~12');
  await expect(page.locator('lab-notices, [role=status], .notices').first()).toBeAttached();
  await expect(page.getByText('"card"').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Another’s verdict' })).toHaveCount(0);
});

test('a link of several networks opens with its limits, and says that the networks are left out @apart', async ({ page }) => {
  await open(page, 'hz=30&show=verdict&limits=kbps-64_networks-own.wifi-busy');
  await expect(page.getByText('the networks in "limits" are left out').first()).toBeVisible();
  await expect.poll(() => fragment(page)).toMatch(/hz=30.*limits=kbps-64(&|$)/);
});

test('limits of a link stand in the header, at their sliders and beside a cure @apart', async ({ page }) => {
  await open(page, 'hz=20&delay=60&interp=linear&jitter=40&loss=10&grid=8&at=900&show=packets&limits=kbps-64_age-50');
  await expect(page.locator('lab-bandwidth .mark').first()).toContainText('limit 64');
  await page.getByLabel('Event', { exact: true }).selectOption('hitch');
  await page.getByRole('button', { name: 'Previous hitch' }).click();
  const ways = page.locator('.cure .way');
  await expect(ways).toHaveCount(3);
  await expect(ways.first()).toContainText(/\d+ ms of delay: \d+ still frames left,\s+[\d.]+ ms old/);
  await expect(page.locator('.cure')).toContainText('Nothing within 50 ms.');
  await page.getByRole('button', { name: 'Extrapolate' }).click();
  await expect(page).toHaveURL(/interp=extrapolate.*limits=kbps-64_age-50/);
});

test('while a verdict is computed nothing waits behind slow frames, and the answer is rendered only when it is new @apart', async ({ page }) => {
  // A slow machine, whatever this one is: each frame takes a tenth of a second.
  await page.addInitScript(() => {
    const request = window.requestAnimationFrame.bind(window);
    let drawn = 0;
    window.requestAnimationFrame = (callback) =>
      request((now) => {
        callback(now);
        if (now === drawn || !document.documentElement.hasAttribute('data-slow')) return;
        drawn = now;
        for (const end = performance.now() + 100; performance.now() < end; );
      });
  });
  await open(page, 'hz=60&grid=5&show=verdict');
  // It comes with the rest of the program.
  await page.evaluate(() => customElements.whenDefined('lab-verdict').then(() => undefined));
  await page.evaluate(() => {
    const element = document.querySelector('lab-verdict') as HTMLElement & { performUpdate(): void; answer: unknown };
    const own = element.performUpdate.bind(element);
    let { answer } = element;
    element.dataset['updates'] = '0';
    // How many answers come depends on the machine: only what is rendered without a new one counts.
    element.performUpdate = () => {
      if (element.answer === answer) element.dataset['updates'] = String(Number(element.dataset['updates']) + 1);
      answer = element.answer;
      own();
    };
  });
  await page.locator('#motion').setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer: longMotion() });
  await expect(page.locator('lab-verdict progress')).toBeVisible();
  const waitsMs = await page.evaluate(async () => {
    document.documentElement.toggleAttribute('data-slow', true);
    document.querySelector<HTMLElement>('lab-verdict')?.setAttribute('data-updates', '0');
    const waits: number[] = [];
    for (const end = performance.now() + 4000; performance.now() < end; ) {
      const start = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 20));
      waits.push(performance.now() - start);
    }
    document.documentElement.toggleAttribute('data-slow', false);
    return waits.toSorted((a, b) => a - b);
  });
  await expect(page.locator('lab-verdict progress')).toBeVisible();
  expect(waitsMs[waitsMs.length >> 1]).toBeLessThan(400);
  expect(Number(await page.locator('lab-verdict').getAttribute('data-updates'))).toBeLessThan(15);
});

test('a verdict can be stopped, and begun again @apart', async ({ page }) => {
  await open(page, 'show=verdict');
  await page.locator('#motion').setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer: longMotion() });
  await expect(page.locator('.verdict-rung')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('lab-verdict progress')).toHaveCount(0);
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  await expect(page.locator('lab-verdict progress')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
});

test('a ping is fitted and applied in three actions, begins later, and its settings look replaced @apart', async ({ page }) => {
  await open(page, 'hz=20&latency=80&at=60');
  await page.locator('#trace').setInputFiles('docs/ping-example.txt');
  const notice = page.locator('lab-traced');
  await expect(notice).toContainText('ping-example.txt');
  await expect(page.locator('.control:has(#latency)')).toContainText('The recorded link replaces it');
  await notice.getByText('More of it').click();
  await notice.getByRole('spinbutton', { name: 'Begin at' }).fill('4');
  await notice.getByRole('spinbutton', { name: 'Begin at' }).press('Enter');
  await expect(notice).toContainText('from 4 s on');
  await notice.getByRole('button', { name: 'Fit settings to it' }).click();
  await expect(notice).toContainText('ms from the trace');
  await notice.getByRole('button', { name: 'Use the fit' }).click();
  await expect(notice.locator('.played')).toHaveCount(0);
  await expect(page).toHaveURL(/latency=/);
  await expect(page.locator('.control:has(#latency)')).not.toContainText('replaces it');
});

test('the verdict fits a phone and a desk @apart', async ({ page }) => {
  await open(page, 'grid=5&at=60');
  const sizes = [
    { width: 390, height: 844 },
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ];
  for (const size of sizes) {
    await page.setViewportSize(size);
    // On a phone it stands below the lab.
    await page.getByRole('button', { name: 'Your game' }).scrollIntoViewIfNeeded();
    await expect(page.getByRole('button', { name: 'Your game' })).toBeInViewport();
  }
  await page.getByRole('button', { name: 'Your game' }).click();
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  await expect(page.locator('.verdict-rung')).toBeVisible({ timeout: 60_000 });
  for (const size of sizes) {
    await page.setViewportSize(size);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(wider).toBe(0);
  }
});

/** The example with its lengths in another unit. */
function exampleIn(metres: number): Buffer {
  const [head = '', ...rows] = readFileSync(motion, 'utf8').trim().split('\n');
  const lengths = head.split(',').map((name) => /^h?[xyz]$/.test(name));
  const scaled = rows.map((row) =>
    row
      .split(',')
      .map((field, at) => (lengths[at] && field !== '' ? String(Number(field) / metres) : field))
      .join(','),
  );
  return Buffer.from([head, ...scaled].join('\n'));
}

test('a file without a unit says so, and the form takes its unit @apart', async ({ page }) => {
  await open(page, 'hz=20&jitter=0&loss=0&show=verdict');
  const choose = (name: string, buffer: Buffer) => page.locator('#motion').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await choose('game.csv', exampleIn(0.01));
  await expect(page.locator('lab-played')).toContainText('No unit and no axes are given: metres are assumed');
  await page.locator('lab-played summary').click();
  await page.getByRole('button', { name: 'Columns, axes, units' }).click();
  const form = page.locator('lab-columns');
  await form.getByLabel('Lengths in').fill('cm');
  await form.getByRole('button', { name: 'Read it like this' }).click();
  await expect(page.locator('lab-played')).not.toContainText('No unit');
  await expect(page.locator('.verdict-summary')).toContainText(`Of ${named('game.csv')}: 3 objects`, { timeout: 60_000 });
  await expect.poll(() => decodeURIComponent(fragment(page))).toContain('unit:cm');
  // In millimetres it reaches too far to be played at all, and any number of metres is an answer.
  await choose('far.csv', exampleIn(0.002));
  await expect(form).toContainText('If these are no metres');
  await form.getByLabel('Lengths in').fill('0,002');
  await form.getByRole('button', { name: 'Read it like this' }).click();
  await expect(page.locator('lab-played')).toContainText(`${named('far.csv')} plays: 3 objects`);
  await expect(form).toBeEmpty();
});

test('a client in centimetres is recognised and judged so, and Escape stops the work @apart', async ({ page }) => {
  await open(page, 'grid=5&at=60&show=judge');
  const rows = (seconds: number, late: number, factor: number): Buffer => {
    const row = (at: number, id: number): string => {
      const time = at - late + id;
      const place = [3 * Math.sin(time) + Math.sin(2.7 * time), 2 * Math.sin(1.3 * time), 1].map((part) => (factor * part).toFixed(3));
      return `${at.toFixed(4)},${id},${place.join(',')}`;
    };
    const frames = Array.from({ length: seconds * 60 }, (_, frame) => frame / 60 + (late === 0 ? 0 : 1));
    return Buffer.from(`time_s,id,x,y,z\n${frames.flatMap((at) => Array.from({ length: 100 }, (_, id) => row(at, id))).join('\n')}`);
  };
  const choose = (label: string, buffer: Buffer) => page.getByLabel(label).setInputFiles({ name: 'game.csv', mimeType: 'text/csv', buffer });
  const judge = page.locator('lab-judge');
  await choose('What the server had', rows(60, 0, 1));
  await choose('What the client drew', rows(58, 0.12, 100));
  await expect(judge.getByRole('progressbar')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(judge.getByRole('status')).toContainText('Stopped.');
  const started = Date.now();
  await choose('What the client drew', rows(58, 0.12, 100));
  await expect(judge.getByRole('status')).toContainText("The client's positions are 100 times the server's: centimetres?", { timeout: 60_000 });
  console.log(`answer after ${Date.now() - started} ms`);
  await judge.getByRole('button', { name: 'Judge it so' }).click();
  await expect(judge).toContainText(/delay ms\s*1(19|20)\.\d/, { timeout: 60_000 });
  expect(await violations(page, 'lab-judge')).toEqual([]);
});

test('two recordings of another netcode are judged, and a file that is none is refused by its name', async ({ page }) => {
  await open(page, 'grid=5&at=60&show=judge');
  const row = (at: number, id: string, drawn: number) => `${at.toFixed(3)},${id},${(3 * Math.sin(drawn) + Math.sin(2.7 * drawn)).toFixed(4)},0,1`;
  const rows = (frames: number, lines: (frame: number) => string) =>
    Buffer.from(`time_s,id,x,y,z\n${Array.from({ length: frames }, (_, frame) => lines(frame)).join('\n')}`);
  const server = rows(600, (tick) => row(tick / 60, 'car', tick / 60));
  // 144 frames a second of a picture that is 120 ms old and freezes for half a second.
  const client = rows(1200, (frame) => row(1 + frame / 144, 'car', 0.88 + (frame > 500 && frame < 572 ? 500 : frame) / 144));
  const choose = (label: string, buffer: Buffer) => page.getByLabel(label).setInputFiles({ name: 'game.csv', mimeType: 'text/csv', buffer });
  await choose('What the server had', server);
  await choose('What the client drew', client);
  const judge = page.locator('lab-judge');
  // One sentence and three figures; the rest is folded.
  await expect(judge.locator('.verdict-summary')).toHaveText(
    /^Over 8\.\d s the client's picture was 1(19|20) ms late and stood still for \d+ ms a minute; 95 % of /,
    { timeout: 60_000 },
  );
  await expect(judge.locator('dd:visible')).toHaveCount(3);
  await judge.getByText('All figures, and where they come from').click();
  await expect(judge).toContainText(/delay ms\s*1(19|20)\.\d/);
  await expect(judge).toContainText(/freezes: 4\.4[78] s (49|50)\d ms/);
  expect(await violations(page, 'lab-judge')).toEqual([]);
  // As lane B over the server's motion, also after a reload: both files are kept, and the link names them.
  await judge.getByRole('button', { name: 'Show the client as lane B' }).click();
  const drawn = page.locator('.labels .b');
  await expect(drawn).toContainText('drawn by the client');
  await expect(page).toHaveURL(/motion=[0-9a-f]{8}&client=[0-9a-f]{8}/);
  // A page that goes too early has kept only one of them.
  await expect(page.locator('.kept')).toContainText('2 files');
  await expect(page.locator('lab-played')).toContainText(`${named('game.csv')} plays`);
  const link = page.url().replace(/&at=\d+/, '');
  await page.goto('about:blank');
  await page.goto(`${link}&at=300`);
  await expect(drawn).toContainText(/game\.csv\u2069”, 1[12]\d ms behind/, { timeout: 60_000 });
  // The lab's own lane at the same delay.
  await show(page, 'A and B');
  await page.getByRole('button', { name: 'Make A as old as the client' }).click();
  await expect(page.locator('.labels .right')).toContainText(/1[12]\d ms behind/);
  await show(page, 'Judge');
  await choose('What the server had', server);
  await choose('What the client drew', Buffer.from('no rows at all'));
  await expect(judge.getByRole('status')).toContainText('The client’s file: ');
  await expect(judge.locator('dl')).toHaveCount(0);
  // Columns of other names are asked for in the form, and the answer is judged.
  await choose('What the client drew', Buffer.from(String(client).replace('time_s,id,x,y,z', 'when,who,east,north,up')));
  const form = page.locator('lab-columns');
  for (const [name, word] of Object.entries({ when: 'time_s', who: 'object', east: 'x', north: 'y', up: 'z' })) {
    await form.getByLabel(`${name} holds`).selectOption(word);
  }
  await form.getByRole('button', { name: 'Read it like this' }).click();
  await expect(judge.locator('.verdict-summary')).toContainText("the client's picture was", { timeout: 60_000 });
  await expect(judge.getByRole('button', { name: 'Columns, axes, units of the server’s file' })).toBeVisible();
});
