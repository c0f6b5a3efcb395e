// Figures that are true: each says over which time it is, and comparisons are fair.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, fragment, named, open, set, settled, show, test } from './page';

test.use({ views: 'none' });

test('a ready-made comparison sets all that it needs on a fresh page, and makes its point @apart', async ({ page }) => {
  await open(page, '');
  await show(page, 'A and B');
  await page.getByRole('button', { name: 'Linear against hermite, at 10 a second' }).click();
  await expect(page.locator('lab-compare .point')).toContainText('Hermite comes a third closer');
  expect(fragment(page)).not.toMatch(/delay=50/);
  // The point holds for the run; here it is enough that neither stands still.
  await expect.poll(async () => Number.parseFloat((await page.locator('.clock').textContent()) ?? '0'), { timeout: 40_000 }).toBeGreaterThan(2);
  await page.keyboard.press('p');
  await settled(page);
  const row = (name: string) => page.getByRole('row', { name }).getByRole('cell');
  expect(await row('Longest freeze').allTextContents()).toEqual(['0', '0', '0']);
  // Another value is no longer that comparison.
  await set(page, 'loss', '20');
  await expect(page.locator('lab-compare .point')).toHaveCount(0);
});

test('a trade-off names what changes nothing, shows what each costs, and finds the cheapest that is close enough @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'grid=5&codec=uncompressed&at=120&show=trade');
  await page.getByRole('button', { name: 'Bits of a position and an orientation' }).click();
  await page.getByRole('button', { name: 'Leave out Orientation bits' }).click();
  await page.getByRole('button', { name: 'Try all 5' }).click();
  await expect(page.locator('lab-trade [role=status]')).toContainText('Position bits changed nothing here');
  await expect(page.locator('lab-trade tbody tr')).toHaveCount(0);
  await set(page, 'codec', 'changed-flags');
  await settled(page);
  await page.getByRole('button', { name: 'Bits of a position and an orientation' }).click();
  await page.getByRole('button', { name: 'Leave out Position bits' }).click();
  await page.getByRole('group', { name: 'Orientation bits' }).getByRole('button', { name: '9', exact: true }).click();
  await page.getByRole('button', { name: 'Try all 2' }).click();
  const rows = page.locator('lab-trade tbody tr');
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  // Each is the better one in something: fewer bits, or a smaller error.
  await expect(rows.getByText('✓')).toHaveCount(2);
  const within = page.locator('lab-trade .within');
  await page.getByRole('slider', { name: 'Largest surface error' }).press('End');
  await expect(within.getByRole('button')).toHaveText('7');
  await page.getByRole('slider', { name: 'Largest surface error' }).press('Home');
  await expect(within.getByRole('button')).toHaveText('11');
});

test('past the recorded keys the page plays on without, as the command line does @apart', async ({ page }) => {
  const link = 'v=2&at=300&tape=100.BL&grid=5';
  const program = 'target/debug/snapshot-lab';
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  await open(page, link);
  await expect(page.locator('.clock')).toContainText('5.00 s');
  const said = JSON.parse(execFileSync(program, ['run', `#${link}`, '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) as {
    state_hash: string;
  };
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const { report } = JSON.parse(await readFile(await (await coming).path(), 'utf8')) as { report: { state_hash: string } };
  expect(report.state_hash).toBe(said.state_hash);
  await expect.poll(() => fragment(page)).toContain('at=300');
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await settled(page);
  await expect(page.locator('.clock')).toContainText('5.00 s');
});

test('figures say over which time they are, and leave out what their packets do not have @apart', async ({ page }) => {
  await open(page, 'hz=20&grid=5&at=300');
  await expect(page.locator('lab-rate .words')).toContainText(/mean of 5 s: [\d.]+ kbit\/s/);
  await show(page, 'Packets');
  await expect(page.locator('lab-counters')).toContainText(/Packet, mean\s*[\d.]+ bytes without IP and UDP or TCP; [\d.]+ over the last second/);
  // Where every cube is sent there are no bits a changed cube.
  await show(page, 'Ladder');
  const cells = page.locator('lab-ladder tbody tr').locator('td:nth-child(5)');
  await expect(cells.first()).toHaveText('–');
  await expect(cells.nth(6)).toHaveText(/\d/);
  await show(page, 'Packets');
  await page.getByRole('slider', { name: 'Instant that is shown' }).fill('120');
  await settled(page);
  await page.getByRole('slider', { name: 'Packet that is looked at' }).press('End');
  await expect(page.locator('lab-packets div.chosen')).toContainText('not sent yet at this instant');
  await open(page, 'grid=20&hz=20&loss=0&at=120&cube=399&show=packets');
  await expect(page.locator('lab-inspector .absent')).toContainText('Cube 399 is not in this packet');
  await expect(page.locator('lab-inspector .mates caption')).toContainText('Cube 399: nothing of it in this packet');
  await open(page, 'grid=5&strategy=lockstep&at=120&show=packets');
  await expect(page.locator('lab-packets div.chosen')).toContainText(/Packet \d+/);
  await expect(page.locator('lab-packets div.chosen')).not.toContainText(/cubes|initial snapshot/);
});

test('a link of a motion whose instant is past its end says so @apart', async ({ page }) => {
  await open(page, 'hz=20');
  const example = { name: 'my game.csv', mimeType: 'text/csv', buffer: readFileSync('docs/motion-example.csv') };
  await page.getByLabel('A motion of your own').setInputFiles(example);
  await expect(page.locator('lab-played')).toContainText(`${named('my game.csv')} plays`);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => fragment(page)).toMatch(/at=\d+&motion=/);
  const link = fragment(page).replace(/at=\d+/, 'at=600');
  await page.goto('about:blank');
  await page.goto(`./#${link}`);
  await page.waitForSelector('html[data-ready]');
  await page.getByLabel('A motion of your own').setInputFiles(example);
  await expect(page.locator('lab-notices')).toContainText('The link is of 10.0 s, and this motion ends at 2.0 s');
});

test('Back from an instant goes on where it ran @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=20');
  await expect.poll(async () => Number.parseFloat((await page.locator('.clock').textContent()) ?? '0')).toBeGreaterThan(2);
  await page.evaluate(() => (location.hash = '#v=2&hz=20&grid=5&at=30'));
  await expect(page.locator('.clock')).toContainText('0.5');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  expect(Number.parseFloat((await page.locator('.clock').textContent()) ?? '0')).toBeGreaterThan(1.9);
});

test('over TCP the diagnosis is of A’s view and of the segment that holds the others up, not of more delay @apart', async ({ page }) => {
  await open(page, 'strategy=lockstep&transport=tcp&latency=125&loss=5&b.transport=udp&at=1040&views=two&show=packets');
  const why = page.locator('.why-frozen');
  await expect(why).toContainText(/A’s view waits for a key.*packet \d+ was lost on its way, and TCP sends it again.*\d+ behind it have arrived and wait/);
  await expect(why).not.toContainText(/right view|playout delay/);
});

test('the worst freeze is two clicks from its cure, and a freeze of the list is a link to its instant @apart', async ({ page }) => {
  await open(page, 'hz=20&delay=60&interp=linear&jitter=40&loss=10&grid=8&at=600');
  const worst = page.getByRole('button', { name: /^worst freeze: \d+ ms$/ });
  const [length = ''] = /\d+ ms/.exec((await worst.textContent()) ?? '') ?? [];
  await expect(worst).toHaveCSS('text-decoration-line', 'underline');
  await worst.click();
  await expect(page.getByRole('tabpanel', { name: 'Packets' })).toBeVisible();
  await expect(page.locator('.label.right')).toContainText('stands still');
  const rows = page.locator('lab-freezes tbody tr');
  await expect(rows.first()).toContainText(length);
  await expect(rows.first().getByRole('link')).toHaveAttribute('aria-current', 'true');
  const other = rows.nth(1).getByRole('link');
  const at = /at=(\d+)/.exec((await other.getAttribute('href')) ?? '')?.[1];
  await other.click();
  await expect(page.getByRole('slider', { name: 'Instant that is shown' })).toHaveValue(at ?? '');
  await rows.first().getByRole('link').click();
  await expect(page.locator('.cure')).toContainText(/This freeze (goes|is longer)/);
  await page.locator('.cure').getByRole('button', { name: 'Apply' }).click();
  await settled(page);
  await expect(page.locator('lab-freezes')).not.toContainText(length);
});

test('a point of a chart leads to its instant, by click and by Enter @apart', async ({ page }) => {
  await open(page, 'grid=6&at=600&show=bits');
  const instant = page.getByRole('slider', { name: 'Instant that is shown' });
  const chart = page.locator('#figure-bits lab-chart').getByRole('slider');
  const height = async (): Promise<number> => (await page.locator('#figure-bits lab-chart').boundingBox())?.height ?? 0;
  // The chart comes with its figures.
  await expect.poll(height).toBeGreaterThan(100);
  const before = await height();
  await chart.hover();
  expect(await height()).toBe(before);
  const { width = 0 } = (await chart.boundingBox()) ?? {};
  await chart.click({ position: { x: 0.85 * width, y: 60 } });
  await expect.poll(async () => Number(await instant.inputValue())).toBeLessThan(500);
  expect(Number(await instant.inputValue())).toBeGreaterThan(200);
  await chart.focus();
  await chart.press('End');
  await chart.press('Enter');
  const at = Number(await instant.inputValue());
  await chart.press('PageUp');
  await chart.press('Enter');
  await expect.poll(async () => Number(await instant.inputValue())).toBeLessThan(at);
});

test('a replica that is cut off simulates on its own, and is not said to stand still @apart', async ({ page }) => {
  await open(page, 'strategy=sync&grid=5&at=300&cut=240-300&show=packets');
  await expect(page.locator('.label.right')).toContainText('on its own');
  await expect(page.locator('.label.right')).not.toContainText('stands still');
  await expect(page.locator('.why-frozen')).toContainText('The right view simulates on its own.');
});

test('the cure beside the diagnosis shows the promised share of still frames in time @apart', async ({ page }) => {
  await open(page, 'hz=20&delay=60&interp=linear&jitter=40&loss=10&grid=8&at=900&show=packets');
  const hitches = page.locator('lab-counters div', { hasText: 'hitches' }).locator('dd');
  const read = async (): Promise<number> => Number.parseInt(((await hitches.textContent()) ?? '').replace(',', ''), 10);
  const before = await read();
  expect(before).toBeGreaterThan(40);
  await page.getByLabel('Event', { exact: true }).selectOption('hitch');
  await page.getByRole('button', { name: 'Previous hitch' }).click();
  const cure = page.locator('.cure');
  const [, share = '', frames = ''] = /shown (\d+) % of the ([\d,]+) still/.exec((await cure.textContent()) ?? '') ?? [];
  expect(Number(share)).toBeGreaterThanOrEqual(80);
  expect(Number(frames.replace(',', ''))).toBeGreaterThan(30);
  await cure.getByRole('button', { name: 'Apply' }).click();
  await settled(page);
  expect(await read()).toBeLessThanOrEqual(Math.ceil(before * (1 - Number(share) / 100)) + 5);
});

test('a row of the ladder opens on its idea, with the saving on this motion @apart', async ({ page }) => {
  await open(page, 'grid=20&hz=20&at=240&show=ladder');
  await expect(page.locator('lab-ladder .caption')).toContainText(/^\s*Of the/, { timeout: 40_000 });
  const row = page.locator('lab-ladder tr.opens').nth(5);
  const kbps = async (place: number): Promise<number> => {
    const text = (await page.locator('lab-ladder tr.opens').nth(place).locator('td').nth(1).textContent()) ?? '';
    return Number.parseFloat(text.replace(',', '')) * (text.includes('Mbit') ? 1000 : 1);
  };
  const [before, now] = [await kbps(4), await kbps(5)];
  await row.locator('td:visible').last().click();
  await expect(row.getByRole('button')).toHaveAttribute('aria-expanded', 'true');
  const idea = page.locator('lab-ladder .idea');
  await expect(idea).toContainText('512 steps a metre');
  await expect(idea.getByRole('link')).toHaveAttribute('href', './format.html#s7');
  const saved = Number(/saves ([\d.]+) %/.exec((await idea.textContent()) ?? '')?.[1]);
  expect(Math.abs(saved - 100 * (1 - now / before))).toBeLessThan(1);
  await expect(page.locator('#codec')).toHaveValue('position');
});
