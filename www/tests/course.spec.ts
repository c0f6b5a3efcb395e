// For courses: a person's own code in a Worker, and the sheets of a group as one table.

import { readFileSync } from 'node:fs';
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
  test.use({ expectedError: /example\.org/ });

  test('the code of a person reaches no other host @apart', async ({ page }) => {
    await page.goto('./buffer.html');
    const run = page.getByRole('button', { name: 'Run it' });
    await expect(run).toBeEnabled({ timeout: 60_000 });
    await page
      .getByLabel('Your code')
      .fill(
        "let told;\ntry { const x = new XMLHttpRequest(); x.open('GET', 'https://example.org', false); x.send(); } catch (e) { told = e.name; }\nfunction receive() {}\nfunction show() { throw new Error('refused: ' + told); }",
      );
    await run.click();
    await expect(page.locator('#said')).toContainText('refused: NetworkError');
  });
});

test('the sheets of a group become one table, dropped together, and one file @apart', async ({ page }) => {
  await page.goto('./teacher.html');
  const sheet = (name: string, first: string, second: string): string =>
    `step,question,guess,answer,guess is,why,reason is,link,name,date,note\ntwo-copies,"Which, then?",a,b,${first},"one, two",${second},http://x,${name},,\ncut,q,,,,,,http://x,${name},,\n`;
  const files = ['Ada', 'Bo'].map((name, place) => ({
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet(name, 'right', place === 0 ? 'right' : 'wrong')),
  }));
  const other = { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') };
  await page.getByLabel('Course sheets').setInputFiles([...files, other]);
  await expect(page.locator('#sheets [role=status]')).toHaveText('2 sheets. No course sheet: other.csv.');
  const cells = await page.locator('#group tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(cells).toEqual([
    ['Name', 'Guesses', 'Reasons', 'two-copies'],
    ['Ada', '100 %', '100 %', '✓✓'],
    ['Bo', '100 %', '0 %', '✓✗'],
    ['All', '100 %', '50 %', '100 %, 50 %'],
  ]);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the table' }).click();
  expect(readFileSync(await (await coming).path(), 'utf8')).toContain('Bo,100 %,0 %,✓✗');
});
