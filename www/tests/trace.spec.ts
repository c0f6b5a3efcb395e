// Networks with a name, and one of one’s own: a recorded link in place of the modelled one.

import type { Page } from '@playwright/test';
import { ANSWERS_MS, expect, fragment, longestTask, named, open, settled, test, violations } from './page';

test.use({ views: 'none' });

const ping = [
  'PING example.com (192.0.2.1) 56(84) bytes of data.',
  ...Array.from({ length: 20 }, (_, n) => `64 bytes from 192.0.2.1: icmp_seq=${n + 1} ttl=57 time=${80 + 10 * (n % 3)}.0 ms`).filter((_, n) => n !== 7),
  '',
].join('\n');

const chosen = (page: Page) => page.getByLabel('A network of your own');
const traced = (page: Page) => page.locator('lab-traced');
const choose = (page: Page, name: string, text: string) => chosen(page).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Drops a file where a person's pointer would drop it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    [name, text] as const,
  );
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent('h1', 'drop', { dataTransfer: transfer });
}

test('the interval is asked for where a file tells none @apart', async ({ page }) => {
  await open(page, 'grid=6');
  await choose(page, 'ping.txt', ping);
  await traced(page).locator('summary').click();
  await expect(traced(page)).toContainText('sent each second');
  await traced(page).getByLabel('A packet was sent each').fill('200');
  await page.keyboard.press('Tab');
  await expect(traced(page)).toContainText('sent every 200 ms');
});

test('a dropped ping becomes the network, the link names it, and a button leads back', async ({ page }) => {
  await open(page, 'grid=6&loss=0&jitter=0&latency=50&at=120');
  await drop(page, 'ping.txt', ping);
  await expect(traced(page)).toContainText('ping.txt');
  await expect(traced(page)).toContainText('in place of the settings’ delay and loss');
  await settled(page);
  await expect.poll(() => fragment(page)).toMatch(/trace=[0-9a-f]{8}/);
  expect(await violations(page, 'lab-traced')).toEqual([]);
  await traced(page).getByRole('button', { name: 'Back to' }).click();
  await expect(traced(page)).not.toContainText('ping.txt');
  await expect.poll(() => fragment(page)).not.toContain('trace=');
});

test('a link to a trace asks for its file, and says so where another is given @apart', async ({ page }) => {
  await open(page, 'grid=6&trace=12345678&at=30');
  const notices = page.locator('#notices, lab-notices, [role=status]').filter({ hasText: '12345678' }).first();
  await expect(notices).toContainText('drop its file on this page');
  await choose(page, 'other.csv', 'sent_ms,delay_ms\n0,20\n10,lost\n20,30\n');
  await expect(page.locator('body')).toContainText('The link is of another trace (12345678)');
  await expect(traced(page)).toContainText('other.csv');
  // A link cannot carry the file, and Share says so in place of its promise.
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const share = page.getByRole('dialog', { name: 'Share this moment' });
  await expect(share).toContainText(/but not\s+the network of “\u2068other\.csv\u2069”/);
  await expect(share).not.toContainText('to the last bit');
});

test('a file that is no trace is refused by its row, and the network stays @apart', async ({ page }) => {
  await open(page, 'grid=6&at=30');
  await choose(page, 'bad.csv', 'sent_ms,delay_ms\n0,20\n10,-3\n');
  await expect(page.locator('body')).toContainText(`${named('bad.csv')} cannot be used: `);
  await expect(page.locator('body')).toContainText(/row|line/);
  await expect(traced(page)).not.toContainText('bad.csv');
  expect(fragment(page)).not.toContain('trace=');
});

test('a named link says of each number whether it was measured, and where @apart', async ({ page }) => {
  await open(page, 'grid=6&link=wifi-busy&jitter=30&at=30');
  const sources = page.locator('lab-link-sources');
  await sources.getByText('Sources of “Wi-Fi, busy”').click();
  const row = (name: string) => sources.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(row('Latency, one way')).toContainText('14 ms');
  await expect(row('Jitter')).toContainText('(set to 30)');
  await expect(sources.getByRole('row').filter({ hasText: 'measured' }).first()).toBeVisible();
  expect(await violations(page, 'lab-link-sources')).toEqual([]);
});

test('a long trace is read beside the page, which answers; Cancel and another link end it @alone @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'grid=6&at=30');
  await page.evaluate(() => {
    const rows = Array.from({ length: 300_000 }, (_, at) => `${at * 20},${20 + (at % 7)},${'1'.padStart(30, '0')}`);
    Object.assign(window, { text: `sent_ms,delay_ms,note\n${rows.join('\n')}\n` });
  });
  /** Drops the file, and acts as soon as it is being read. */
  const dropLong = (name: string, act?: 'cancel' | 'leave'): Promise<void> =>
    page.evaluate(
      async ([name, act]) => {
        const data = new DataTransfer();
        data.items.add(new File([(window as unknown as { text: string }).text], name));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
        if (act === undefined) return;
        for (;;) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          const line = document.querySelector('lab-played .played');
          if (line?.textContent?.includes(`Reading “\u2068${name}`) !== true) continue;
          if (act === 'leave') location.hash = '#v=2&grid=7';
          else [...line.querySelectorAll('button')].find((button) => button.textContent?.trim() === 'Cancel')?.click();
          return;
        }
      },
      [name, act] as const,
    );
  // A Worker that has ended keeps no memory.
  const workers = (): number => page.workers().filter((worker) => worker.url().includes('file-worker')).length;
  for (const act of ['cancel', 'leave'] as const) {
    await dropLong(`${act}.csv`, act);
    await expect(page.locator('lab-played').getByText('Reading')).toHaveCount(0);
    await expect.poll(workers).toBe(0);
    await page.waitForTimeout(500);
    await expect(traced(page)).not.toContainText(`${act}.csv`);
  }
  const ms = await longestTask(page, 4, async (time) => {
    await dropLong(`long-${time}.csv`);
    await expect(traced(page)).toContainText(named(`long-${time}.csv`), { timeout: 60_000 });
    await expect(traced(page)).toContainText('300000 packets');
  });
  expect(ms).toBeLessThan(ANSWERS_MS);
});
