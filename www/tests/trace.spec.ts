// Networks with a name, and one of one’s own: a recorded link in place of the modelled one.

import type { Page } from '@playwright/test';
import { expect, fragment, open, settled, test, violations } from './page';

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
  await choose(page, 'other.csv', '0,20\n10,lost\n20,30\n');
  await expect(page.locator('body')).toContainText('The link is of another trace (12345678)');
  await expect(traced(page)).toContainText('other.csv');
  // A link cannot carry the file, and Share says so in place of its promise.
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const share = page.getByRole('dialog', { name: 'Share this moment' });
  await expect(share).toContainText(/but not\s+the network of other\.csv/);
  await expect(share).not.toContainText('to the last bit');
});

test('a file that is no trace is refused by its row, and the network stays @apart', async ({ page }) => {
  await open(page, 'grid=6&at=30');
  await choose(page, 'bad.csv', 'sent_ms,delay_ms\n0,20\n10,-3\n');
  await expect(page.locator('body')).toContainText('bad.csv cannot be used: ');
  await expect(page.locator('body')).toContainText(/row|line/);
  await expect(traced(page)).not.toContainText('bad.csv');
  expect(fragment(page)).not.toContain('trace=');
});

test('a named link says of each number whether it was measured, and where', async ({ page }) => {
  await open(page, 'grid=6&link=wifi-busy&jitter=30&at=30');
  const sources = page.locator('lab-link-sources');
  await sources.getByText('Sources of “Wi-Fi, busy”').click();
  const row = (name: string) => sources.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(row('Latency, one way')).toContainText('14 ms');
  await expect(row('Jitter')).toContainText('(set to 30)');
  await expect(sources.getByRole('row').filter({ hasText: 'measured' }).first()).toBeVisible();
  expect(await violations(page, 'lab-link-sources')).toEqual([]);
});
