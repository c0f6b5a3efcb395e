// Two pages over WebRTC, in a network of their own.

import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { hasNamespaces, launchInNetwork, type NetworkBrowser, OWN_ADDRESS } from './network';
import { show, withoutWebGl, wordsSaid } from './page';

/** Firefox's program; cargo xtask looks for one. */
const { FIREFOX = '' } = process.env;
const WORLD = '#v=2&scene=drive&grid=5&rival=hand&hz=20';
let network: NetworkBrowser;
/** Address of the site in the network: an insecure origin, as that of a host at home. */
let site = '';

test.beforeAll(async () => {
  test.skip(!hasNamespaces, 'This machine gives no network namespaces');
  network = await launchInNetwork();
  site = await network.inside('site');
});

test.afterAll(() => network?.close());

function context(): Promise<BrowserContext> {
  return network.browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 900 } });
}

async function host(page: Page): Promise<void> {
  await page.goto(site + WORLD);
  await page.waitForSelector('html[data-ready]');
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto, 'serviceWorker' in navigator])).toEqual([false, false, false]);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Play together' }).click();
}

test('two windows and two browsers play over WebRTC on an insecure origin @apart', async () => {
  test.setTimeout(240_000);
  const here = await context();
  const page = await here.newPage();
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await test.step('another window', async () => {
    const [guest] = await Promise.all([here.waitForEvent('page'), dialog.getByRole('link', { name: 'In another window' }).click()]);
    await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
    await expect(guest.locator('lab-guest .word')).toHaveText('', { timeout: 30_000 });
    await expect(guest.locator('lab-guest')).not.toContainText('from window to window');
    await expect(dialog.locator('.here')).not.toContainText('other window');
    await guest.close();
    await expect(dialog.locator('.said')).toHaveText(/is gone\.$/, { timeout: 8_000 });
  });
  await test.step('by a code, from a browser that shares nothing with this one', async () => {
    await dialog.getByRole('button', { name: 'By a code' }).click();
    const link = await dialog.locator('#invitation').inputValue({ timeout: 30_000 });
    await expect(dialog.locator('.qr')).toBeVisible();
    test.info().annotations.push({ type: 'characters of the invitation', description: String(link.length) });
    const guest = await (await context()).newPage();
    await guest.goto(link);
    await guest.getByRole('button', { name: 'Join' }).click();
    const answer = await guest.locator('#answer').inputValue({ timeout: 30_000 });
    await dialog.locator('#answer').fill(answer);
    await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
    await expect(dialog.locator('.cubes')).toContainText('driven by');
    await guest.locator('canvas').press('ArrowUp', { delay: 1_500 });
    await dialog.getByRole('button', { name: 'The guest’s view' }).click();
    await expect(dialog.locator('.said')).toHaveText('Lane B is what the guest saw.', { timeout: 60_000 });
    // The same code leads nowhere a second time.
    await dialog.getByRole('button', { name: 'Send away' }).click();
    await dialog.getByRole('button', { name: 'By a code' }).click();
    await expect(dialog.locator('#answer')).toBeVisible({ timeout: 30_000 });
    await dialog.locator('#answer').fill(answer);
    await expect(dialog.getByRole('alert')).toHaveText(/^This answers an earlier invitation/);
  });
});

test('of two who press Join on one link the first answer connects, and the other needs a new link @apart', async () => {
  test.setTimeout(240_000);
  const page = await (await context()).newPage();
  const complaints: string[] = [];
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  const invitation = dialog.locator('#invitation');
  await dialog.getByRole('button', { name: 'By a code' }).click();
  const link = await invitation.inputValue({ timeout: 30_000 });
  const word = (guest: Page) => guest.locator('lab-guest .word');
  const press = async (to: string): Promise<Page> => {
    const guest = await (await context()).newPage();
    guest.on('pageerror', (error) => complaints.push(String(error)));
    await guest.goto(to);
    await guest.getByRole('button', { name: 'Join' }).click();
    await expect(guest.locator('#answer')).toHaveValue(/^1\./, { timeout: 30_000 });
    await expect(guest.locator('#guest-keys')).toHaveText('No cube is yours until you play with the host.');
    return guest;
  };
  page.on('pageerror', (error) => complaints.push(String(error)));
  const [ann, bob] = [await press(link), await press(link)];
  const said = await wordsSaid(dialog);
  await test.step('the first answer connects, though both have asked', async () => {
    await dialog.locator('#answer').fill(`<${await ann.locator('#answer').inputValue()}>.`);
    await expect(dialog.locator('.cubes')).toHaveText('Yours is the red cube, grey at rest. The blue one is driven by the guest.', { timeout: 30_000 });
    await expect(word(ann)).toHaveText('', { timeout: 30_000 });
    await expect(ann.locator('#guest-keys')).toContainText('Yours is the blue cube.');
  });
  await test.step('the second one’s answer is refused, and he gets in by the new link once there is room', async () => {
    await ann.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByRole('button', { name: 'By a code' }).click();
    await expect(dialog.locator('#answer')).toBeVisible({ timeout: 30_000 });
    await dialog.locator('#answer').fill(await bob.locator('#answer').inputValue());
    await expect(dialog.getByRole('alert')).toHaveText(/^This answers an earlier invitation/);
    await bob.getByRole('button', { name: 'Leave' }).click();
    await expect(bob.locator('#guest-keys')).toHaveText('No cube is yours until you play with the host.');
    await bob.getByRole('button', { name: 'Use another link' }).click();
    await bob.getByLabel('Link or code of the host').fill(`> ${await invitation.inputValue()}.`);
    await bob.getByRole('button', { name: 'Join' }).click();
    await expect(bob.locator('#answer')).toHaveValue(/^1\./, { timeout: 30_000 });
    await dialog.locator('#answer').fill(await bob.locator('#answer').inputValue());
    await expect(dialog.locator('.cubes')).toContainText('driven by the guest', { timeout: 30_000 });
  });
  await test.step('a world that changed under an invitation makes a new one', async () => {
    await bob.getByRole('button', { name: 'Leave' }).click();
    await dialog.getByRole('button', { name: 'By a code' }).click();
    const before = await invitation.inputValue({ timeout: 30_000 });
    await page.evaluate(() => {
      location.hash = 'v=2&scene=drive&grid=6&rival=hand&hz=20';
    });
    await expect(dialog.locator('.said')).toHaveText('The world has changed, so the invitation of before leads nowhere. Send this one.', { timeout: 30_000 });
    expect(await invitation.inputValue()).not.toBe(before);
  });
  expect([...(await said()), ...complaints].filter((text) => /Failed to|DOMException|TypeError|InvalidState/.test(text))).toEqual([]);
});

test('a guest that floods is let go, and the host’s world keeps its pace @apart', async () => {
  test.setTimeout(120_000);
  const page = await (await context()).newPage();
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await dialog.getByRole('button', { name: 'By a code' }).click();
  const guest = await (await context()).newPage();
  await guest.addInitScript(withoutWebGl);
  await guest.goto(await dialog.locator('#invitation').inputValue({ timeout: 30_000 }));
  await guest.getByRole('button', { name: 'Join' }).click();
  await dialog.locator('#answer').fill(await guest.locator('#answer').inputValue({ timeout: 30_000 }));
  await expect(dialog.locator('.cubes')).toContainText('driven by', { timeout: 30_000 });
  /** Seconds of the host's world in a second, while something is awaited. */
  const paceUntil = async (awaited: () => Promise<unknown>): Promise<number> => {
    const now = (): Promise<[number, number]> =>
      page.evaluate(() => [Number.parseFloat(document.querySelector('.clock')?.textContent ?? ''), performance.now() / 1000]);
    const [from, fromS] = await now();
    await awaited();
    const [to, toS] = await now();
    return (to - from) / (toS - fromS);
  };
  const played = async (seconds: number): Promise<void> => {
    const clock = async (): Promise<number> => Number.parseFloat((await page.locator('.clock').textContent()) ?? '');
    const end = (await clock()) + seconds;
    await expect.poll(clock, { timeout: 60_000 }).toBeGreaterThan(end);
  };
  const before = await paceUntil(() => played(3));
  // 125 texts a second of 130 kB, and as many datagrams as go.
  await guest.evaluate(() => {
    const { wire } = (document.querySelector('lab-guest') as unknown as { play: { wire: { post(text: string): void; transmitNow(bytes: Uint8Array): void } } })
      .play;
    const text = '['.repeat(130_000);
    setInterval(() => {
      wire.post(text);
      for (let more = 0; more < 40; more += 1) wire.transmitNow(new Uint8Array(1200));
    }, 8);
  });
  const during = await paceUntil(async () => {
    // A page that is too slow to flood is silent for 5 s. `wire.test.ts` has the guard by itself.
    await expect(dialog.locator('.said')).toHaveText(/^The guest (was sent away: that page sent what no page of the lab sends|is gone)\.$/, {
      timeout: 60_000,
    });
    await played(3);
  });
  test.info().annotations.push({ type: 'pace', description: `${before.toFixed(2)}, with a flood ${during.toFixed(2)}` });
  console.log(`pace ${before.toFixed(2)}, with a flood ${during.toFixed(2)}`);
  expect(during).toBeGreaterThan(before * 0.7);
  await expect(dialog.locator('.cubes')).toContainText('The blue one stands until a guest is here.');
});

test('a guest in Firefox joins by a code, drives, and the host sees what he saw @apart', async () => {
  test.skip(FIREFOX === '', 'Firefox is not there');
  test.setTimeout(240_000);
  const page = await (await context()).newPage();
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await dialog.getByRole('button', { name: 'By a code' }).click();
  const link = await dialog.locator('#invitation').inputValue({ timeout: 30_000 });
  await network.inside('firefox', FIREFOX, {});
  const ask = async <Value>(expression: string): Promise<Value> => JSON.parse(await network.inside<string>('run', expression)) as Value;
  const text = (selector: string): Promise<string> => ask(`document.querySelector('${selector}')?.textContent.replaceAll(/\\s+/g, ' ') ?? ''`);
  await network.inside('go', link);
  await expect.poll(() => ask('document.querySelector("button.primary") !== null')).toBe(true);
  await ask('document.querySelector("button.primary").click()');
  await expect.poll(() => ask('document.querySelector("#answer")?.value ?? ""'), { timeout: 30_000 }).toMatch(/^1\./);
  await dialog.locator('#answer').fill(await ask('document.querySelector("#answer").value'));
  await expect.poll(() => text('lab-guest .counters'), { timeout: 60_000 }).toMatch(/Round trip ?\d+ ms/);
  // Without a graphics card Firefox draws nothing, and plays on.
  await expect.poll(() => text('lab-guest .word'), { timeout: 60_000 }).toMatch(/^$|^This browser gives no WebGL 2/);
  await expect(dialog.locator('.cubes')).toContainText('driven by');
  await network.inside('press', 'ArrowUp', 1_500);
  await dialog.getByRole('button', { name: 'The guest’s view' }).click();
  await expect(dialog.locator('.said')).toHaveText('Lane B is what the guest saw.', { timeout: 60_000 });
  await ask('document.querySelector("lab-guest").querySelectorAll("button").forEach((button) => button.textContent.trim() === "Leave" && button.click())');
  await expect(dialog.locator('.said')).toHaveText(/is gone\.$/, { timeout: 8_000 });
});

/** Time of play by two scripts, s: PLAY_SECONDS=300 plays longer. */
const PLAY_SECONDS = Number(process.env['PLAY_SECONDS'] ?? 15);

test('two hands play for a while, and both pages stay well @apart', async () => {
  test.setTimeout(PLAY_SECONDS * 2_000 + 120_000);
  const [page, guest] = [await (await context()).newPage(), await (await context()).newPage()];
  await page.setViewportSize({ width: 1440, height: 900 });
  await guest.setViewportSize({ width: 390, height: 844 });
  const complaints: string[] = [];
  for (const one of [page, guest]) one.on('pageerror', (error) => complaints.push(String(error)));
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await dialog.getByRole('button', { name: 'By a code' }).click();
  await guest.goto(await dialog.locator('#invitation').inputValue({ timeout: 30_000 }));
  await guest.getByRole('button', { name: 'Join' }).click();
  await dialog.locator('#answer').fill(await guest.locator('#answer').inputValue({ timeout: 30_000 }));
  await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  // Space is for the cube then, and for no button.
  await page.locator('.screen canvas').first().focus();
  await guest.locator('canvas').focus();
  let isOver = false;
  let state = 5;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  /** Presses drawn keys, as somebody does who plays. */
  const play = async (one: Page): Promise<number> => {
    let pressed = 0;
    for (; !isOver; pressed += 1) {
      const key = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Space', 'KeyZ'][draw(6)] ?? '';
      await one.keyboard.press(key, { delay: 30 + draw(900) });
    }
    return pressed;
  };
  const hands = [play(page), play(guest)];
  const words = new Set<string>();
  const heap = async (): Promise<number> => guest.evaluate(() => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize);
  const heaps = [await heap()];
  for (const end = Date.now() + PLAY_SECONDS * 1_000; Date.now() < end; ) {
    await page.waitForTimeout(3_000);
    words.add((await guest.locator('lab-guest .word').textContent()) ?? '');
    heaps.push(await heap());
  }
  isOver = true;
  const pressed = await Promise.all(hands);
  const counters = ((await guest.locator('lab-guest .counters').textContent()) ?? '').replaceAll(/\s+/g, ' ');
  await show(page, 'Link');
  const row = page.getByRole('table', { name: 'Measured beside simulated' }).getByRole('row').filter({ hasText: 'Guest' });
  const cells = await row.getByRole('cell').allTextContents();
  const megabytes = heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(' ');
  const description = `keys ${pressed.join(' and ')}; ${counters}; ${cells.join(', ')}; heap ${megabytes} MB`;
  test.info().annotations.push({ type: 'play', description });
  if (PLAY_SECONDS >= 60) console.log(description);
  expect(complaints).toEqual([]);
  expect([...words]).toEqual(['']);
  const [equal, compared] = (cells.find((text) => / of /.test(text)) ?? '').split(' of ');
  expect(equal).toBe(compared);
  expect(Number(compared)).toBeGreaterThan(PLAY_SECONDS);
  expect(heaps.at(-1)).toBeLessThan((heaps[0] ?? 0) + 30e6);
});

/** Keeps what a page says from now on, with the times, ms: the texts of an element, and those of the whole page that are of a browser. */
async function timeline(page: Page, selector: string): Promise<() => Promise<{ said: [number, string][]; exceptions: string[] }>> {
  const kept = await page.evaluateHandle((selector) => {
    const said: [number, string][] = [];
    const exceptions: string[] = [];
    const look = (): void => {
      const text = document.querySelector(selector)?.textContent?.trim() ?? '';
      if (text !== said.at(-1)?.[1]) said.push([Date.now(), text]);
      const all = document.body.textContent ?? '';
      const found = /.{0,40}(?:Failed to |DOMException|TypeError|RangeError|InvalidState|OperationError|is not a function|undefined|NaN|\[object).{0,60}/.exec(
        all,
      );
      if (found !== null) exceptions.push(found[0]);
    };
    new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    look();
    return { said, exceptions };
  }, selector);
  return () => kept.jsonValue();
}

test('two people over busy Wi-Fi are told at each moment who drives @apart', async () => {
  test.setTimeout(PLAY_SECONDS * 3_000 + 240_000);
  const [page, guest] = [await (await context()).newPage(), await (await context()).newPage()];
  for (const one of [page, guest]) await one.addInitScript(withoutWebGl);
  const complaints: string[] = [];
  for (const one of [page, guest]) one.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${site}${WORLD}&link=wifi-busy`);
  await page.waitForSelector('html[data-ready]');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Play together' }).click();
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  await dialog.getByText('Network', { exact: true }).click();
  await dialog.getByLabel('Put lane A’s simulated network').check();
  await dialog.getByRole('button', { name: 'By a code' }).click();
  await guest.goto(await dialog.locator('#invitation').inputValue({ timeout: 30_000 }));
  const hosts = await timeline(page, 'lab-together .cubes');
  const guests = await timeline(guest, '#guest-keys');
  const [word, guestsCube, hostsCube] = [guest.locator('lab-guest .word'), guest.locator('#guest-keys'), dialog.locator('.cubes')];
  const answer = async (): Promise<void> => {
    await guest.getByRole('button', { name: 'Join' }).click();
    await expect(guest.locator('#answer')).toHaveValue(/^1\./, { timeout: 30_000 });
    await dialog.locator('#answer').fill(`> ${await guest.locator('#answer').inputValue()}.`);
    await expect(guestsCube).toContainText('Yours is the blue cube.', { timeout: 60_000 });
    await expect(hostsCube).toContainText('driven by the guest', { timeout: 10_000 });
  };
  await answer();
  let rounds = 0;
  for (const end = Date.now() + PLAY_SECONDS * 1_000; Date.now() < end || rounds === 0; rounds += 1) {
    for (const key of ['ArrowUp', 'Space', 'ArrowLeft', 'KeyZ']) await guest.locator('lab-guest').press(key, { delay: 700 });
    await expect(hostsCube).toContainText('driven by the guest');
    // The host goes back in time, and on from there: the cube stays whose it is.
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.keyboard.press('p');
    await expect(word).toHaveText('The host is there, but sends nothing new: its world may be paused.', { timeout: 30_000 });
    for (let back = 0; back < 20; back += 1) await page.keyboard.press(',');
    await page.keyboard.press('p');
    await page.keyboard.press('ArrowUp', { delay: 200 });
    await page.getByRole('button', { name: 'Guest', exact: true }).click();
    await expect(word).toHaveText('', { timeout: 30_000 });
    await expect(guestsCube).toContainText('Yours is the blue cube.');
    // The guest leaves or is sent away, and comes back by another link.
    if (rounds % 2 === 0) await guest.getByRole('button', { name: 'Leave' }).click();
    else await dialog.getByRole('button', { name: 'Send away' }).click();
    await expect(guestsCube).toHaveText('No cube is yours until you play with the host.');
    await expect(hostsCube).toContainText('The blue one stands until a guest is here.');
    await dialog.getByRole('button', { name: 'By a code' }).click();
    await guest.getByRole('button', { name: 'Use another link' }).click();
    await guest.getByLabel('Link or code of the host').fill(`<${await dialog.locator('#invitation').inputValue({ timeout: 30_000 })}>.`);
    await answer();
  }
  const [{ said: byHost, exceptions }, { said: byGuest, exceptions: more }] = [await hosts(), await guests()];
  expect([...exceptions, ...more, ...complaints]).toEqual([]);
  /** Longest time for which one says that the guest drives while the other says that nobody does, ms. */
  const apart = (isTrue: (host: boolean, guest: boolean) => boolean): number => {
    const at = (said: readonly [number, string][], ms: number): string => said.findLast(([from]) => from <= ms)?.[1] ?? '';
    const times = [...byHost, ...byGuest].map(([ms]) => ms).toSorted((a, b) => a - b);
    let [longest, since] = [0, undefined as number | undefined];
    for (const ms of times) {
      if (since !== undefined) longest = Math.max(longest, ms - since);
      const is = isTrue(/driven by/.test(at(byHost, ms)), /^Yours/.test(at(byGuest, ms)));
      since = is ? (since ?? ms) : undefined;
    }
    return longest;
  };
  const [early, late] = [apart((host, guest) => guest && !host), apart((host, guest) => host && !guest)];
  const description = `${rounds} rounds; the guest alone says that he drives for ${early} ms at most, the host alone for ${late} ms`;
  test.info().annotations.push({ type: 'who drives', description });
  if (PLAY_SECONDS >= 60) console.log(description);
  // The host reads his rows twice a second. A goodbye may be lost on the way: then 5 s of silence tell.
  expect(early).toBeLessThan(1_500);
  expect(late).toBeLessThan(7_000);
});

test('a guest whose network changes says so, and finds another path @apart', async () => {
  test.setTimeout(120_000);
  const here = await context();
  const page = await here.newPage();
  await host(page);
  const dialog = page.getByRole('dialog', { name: 'Play together' });
  const [guest] = await Promise.all([here.waitForEvent('page'), dialog.getByRole('link', { name: 'In another window' }).click()]);
  await expect(guest.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
  await expect(guest.locator('lab-guest .word')).toHaveText('', { timeout: 30_000 });
  const said = await wordsSaid(guest.locator('lab-guest .word'));
  const move = (address: string): void =>
    network.shell(`ip addr flush dev lab0 && ip addr add ${address}/24 dev lab0 && ip route add default via 10.77.0.2 dev lab0`);
  // Another network gives both windows another address. What goes to the old one goes nowhere.
  move('10.77.0.9');
  try {
    await expect
      .poll(said, { timeout: 30_000 })
      .toContainEqual(
        expect.stringMatching(/^(Nothing comes from the host at the moment …|The network is away, or another one\. Looking for another connection …)$/),
      );
    await expect.poll(said, { timeout: 30_000 }).toContainEqual(expect.stringMatching(/Trying again …$/));
    await expect(guest.locator('lab-guest .word')).toHaveText('', { timeout: 60_000 });
    await expect(dialog.locator('.here')).not.toContainText('other window');
  } finally {
    move(OWN_ADDRESS);
  }
});
