import { readFileSync } from 'node:fs';
// Two windows of one browser on one world: how a guest comes in, drives and is told of the end.

import type { Page } from '@playwright/test';
import { expect, open, show, test, violations, wordsSaid } from './page';

test.use({ views: 'blank', desk: '' });

/** A world of two cubes with few others: both pages share a core. */
const WORLD = 'v=2&scene=drive&grid=5&rival=hand&hz=20';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Play together' });
const word = (page: Page) => page.locator('lab-guest .word');
/** The guest in the host's dialog. */
const here = (page: Page) => dialog(page).getByRole('region', { name: 'Guest' });
const cubes = (page: Page) => dialog(page).locator('.cubes');
/** The round trip that the host's dialog shows, ms. */
const trip = async (page: Page): Promise<number> => Number.parseFloat((await here(page).locator('dd').first().textContent()) ?? '');

/** Opens the dialog, as Share leads to it. */
async function share(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Play together' }).click();
  await expect(dialog(page)).toBeVisible();
}

/** Lets a guest in by another window, and waits until he plays. */
async function join(host: Page): Promise<Page> {
  const [guest] = await Promise.all([host.context().waitForEvent('page'), host.getByRole('link', { name: 'In another window' }).click()]);
  await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 30_000 });
  await expect(word(guest)).toHaveText('');
  return guest;
}

test('a guest comes in by another window and has the blue cube, and nobody else gets in beside him', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const room = await dialog(page).getByRole('link', { name: 'In another window' }).getAttribute('href');
  const ann = await join(page);
  await expect(cubes(page)).toContainText('driven by');
  await expect(here(page)).toContainText('The guest');
  await expect(dialog(page).getByRole('link', { name: 'In another window' })).toHaveCount(0);
  expect(await violations(ann)).toEqual([]);
  expect(await violations(page, '#together')).toEqual([]);
  const bob = await page.context().newPage();
  await bob.goto(room ?? '');
  await expect(word(bob)).toHaveText('Somebody plays with the host already. Trying again …');
  await expect(word(ann)).toHaveText('');
  await ann.close();
  // Within 6 s it is said, and there is room for the next one.
  await expect(dialog(page).locator('.said')).toHaveText(/The guest is (gone|here)\./, { timeout: 6_000 });
  await expect(bob.locator('#guest-keys')).toContainText('Yours is the blue cube.', { timeout: 30_000 });
  await expect(cubes(page)).toContainText('driven by');
});

test('the guest’s keys move the second cube, and the host sees what he saw @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  // Long enough for a page that shares its core with another.
  await guest.locator('canvas').press('ArrowUp', { delay: 1_500 });
  await guest.waitForTimeout(3_000);
  await dialog(page).getByRole('button', { name: 'The guest’s view' }).click();
  await expect(dialog(page).locator('.said')).toHaveText('Lane B is what the guest saw.', { timeout: 30_000 });
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.locator('.label.b')).toContainText(/B: drawn by the client.*the guest.*\d+ ms behind/s);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Share this moment' }).getByLabel('Link', { exact: true })).toHaveValue(/rival=hand.*&rival-tape=\d/, {
    timeout: 30_000,
  });
});

test('above 60 Hz a tap waits for the next tick @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  const keys = await guest.evaluate(() => {
    type Client = { frame(nowMs: number, keys: number): [boolean, Uint8Array[]] };
    const part = document.querySelector('lab-guest') as unknown as { play: { guest: Client }; turn(nowMs: number): void };
    const given: number[] = [];
    const frame = (isTick: boolean): void => {
      part.play.guest.frame = (_, keys) => {
        given.push(keys);
        return [isTick, []];
      };
      part.turn(performance.now());
    };
    const press = (event: string): boolean => window.dispatchEvent(new KeyboardEvent(event, { key: 'ArrowUp', code: 'ArrowUp' }));
    // Four frames a tick, and a tap between two of them.
    press('keydown');
    frame(false);
    press('keyup');
    for (const isTick of [false, false, true, false]) frame(isTick);
    return given;
  });
  expect(keys).toEqual([4, 4, 4, 4, 0]);
});

test('the network that a guest really had is under both lanes in one press @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  await guest.waitForTimeout(5_000);
  await dialog(page).getByRole('button', { name: 'The guest’s network' }).click();
  await expect(dialog(page).locator('.said')).toHaveText(/^Both lanes use the guest’s network\./, { timeout: 30_000 });
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.locator('lab-traced')).toContainText('network-of-a-guest.csv', { timeout: 30_000 });
  // The session goes on, and the guest has a file of it.
  await expect(word(guest)).toHaveText('');
  const [file] = await Promise.all([guest.waitForEvent('download'), guest.getByRole('button', { name: 'Save a recording' }).click()]);
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(0, 4).toString()).toBe('SREC');
  expect(bytes.length).toBeGreaterThan(2_000);
});

test('the real way to a guest stands beside the simulated one @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  await join(page);
  await page.waitForTimeout(2_000);
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await show(page, 'Link');
  const beside = page.getByRole('table', { name: 'Measured beside simulated' });
  // Two windows have a way of some ms, which is measured; nothing of it is lost.
  await expect(beside.getByRole('row').nth(1)).toContainText(
    /Guest.*(?:measured|other window)\s*\d[\d.]* ms\s*\d[\d.]* ms\s*\d[\d.]* ms\s*0\.0 %\s*[\d.]+ kbit\/s/,
    {
      timeout: 30_000,
    },
  );
  await expect(beside.getByRole('row').nth(2)).toContainText(/Lane A simulated/);
});

test('datagrams and messages of a hostile guest change nothing @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  await guest.evaluate(() => {
    const { wire } = (document.querySelector('lab-guest') as unknown as { play: { wire: TestedWire } }).play;
    // A generator with a seed: a failure comes again.
    let state = 9;
    const draw = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let run = 0; run < 3000; run += 1) wire.transmitNow(Uint8Array.from({ length: draw(1300) }, () => draw(256)));
    for (const message of ['{', 'null', '[]', '{"parcel":1e9}', '{"parcel":8}', '{"end":"Over"}', '{"ask":"frames"}', '{"hidden":3}', new Uint8Array(8)]) {
      wire.post(message);
    }
    wire.transmitNow(new Uint8Array(60_000));
  });
  await guest.locator('canvas').press('ArrowUp', { delay: 500 });
  await expect(word(guest)).toHaveText('');
  // Frames that nobody asked for do not stop the host.
  await expect(cubes(page)).toContainText('driven by');
  await expect(page.locator('.label.b')).toHaveCount(0);
  const seconds = async (): Promise<number> => Number.parseFloat((await page.locator('.clock').textContent()) ?? '');
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before + 1);
});

/** The way of a guest's page, as its tests see it. */
interface TestedWire {
  post(data: unknown): void;
  transmitNow(bytes: Uint8Array): void;
  hearMessage(data: unknown): void;
}

/** Sends words to the host in the place of a guest's page, or to the guest in the place of the host's. */
function speak(guest: Page, to: 'host' | 'guest', messages: readonly (string | number[])[]): Promise<void> {
  return guest.evaluate(
    ([to, messages]) => {
      const { wire } = (document.querySelector('lab-guest') as unknown as { play: { wire: TestedWire } }).play;
      for (const message of messages) {
        const data = typeof message === 'string' ? message : Uint8Array.from(message);
        if (to === 'host') wire.post(data);
        else wire.hearMessage(data);
      }
    },
    [to, messages] as const,
  );
}

test('each of the two is told which cube is his, from the first word to the last @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  await expect(cubes(page)).toHaveText('Yours is the red cube, grey at rest. The blue one stands until a guest is here.');
  const ann = await join(page);
  const annsCube = ann.locator('#guest-keys');
  await expect(annsCube).toContainText('Yours is the blue cube.');
  await expect(cubes(page)).toHaveText('Yours is the red cube, grey at rest. The blue one is driven by the guest.');
  await ann.getByRole('button', { name: 'Leave' }).click();
  await expect(annsCube).toHaveText('No cube is yours until you play with the host.');
  await expect(cubes(page)).toHaveText('Yours is the red cube, grey at rest. The blue one stands until a guest is here.');
  await ann.getByRole('button', { name: 'Join again' }).click();
  await expect(annsCube).toContainText('Yours is the blue cube.', { timeout: 30_000 });
  // A guest who is sent away is told so, and does not come back by himself.
  await dialog(page).getByRole('button', { name: 'Send away' }).click();
  await expect(word(ann)).toHaveText('The host has sent you away.');
  await expect(annsCube).toHaveText('No cube is yours until you play with the host.');
  await expect(dialog(page).locator('.said')).toHaveText('The guest has been sent away.');
  await expect(here(page)).toHaveCount(0);
  expect(await violations(page, '#together')).toEqual([]);
});

test('a file that is announced and never sent is given up, by hand and by time @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  // The guest's page does not answer.
  await guest.evaluate(() => {
    (document.querySelector('lab-guest') as unknown as { play: { sendFile(): void } }).play.sendFile = () => {};
  });
  const saw = dialog(page).getByRole('button', { name: 'The guest’s view' });
  await saw.click();
  await speak(guest, 'host', ['{"parcel":1000}', Array<number>(500).fill(0)]);
  await expect(dialog(page).locator('progress')).toHaveJSProperty('value', 0.5);
  await dialog(page).getByRole('button', { name: 'Wait no longer' }).click();
  await saw.click();
  await expect(dialog(page).locator('.said')).toHaveText('The guest’s file does not come.', { timeout: 20_000 });
  await expect(saw).toBeVisible();
  // Frames that are none, and frames drawn at an instant that cannot be, are refused in words.
  await saw.click();
  await speak(guest, 'host', ['{"parcel":8}', Array<number>(8).fill(0)]);
  await expect(dialog(page).locator('.said')).toHaveText('The guest’s frames cannot be shown: These are no frames of a guest of this world.');
  await expect(page.locator('.label.b')).toHaveCount(0);
});

test('a farewell is shown as a name is @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  await speak(guest, 'guest', [`{"end":"\u202eYou have won ${'x'.repeat(300)}"}`]);
  await expect(word(guest)).toHaveText(/^The host ended it: “.*\[U\+202E\]You have won x+…x{12}.*”\.$/);
});

test('later news take the place of Copied, and a ticked box is in force @apart', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, `${WORLD}&latency=0&loss=0&jitter=0`);
  await share(page);
  await page.evaluate(() => {
    // The dialog's own way to say something, without a code: a browser without an address writes none.
    const part = document.querySelector('lab-together') as unknown as { copy(text: string): void };
    part.copy('text');
  });
  const said = dialog(page).locator('.said');
  await expect(said).toHaveText('Copied');
  await join(page);
  await expect(said).toHaveText('The guest is here.');
  await dialog(page).getByText('Network', { exact: true }).click();
  const box = dialog(page).getByLabel('Put lane A’s simulated network');
  await box.check();
  // The network of lane A changes while the box is ticked.
  await page.evaluate(() => {
    location.hash = 'v=2&scene=drive&grid=5&rival=hand&hz=20&latency=400&loss=0&jitter=0';
  });
  await expect.poll(() => trip(page), { timeout: 30_000 }).toBeGreaterThan(500);
  // Another session begins without it, and says so.
  await dialog(page).getByRole('button', { name: 'End the session' }).click();
  await dialog(page).getByRole('button', { name: 'Share this scene' }).click();
  await dialog(page).getByText('Network', { exact: true }).click();
  await expect(box).not.toBeChecked();
});

test.describe('without WebGL2', () => {
  test.use({ views: 'none' });

  test('a guest hears all other words, too @apart', async ({ page }) => {
    await open(page, WORLD);
    await share(page);
    const guest = await join(page);
    // What takes WebGL away may come too late for a window that opens.
    await guest.reload();
    await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 30_000 });
    const blind = guest.locator('lab-guest .blind');
    await expect(blind).toHaveText(/^This browser gives no WebGL 2/);
    await expect(guest.locator('#guest-keys')).toContainText('Yours is the blue cube.');
    expect(await violations(guest)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Send away' }).click();
    await expect(word(guest)).toHaveText('The host has sent you away.');
    await expect(blind).toHaveText(/^This browser gives no WebGL 2/);
  });
});

test('either side ends it, and the other is told @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  await guest.getByRole('button', { name: 'Leave' }).click();
  await expect(word(guest)).toHaveText('You have left.');
  await expect(dialog(page).locator('.said')).toHaveText(/is gone\.$/, { timeout: 6_000 });
  await guest.getByRole('button', { name: 'Join again' }).click();
  await expect(word(guest)).toHaveText('', { timeout: 30_000 });
  await dialog(page).getByRole('button', { name: 'End the session' }).click();
  await expect(word(guest)).toHaveText('The host ended the session.');
  await expect(page.locator('lab-hosted')).toHaveText('');
  // Another world ends a session, too.
  await dialog(page).getByRole('button', { name: 'Share this scene' }).click();
  const other = await join(page);
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.locator('lab-hosted')).toContainText('Shared with a guest.');
  await page.evaluate(() => {
    location.hash = 'v=2&scene=drive&grid=6&rival=hand&hz=20';
  });
  await expect(word(other)).toHaveText('The host opened another world.');
});

test('a host’s page that is hidden goes on for its guest, and without one it pauses @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  const clock = page.locator('.clock');
  const hide = (hidden: boolean): Promise<void> =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      // A hidden page has no frames.
      const { frames = window.requestAnimationFrame } = window as unknown as { frames?: typeof requestAnimationFrame };
      Object.assign(window, { frames, requestAnimationFrame: hidden ? () => 0 : frames });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  await page.waitForTimeout(500);
  const seconds = async (): Promise<number> => Number.parseFloat((await clock.textContent()) ?? '');
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before + 2);
  await expect(word(guest)).toHaveText('');
  await guest.close();
  await expect(dialog(page).locator('.said')).toHaveText(/is gone\.$/, { timeout: 6_000 });
  const alone = await seconds();
  await page.waitForTimeout(1_500);
  expect(await seconds()).toBeLessThan(alone + 0.5);
});

test('a host whose world is paused keeps its guest, who is told @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  const said = await wordsSaid(word(guest));
  await dialog(page).getByRole('button', { name: 'Close', exact: true }).click();
  await page.keyboard.press('p');
  await expect(word(guest)).toHaveText('The host is there, but sends nothing new: its world may be paused.');
  // Longer than the silence after which either end is gone.
  await page.waitForTimeout(6_000);
  await expect(page.locator('lab-hosted')).toContainText('Shared with a guest.');
  await page.keyboard.press('p');
  await expect(word(guest)).toHaveText('');
  expect((await said()).filter((text) => /Joining|Trying|gone/.test(text))).toEqual([]);
});

test('the simulated network stands in front of the real one, and the guard can be turned off @apart', async ({ page }) => {
  await open(page, `${WORLD}&latency=400&loss=0&jitter=0`);
  await share(page);
  const guest = await join(page);
  await expect.poll(() => trip(page)).toBeLessThan(600);
  await dialog(page).getByText('Network', { exact: true }).click();
  await dialog(page).getByLabel('Put lane A’s simulated network').check();
  await expect.poll(() => trip(page), { timeout: 30_000 }).toBeGreaterThan(800);
  await dialog(page).getByLabel('Skip a packet').uncheck();
  await dialog(page).getByLabel('Put lane A’s simulated network').uncheck();
  await expect.poll(() => trip(page), { timeout: 30_000 }).toBeLessThan(600);
  await expect(word(guest)).toHaveText('');
  await dialog(page).getByLabel('TURN server').fill('nonsense');
  await dialog(page).getByLabel('TURN server').press('Enter');
  await expect(dialog(page).getByLabel('TURN server')).toHaveAttribute('aria-invalid', 'true');
  await dialog(page).getByLabel('TURN server').fill('turn:10.0.0.1:3478 ann secret');
  await dialog(page).getByLabel('TURN server').press('Enter');
  await expect(dialog(page).getByLabel('TURN server')).toHaveAttribute('aria-invalid', 'false');
  expect(await violations(page, '#together')).toEqual([]);
});

test('a guest chooses what is his own, and a scene with one hand gets a second one @apart', async ({ page }) => {
  await open(page, 'v=2&scene=drive&grid=5&hz=20');
  await share(page);
  await dialog(page).getByRole('button', { name: 'Begin with two cubes' }).click();
  const guest = await join(page);
  await guest.getByLabel('Predicts').selectOption('wait');
  await guest.getByLabel('Interpolation').selectOption('hermite');
  await guest.getByLabel('Delay').selectOption('300');
  // The keys are for the cube again.
  expect(await guest.evaluate(() => document.activeElement?.localName)).toBe('canvas');
  await expect
    .poll(async () => Number.parseFloat((await guest.locator('.counters div').filter({ hasText: 'Screen age' }).locator('dd').textContent()) ?? ''))
    .toBeGreaterThan(250);
});

test.describe(() => {
  test.use({ expectedError: /404/ });

  test('a page without a host asks for a code, and refuses any other text in words @apart', async ({ page }) => {
    await page.goto('./join.html');
    const code = page.getByLabel('Link or code of the host');
    const join = page.getByRole('button', { name: 'Join' });
    for (const [text, refused] of [
      ['<img src=x onerror=alert(1)>', 'This is no code.'],
      ['9.abc', 'This code is of another version of the lab: reload both pages.'],
      ['1.abcdef', 'This code is not whole: copy all of it.'],
      [`1.${'A'.repeat(66_000)}`, 'This is too long for a code.'],
    ] as const) {
      await code.fill(text);
      await join.click();
      await expect(page.getByRole('alert')).toHaveText(refused);
    }
    expect(await page.locator('img').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});

test('a window without its host says so, and tries again @apart', async ({ page }) => {
  await page.goto(`./join.html#room=${'0'.repeat(24)}`);
  await expect(word(page)).toHaveText('The host’s window does not answer: it may be closed. Trying again …', { timeout: 20_000 });
});

test('a machine that has slept says how long, and joins again by itself @apart', async ({ page }) => {
  await open(page, WORLD);
  await share(page);
  const guest = await join(page);
  const said = await wordsSaid(word(guest));
  // As in a closed laptop, nothing runs: no frame, no timer, no message.
  await guest.evaluate(() => {
    for (const end = performance.now() + 6_500; performance.now() < end; );
  });
  await expect.poll(said, { timeout: 30_000 }).toContainEqual(expect.stringMatching(/^This machine stood still for [67] s\. Trying again …$/));
  await expect(word(guest)).toHaveText('', { timeout: 30_000 });
  await expect(cubes(page)).toContainText('driven by', { timeout: 30_000 });
});
