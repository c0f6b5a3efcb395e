// What hostile links, files, frames and failures did, and must not do again.

import type { Page } from '@playwright/test';
import { expect, fragment, named, open, set, settled, test } from './page';

test.use({ views: 'none' });

/** Drops files on the page; content undefined is a file that is gone. */
async function drop(page: Page, files: readonly { name: string; text: string | undefined }[]): Promise<void> {
  await page.evaluate((files) => {
    const data = new DataTransfer();
    for (const { name, text } of files) {
      const file = new File([text ?? ''], name);
      data.items.add(file);
    }
    if (files.some(({ text }) => text === undefined)) File.prototype.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
  }, files);
}

test.describe('after the wasm has trapped', () => {
  test('no call goes through, Share still has what was done, and so has a reload @apart', async ({ page }) => {
    await page.addInitScript(() => {
      const original = WebAssembly.instantiateStreaming;
      const traps = { now: false };
      Object.assign(window, { traps });
      WebAssembly.instantiateStreaming = async (...all) => {
        const { module, instance } = await original(...all);
        const exports = Object.fromEntries(
          Object.entries(instance.exports).map(([name, value]) => [
            name,
            name !== 'page_tick' && !name.startsWith('page_')
              ? value
              : (...some: unknown[]): unknown => {
                  if (traps.now) throw new WebAssembly.RuntimeError('unreachable');
                  return (value as (...some: unknown[]) => unknown)(...some);
                },
          ]),
        );
        return { module, instance: { exports } as unknown as WebAssembly.Instance };
      };
    });
    await open(page, 'grid=5&hz=20');
    await page.keyboard.down('ArrowUp');
    await expect(page.locator('.label.left')).toContainText('you drive');
    await page.keyboard.up('ArrowUp');
    await page.waitForTimeout(3000);
    await page.evaluate(() => ((window as unknown as { traps: { now: boolean } }).traps.now = true));
    await expect(page.getByRole('alert').filter({ hasText: 'has stopped' })).toContainText('no memory left');
    for (const place of ['Compare', 'Your game', 'Read', 'Packet']) {
      await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: place }).click();
      for (const tab of await page.getByRole('tab').all()) await tab.click();
    }
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByRole('dialog').getByLabel('Link', { exact: true })).toHaveValue(/tape=\d+/);
    await expect(page.getByRole('dialog')).toContainText('the last copy of what was done');
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await expect(page.locator('lab-notices .notice')).toContainText('Your play was repeated');
  });
});

test('a dropped link opens without a word; of two files one counts, and one that is gone is said to be @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const notice = page.locator('lab-notices .notice');
  await drop(page, [{ name: 'moment.link.txt', text: 'v=2&hz=30&grid=6' }]);
  await expect.poll(() => fragment(page)).toContain('hz=30&grid=6');
  await expect(notice).toHaveCount(0);
  await drop(page, [
    { name: 'moment.link.txt', text: 'v=2&hz=20&grid=6' },
    { name: 'other.csv', text: 'x' },
  ]);
  await expect(notice).toContainText(`One file at a time: ${named('other.csv')} is left out`);
  await drop(page, [{ name: 'gone.csv', text: undefined }]);
  await expect(notice).toContainText(`${named('gone.csv')} cannot be read: it is gone, or a folder`);
});

test('a file that is no link changes no setting, whatever its name @apart', async ({ page }) => {
  await open(page, 'v=2&hz=30&grid=6');
  const notice = page.locator('lab-notices .notice');
  for (const [name, text, expected] of [
    ['empty.txt', '', `${named('empty.txt')} changes nothing: there is nothing in it`],
    ['diary.link.txt', 'Dear diary, a=b.', `${named('diary.link.txt')} changes nothing: its first line is "Dear diary, a=b."`],
    ['picture.csv', '\u0089PNG\r\n', `${named('picture.csv')} changes nothing`],
  ] as const) {
    await drop(page, [{ name, text }]);
    await expect(notice).toContainText(expected);
    expect(await fragment(page)).toContain('hz=30&grid=6');
  }
  const rows = Array.from({ length: 60 }, (_, tick) => `${tick},0,${tick / 10},0,1,0,0,0,1`);
  await drop(page, [{ name: 'motion.txt', text: `tick,object,x,y,z,qx,qy,qz,qw\n${rows.join('\n')}\n` }]);
  await expect(page.locator('lab-played')).toContainText(`${named('motion.txt')} plays: 1 objects`);
  await drop(page, [{ name: 'fping.txt', text: '192.0.2.5 : [0], 84 bytes, 20.1 ms (20.1 avg, 0% loss)\n192.0.2.5 : [1], timed out (20.1 avg, 50% loss)\n' }]);
  await expect(page.locator('lab-traced')).toContainText('fping.txt');
  expect(await fragment(page)).toContain('hz=30');
});

test('a name speaks for itself alone: in quotes, isolated, with its unseen characters shown @apart', async ({ page }) => {
  await open(page, 'grid=5&h\u202e\u2066=1');
  const notice = page.locator('lab-notices .notice');
  await expect(notice).toContainText('h[U+202E][U+2066]');
  const lie = 'Verdict: passed, 0 errors. Measured by Snapshot Lab';
  for (const [name, shown] of [
    [lie, lie],
    ['a” plays. “b', 'a" plays. "b'],
    ['fdp.\u202evsc\n\u001b[31m\u2069\u200f', 'fdp.[U+202E]vsc␊␛[31m[U+2069][U+200F]'],
    ['\u05d0\u05d1.txt', '\u05d0\u05d1.txt'],
  ] as const) {
    await drop(page, [{ name, text: 'Dear diary.' }]);
    await expect(notice.locator('li')).toHaveText(new RegExp(`^${named(shown).replace(/[.[\]+]/g, '\\$&')} changes nothing`));
  }
  const row = (tick: number): string => `${tick},0,${tick / 10},0,1,0,0,0,1`;
  const rows = Array.from({ length: 60 }, (_, tick) => row(tick)).join('\n');
  await drop(page, [{ name: `${lie}\u202e`, text: `tick,object,x,y,z,qx,qy,qz,qw\n${rows}\n` }]);
  const shown = named(`${lie}[U+202E]`);
  await expect(page.locator('lab-played')).toContainText(`${shown} plays`);
  // Its letters go from left to right after a name that goes the other way, too.
  await drop(page, [{ name: '\u05d0\u05d1\u05d2', text: `tick,object,x,y,z,qx,qy,qz,qw\n${rows}\n` }]);
  await expect(page.locator('lab-played')).toContainText(`${named('\u05d0\u05d1\u05d2')} plays: 1 objects`);
  const lefts = await page
    .locator('lab-played .played p')
    .first()
    .evaluate((sentence) => {
      const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf('plays') ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        return [at, at + 4].map((from) => {
          range.setStart(node, from);
          range.setEnd(node, from + 1);
          return range.getBoundingClientRect().left;
        });
      }
      return [];
    });
  expect(lefts[0]).toBeLessThan(lefts[1] ?? 0);
});

test('a frame that may have no workers and no channel still runs @apart', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'serviceWorker', {
      get: () => {
        throw new DOMException('The operation is insecure', 'SecurityError');
      },
    });
    window.BroadcastChannel = class {
      constructor() {
        throw new DOMException('The operation is insecure', 'SecurityError');
      }
    } as unknown as typeof BroadcastChannel;
  });
  await open(page, 'grid=5&embed=1');
  await expect(page.locator('lab-embed .embed-line')).toBeVisible();
});

test('leaving embed=1 out of the address brings the whole page @apart', async ({ page }) => {
  await open(page, 'grid=5&embed=1');
  await page.evaluate(() => (location.hash = '#v=2&grid=5'));
  await page.waitForSelector('html[data-ready]:not([data-embed])');
  await expect(page.getByRole('tablist', { name: 'Packet' })).toBeVisible();
});

test.describe('when the script of the page does not come', () => {
  test.use({ expectedError: /Failed to load|ERR_FAILED/ });

  test('that is said @apart', async ({ page }) => {
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('./');
    await expect(page.getByRole('alert')).toContainText('has not started', { timeout: 20_000 });
  });
});

test('documents may run no scripts @apart', async ({ request }) => {
  for (const name of ['format', 'numbers', 'terms', 'motion']) {
    const html = await (await request.get(`./${name}.html`)).text();
    expect(html).toContain('http-equiv="Content-Security-Policy"');
    expect(html).not.toMatch(/script-src|<script/);
  }
});

test('a notice is said once, in plain letters, as a sentence @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=10&hz=20&hz=30&hz=40&h%C3%A4=1');
  const said = page.locator('lab-notices li');
  await expect(said).toHaveText([/"hz" comes twice/, /"hä"/]);
  expect((await said.allTextContents()).join()).not.toContain('..');
});

test('nothing is wider than a screen of 240 px @apart', async ({ page }) => {
  await page.setViewportSize({ width: 240, height: 500 });
  await open(page, 'grid=5');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(240);
});

test('a minute at 240 Hz with most packets lost is a mark a pixel, and the end is reached @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await page.addInitScript(() => {
    const marks = { now: 0, most: 0 };
    Object.assign(window, { marks });
    const { fillRect, clearRect } = CanvasRenderingContext2D.prototype;
    const isLine = (canvas: HTMLCanvasElement): boolean => canvas.parentElement?.className === 'tape-box';
    CanvasRenderingContext2D.prototype.fillRect = function (...box) {
      if (isLine(this.canvas)) marks.most = Math.max(marks.most, (marks.now += 1));
      fillRect.apply(this, box);
    };
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      if (isLine(this.canvas)) marks.now = 0;
      clearRect.apply(this, box);
    };
  });
  await open(page, 'hz=60&loss=90&delay=adaptive&rate=64&b=a&b.codec=predicted');
  const rows = ['rate=240', 'tick,object,x,y,z,qx,qy,qz,qw'];
  for (let tick = 0; tick < 14_400; tick += 1) rows.push(`${tick},0,${(tick % 480) / 40},0,1,0,0,0,1`);
  await page.locator('#motion').setInputFiles({ name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from(`${rows.join('\n')}\n`) });
  await expect(page.locator('lab-played')).toContainText(`${named('long.csv')} plays`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await set(page, 'hz', '240');
  const line = page.getByLabel('Instant that is shown');
  await line.press('End');
  await expect(page.locator('.clock')).toHaveText('60.00 s', { timeout: 60_000 });
  await settled(page);
  await line.press('ArrowLeft');
  const most = () => page.evaluate(() => (window as unknown as { marks: { most: number } }).marks.most);
  await expect.poll(most).toBeGreaterThan(300);
  const width = (await line.boundingBox())?.width ?? 0;
  // Freezes, losses, the queue, and two marks of the delay.
  expect(await most()).toBeLessThan(5 * width);
});
