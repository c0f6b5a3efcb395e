// What can be moved by hand: the divider between A and B, one control's comparison.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, fragment, open, pictures, set, settled, test } from './page';

const program = 'target/debug/snapshot-lab';

interface Inspection {
  number: number;
  told_from: { cube: number; cubes: number[] }[];
}

function inspect(link: string, tick: number): Inspection {
  return JSON.parse(execFileSync(program, ['inspect', `#${link}`, '--tick', String(tick), '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 })) as Inspection;
}

test('the cubes that a prediction looked at are named, and each can be gone to @apart', async ({ page }) => {
  test.skip(!existsSync(program), `SKIPPED: ${program} is not built`);
  const link = 'hz=20&scene=katamari&grid=8&codec=predicted&loss=0';
  const inspection = inspect(link, 240);
  const one = inspection.told_from.find(({ cubes }) => cubes.length > 2);
  if (one === undefined) throw new Error('no cube has three neighbours');
  await open(page, `${link}&at=240&packet=${inspection.number}&cube=${one.cube}&show=packets`);
  const list = page.getByRole('list', { name: 'Cubes that the prediction looked at' });
  await expect(list.getByRole('button')).toHaveText(one.cubes.map((cube) => (cube === 0 ? 'player' : String(cube))));
  await list.getByRole('button', { name: `Cube ${one.cubes[0]}`, exact: true }).click();
  await expect.poll(() => fragment(page)).toContain(`cube=${one.cubes[0]}&`);
  await expect(page.locator('lab-inspector caption')).toContainText(`Cube ${one.cubes[0]}:`);
});

test.describe(() => {
  test.use({ views: 'drawn' });

  test('A and B are seen in three views, in two, or in one on either side of a divider @apart', async ({ page }) => {
    await open(page, 'grid=8&scene=katamari&hz=60&loss=0&b.hz=2&b.interp=none&at=400');
    const views = page.getByRole('combobox', { name: 'Views' });
    const labels = page.locator('lab-views .label');
    await expect(labels).toHaveCount(3);
    await page.locator('.look summary').click();
    await views.selectOption('two');
    await expect(labels).toHaveText([/^\s*A: /, /^\s*B: /]);
    await expect.poll(() => fragment(page)).toContain('views=two');
    await views.selectOption('one');
    const divider = page.getByRole('separator', { name: 'Divider between A and B' });
    await expect(divider).toHaveAttribute('aria-valuenow', '50');
    await divider.press('ArrowLeft');
    await expect(divider).toHaveAttribute('aria-valuetext', 'A left of 49 %, B right of it');
    const seen = async (key: string) => {
      await divider.press(key);
      return (await pictures(page))[0].hash;
    };
    // To the left of the divider stands A, all of it at its end. The camera eases, and a slow machine draws fewer pixels on
    // the way: both are over at some time.
    await expect(async () => {
      const [b, a] = [await seen('Home'), await seen('End')];
      expect(a).not.toBe(b);
      expect(await seen('Home')).toBe(b);
    }).toPass({ timeout: 30_000 });
    const box = await page.locator('.screen canvas').boundingBox();
    const handle = await divider.boundingBox();
    if (box === null || handle === null) throw new Error('there is no divider');
    await page.mouse.move(handle.x + handle.width - 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect(divider).toHaveAttribute('aria-valuenow', '30');
    await expect.poll(() => fragment(page)).toContain('views=one-30');
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await expect(divider).toHaveAttribute('aria-valuenow', '30');
  });
});

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the divider is a finger wide and goes where it is dragged @apart', async ({ page }) => {
    await open(page, 'grid=6&b.hz=2&views=one-50&at=60');
    const divider = page.getByRole('separator', { name: 'Divider between A and B' });
    const box = await divider.boundingBox();
    if (box === null) throw new Error('there is no divider');
    expect(box.width).toBeGreaterThanOrEqual(44);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(390 * 0.8, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await expect(divider).toHaveAttribute('aria-valuenow', '80');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

test('one action at a control opens a comparison with that setting free, and a switch is the other way round @apart', async ({ page }) => {
  await open(page, 'grid=6&strategy=sync&at=60');
  const compare = page.getByRole('button', { name: 'Compare with another Send rate' });
  await expect(compare).toBeHidden();
  await page.locator('#hz').focus();
  await expect(compare).toBeVisible();
  await compare.press('Enter');
  await expect(page.getByRole('tabpanel', { name: 'A and B' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Settings of' }).getByRole('button', { name: 'B', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('#hz')).toBeFocused();
  await set(page, 'hz', '20');
  await expect.poll(() => fragment(page)).toContain('b.hz=20');
  // The B that is there stays, and goes on with another setting.
  await page.getByRole('group', { name: 'Settings of' }).getByRole('button', { name: 'A', exact: true }).click();
  await page.locator('#delta').hover();
  await page
    .getByRole('button', { name: /^Compare with another .*/ })
    .and(page.locator('.control:has(#delta) button'))
    .click();
  await expect.poll(() => fragment(page)).toMatch(/b\.hz=20.*b\.delta=1/);
  await settled(page);
});
