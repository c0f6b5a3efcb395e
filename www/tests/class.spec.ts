// The teacher's page, whose rows, keys and hands go to a host: here the test answers in its place.

import { expect, test, violations } from './page';

test.use({ views: 'blank', desk: '' });

const TOKEN = '0123456789abcdef0123456789abcdef';
const guest = {
  status: 'playing',
  round_trip_ms: 20,
  lost_percent: 1,
  kbps: 30,
  keys_late: 0,
  keys_lost: 0,
  screen_age_ms: 90,
  still_ms: 0,
  corrections: 2,
  way_ms: [10, 31.5],
  kbps_with_headers: 60,
  compared: 8,
  mismatches: 1,
};

test('the teacher sees each guest, gives the blue cube and steers @apart', async ({ page }) => {
  let hand = 0;
  const keys: number[] = [];
  await page.route(/\/room$/, (route) => route.fulfill({ json: { version: 1, link: 'v=2&rival=hand', room: 32, full: false, udp: 1 } }));
  await page.route(/\/rows\?token=/, (route) => {
    if (!route.request().url().endsWith(TOKEN)) return route.fulfill({ status: 403, json: { error: 'Only the teacher’s page may do this.' } });
    const rows = ['Ann', '<b>Bob</b>'].map((name, way) => ({ ...guest, name, way, has_hand: way === hand }));
    return route.fulfill({ json: { version: 1, rows: [...rows, { ...guest, name: 'Cid', way: 2, status: 'gone', has_hand: false }] } });
  });
  await page.route(/\/(hand|keys)$/, (route) => {
    const body = route.request().postDataJSON();
    expect([body.version, body.token]).toEqual([1, TOKEN]);
    if ('way' in body) hand = body.way;
    else keys.push(body.keys);
    return route.fulfill({ json: { version: 1 } });
  });
  await page.goto(`class.html#teacher=${TOKEN}`);
  const part = page.locator('lab-class');
  await expect(part.getByRole('status')).toHaveText('2 guests in the room.');
  const bob = part.locator('.guests tbody tr').filter({ hasText: '<b>Bob</b>' });
  await expect(part.locator('.guests tbody tr').filter({ hasText: 'Ann' })).toContainText('drives');
  await expect(part.locator('.guests tbody tr').filter({ hasText: 'Cid' }).getByRole('button')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await part.getByText('The measured way to each guest').click();
  const way = part.getByRole('table', { name: 'Measured ways' }).getByRole('row').filter({ hasText: 'Ann' });
  await expect(way).toContainText(/20 ms\s*10 ms\s*32 ms\s*1\.0 %\s*30\.0 kbit\/s\s*60\.0 kbit\/s\s*7 of 8/);
  expect(await violations(page)).toEqual([]);
  await bob.getByRole('button', { name: 'Give the blue cube' }).click();
  await expect(bob).toContainText('drives');
  await page.locator('h1').click();
  await page.keyboard.down('ArrowRight');
  await expect.poll(() => keys.at(-1)).toBe(2);
  await expect.poll(() => keys.length).toBeGreaterThan(2);
  await page.keyboard.up('ArrowRight');
  await expect.poll(() => keys.at(-1)).toBe(0);
  // Released keys are told once.
  const count = keys.length;
  await page.waitForTimeout(700);
  expect(keys.length).toBe(count);
});

test.describe('without the token', () => {
  test.use({ expectedError: /403/ });
  test('the page says so @apart', async ({ page }) => {
    await page.route(/\/room$/, (route) => route.fulfill({ json: { version: 1, link: 'v=2&rival=hand', room: 32, full: false, udp: 1 } }));
    await page.route(/\/rows\?token=/, (route) => route.fulfill({ status: 403, json: { error: 'Only the teacher’s page may do this.' } }));
    await page.goto('class.html');
    await expect(page.locator('lab-class').getByRole('status')).toHaveText('Only the teacher’s page may do this.');
  });
});
