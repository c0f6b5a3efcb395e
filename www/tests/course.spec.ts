// For courses: a person's own code in a Worker, and the sheets of a group as one table.

import { readFileSync } from 'node:fs';
import { ATTACK } from './browsers/attack.mjs';
import { expect, test } from './page';

test('a jitter buffer of one’s own runs under the page’s policy, and is scored beside the lab’s @apart', async ({ page }) => {
  await page.goto('./teacher.html');
  const solution = (await page.locator('#solution').textContent()) ?? '';
  await page.goto('./buffer.html');
  const rows = page.locator('#scores tbody tr');
  await expect(rows).toHaveCount(1, { timeout: 60_000 });
  const run = page.getByRole('button', { name: 'Run it' });
  const numbers = async (row: number): Promise<number[]> => (await rows.nth(row).locator('td').allTextContents()).map(Number.parseFloat);
  const said = page.locator('#said');
  // With its gaps the code runs, and shows ten steps a second.
  await run.click();
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Your code').fill(solution);
  await run.click();
  await expect(rows).toHaveCount(3);
  const [lab, gaps, solved] = [await numbers(0), await numbers(1), await numbers(2)];
  expect(solved[0]).toBeLessThan(0.3 * (gaps[0] ?? 0));
  expect(Math.abs((solved[1] ?? 0) - (lab[1] ?? 0))).toBeLessThan(25);
  expect(solved[2]).toBeLessThan(2 * (lab[2] ?? 0));
  await page.getByLabel('Your code').fill('function receive() {}\nfunction show() { return { part: 2 }; }');
  await run.click();
  await expect(said).toContainText('show() must return');
});

test.describe(() => {
  test.use({ expectedError: /./, serviceWorkers: 'allow' });

  test('an attacker’s code reaches neither storage, network, other pages nor the page, and a loop without an end is ended @apart', async ({
    page,
    baseURL,
  }) => {
    await page.goto('./buffer.html');
    const run = page.getByRole('button', { name: 'Run it' });
    const said = page.locator('#said');
    const code = page.getByLabel('Your code');
    await expect(run).toBeEnabled({ timeout: 60_000 });
    const asked: string[] = [];
    // A policy refuses before the network is asked.
    await page.route('**', (route) => {
      asked.push(route.request().url());
      return route.continue();
    });
    // What is asked is seen, so that nothing seen means something.
    await page.evaluate(() => fetch('./icon.svg'));
    expect(asked.splice(0)).toHaveLength(1);
    const attack = `const SITE = ${JSON.stringify(baseURL)};${ATTACK}`;
    await code.fill(
      `${attack}\nonmessage = async () => postMessage({ error: 'reached: ' + (await probed()) });\nObject.defineProperty(self, 'onmessage', { set() {} });`,
    );
    await run.click();
    await expect(said).toContainText('reached: nothing', { timeout: 30_000 });
    // The frame's own window, where no foreign code runs: a beacon that says yes is not sent, as the requests below show.
    const [frame] = page.frames().slice(1);
    expect(await frame?.evaluate(`(async () => { ${attack}; return probed(); })()`)).toBe('beacon webRtc');
    expect(asked).toEqual([]);
    expect(new URL(page.url()).pathname).toMatch(/buffer\.html$/);
    expect(await page.evaluate(async () => [await caches.has('x'), localStorage.getItem('a')])).toEqual([false, null]);
    await code.fill('for (;;);');
    await run.click();
    // The page answers meanwhile.
    await page.getByRole('heading', { level: 1 }).click({ timeout: 2000 });
    await expect(said).toHaveText('It did not end within 10 s.', { timeout: 15_000 });
    await code.fill('postMessage(new MessageChannel().port1);');
    await run.click();
    await expect(said).not.toHaveText('Running…');
    await code.fill('postMessage({ still: 0, behindMs: "<b>", errorMm: null });');
    await run.click();
    await expect(said).toHaveText('Its answer is no score.');
  });
});

test('the sheets of a group become one table, dropped together, and one file @apart', async ({ page }) => {
  await page.goto('./teacher.html');
  const sheet = (name: string, first: string, second: string): string =>
    `step,question,guess,answer,guess is,why,reason is,link,name,date,note\ntwo-copies,"Which, then?",a,a,${first},"one, two",${second},http://x/#step=two-copies,${name},,\nby-hand,q,a,a,right,,,http://x/#step=by-hand,,,\n`;
  const files = ['Ada', 'Bo'].map((name, place) => ({
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet(name, 'right', place === 0 ? 'right' : 'wrong')),
  }));
  const other = { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') };
  // Another person's file of the same name, and one that is there twice.
  const same = { name: 'Ada.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet('Cy', 'right', 'wrong')) };
  await page.getByLabel('Course sheets').setInputFiles([...files, other, same, ...files.slice(1)]);
  await expect(page.locator('#sheets [role=status]')).toHaveText(
    /^3 sheets\. No course sheet, or one too many: “.other\.csv.”\. “.Ada\.csv.” does not fit the course, and these are left out: row 3: no such step\./,
  );
  const cells = await page.locator('#group tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(cells).toEqual([
    ['Name', 'Guesses', 'Reasons', 'two-copies'],
    ['Ada', '100 %', '100 %', '✓✓'],
    ['Bo', '100 %', '0 %', '✓✗'],
    ['Cy', '100 %', '0 %', '✓✗'],
    ['All', '100 %', '33 %', '100 %, 33 %'],
  ]);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the table' }).click();
  expect(readFileSync(await (await coming).path(), 'utf8')).toContain('Bo,100 %,0 %,✓✗');
});

test('the teacher’s page computes the answers for a person’s number, which that person’s links carry @apart', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('./exercises.html#seed=7');
  const links = page.locator('ol a[href^="./#v="]');
  await expect(links).toHaveCount(10);
  for (const link of await links.all()) expect(await link.getAttribute('href')).toMatch(/&seed=7$/);
  await expect(page.locator('[data-claim]')).toHaveCount(0);
  await page.goto('./teacher.html');
  const figure = (claim: string) => page.locator(`[data-claim="${claim}"]`);
  await page.getByLabel('Number').fill('7');
  await page.getByRole('button', { name: 'Compute' }).click();
  await expect(page.locator('#computed')).toHaveText('These are the answers for number 7.', { timeout: 200_000 });
  // Another motion, and packets that are alike in each.
  await expect(figure('ex-rungs rung-6')).toHaveText(/^\d\d\.\d kbit\/s$/);
  await expect(figure('ex-rungs rung-6')).not.toHaveText('63.0 kbit/s');
  await expect(figure('ex-pieces fragments')).toHaveText('66');
});
