// A moment, taken along: as a link, in a page of somebody else's, as a picture and as a file.

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, fragment, open, settled, test, violations } from './page';

test.use({ views: 'none' });

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share this moment' });
const clock = (page: Page) => page.locator('.clock');

async function share(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share' }).click();
  return dialog(page).getByLabel('Link', { exact: true }).inputValue({ timeout: 30_000 });
}

async function report(page: Page): Promise<Record<string, unknown>> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const { report } = JSON.parse(await readFile(await (await coming).path(), 'utf8')) as { report: Record<string, unknown> };
  return report;
}

test('a reload keeps what was driven @apart', async ({ page }) => {
  await open(page, 'scene=katamari&grid=5&hz=20');
  await page.locator('.screen canvas').press('ArrowUp', { delay: 400 });
  await expect(page.locator('.label.left')).toContainText('you drive');
  await page.keyboard.press('p');
  await settled(page);
  const [instant, here] = [(await clock(page).textContent()) ?? '', await report(page)];
  expect(fragment(page)).not.toContain('tape=');
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await settled(page);
  await expect(page.getByRole('status').filter({ hasText: 'Your play was repeated' })).toBeVisible();
  await expect(clock(page)).toHaveText(instant);
  expect(await report(page)).toEqual(here);
  // Another address is another beginning, whatever was done before it.
  await page.goto('./#v=2&grid=5');
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  expect(fragment(page)).toMatch(/^v=2&grid=5(&at=\d+)?$/);
  await expect(page.locator('.label.left')).not.toContainText('you drive');
});

test('who opens the link of what a person drove has the same state, and the same packets', async ({ page, context }) => {
  await open(page, 'scene=katamari&grid=5&hz=60&loss=5&speed=2&b.hz=20');
  await page.locator('.screen canvas').focus();
  const keys = ['ArrowRight', 'ArrowUp', 'z', 'ArrowLeft', 'Space', 'c', 'ArrowDown'];
  await expect(async () => {
    for (const key of keys) await page.keyboard.press(key, { delay: 150 });
    expect(Number.parseFloat((await clock(page).textContent()) ?? '')).toBeGreaterThan(4);
  }).toPass({ timeout: 60_000 });
  await page.keyboard.press('p');
  await expect(page.locator('.label.left')).toContainText('you drive');
  await settled(page);
  // The address bar has the settings; only Share has the recorded input.
  expect(fragment(page)).not.toContain('tape=');
  const link = await share(page);
  expect(link).toMatch(/scene=katamari.*&at=\d+.*&cut=[\d.-]+&tape=\d+\.[\w.~-]+$/);
  expect(link.length).toBeLessThan(1000);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  const here = await report(page);

  const there = await context.newPage();
  await there.goto(link);
  await there.waitForSelector('html[data-ready]');
  await settled(there);
  await expect(clock(there)).toHaveText((await clock(page).textContent()) ?? '');
  // As long as nobody does anything else, the address stays what was opened.
  expect(fragment(there)).toContain('&tape=');
  expect(await report(there)).toEqual(here);
  expect(here['state_hash']).toMatch(/^[0-9a-f]{16}$/);
  await there.reload();
  await there.waitForSelector('html[data-ready]');
  await settled(there);
  expect(await report(there)).toEqual(here);
  // Then they drive, and the address says so.
  await there.getByRole('button', { name: 'Play', exact: true }).click();
  await there.locator('.screen canvas').press('ArrowUp', { delay: 300 });
  await expect(there.locator('.label.left')).toContainText('you drive');
  await expect.poll(() => fragment(there)).not.toContain('tape=');
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('the way to a link’s instant can be stopped, and a camera that was moved is where it was @apart', async ({ page }) => {
    await page.goto('./#v=2&at=9000&camera=60_40_2000');
    await page.waitForSelector('html[data-ready]');
    await page.getByRole('button', { name: 'Stop here' }).click();
    await settled(page);
    const at = Number(await page.getByRole('slider', { name: 'Instant that is shown' }).inputValue());
    expect(at).toBeLessThan(9000);
    await expect.poll(() => fragment(page)).toBe(`v=2&at=${at}&camera=60_40_2000`);
    await page.locator('.look summary').click();
    await page.getByRole('button', { name: 'Reset camera' }).click();
    await page.getByRole('button', { name: 'One tick back' }).click();
    await expect.poll(() => fragment(page)).toBe(`v=2&at=${at - 1}`);
  });
});

for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
] as const) {
  test.describe(`${width} px, ${colorScheme}${colorScheme === 'dark' ? ' @apart' : ''}`, () => {
    test.use({ views: 'drawn', viewport: { width, height: 844 }, colorScheme });

    test('link, Markdown, a part for another page and a picture are copied and saved, and axe finds nothing @apart', async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await open(page, 'grid=8&hz=60&at=300&show=errors');
      const link = await share(page);
      expect(link).toBe(page.url());
      const copied = async (name: string): Promise<string> => {
        await dialog(page)
          .getByRole('button', { name: `Copy: ${name}` })
          .click();
        await expect(dialog(page).getByRole('status')).toHaveText(`${name} copied`);
        return page.evaluate(() => navigator.clipboard.readText());
      };
      expect(await copied('Link')).toBe(link);
      expect(await copied('Markdown')).toContain(`](${link})`);
      expect(await copied('Part of another page')).toMatch(/^<iframe src="[^"]+#v=2&amp;hz=60&amp;grid=8&amp;at=300&amp;embed=1" width="640"/);
      await dialog(page).getByLabel('Shows').selectOption('figure');
      expect(await copied('Part of another page')).toContain('&amp;show=errors&amp;embed=1"');

      const coming = page.waitForEvent('download');
      await dialog(page).getByRole('button', { name: 'Save the picture' }).click();
      const png = await readFile(await (await coming).path());
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.readUInt32BE(16)).toBe(1280);
      // Red cubes, in the part that the views have.
      const red = await dialog(page)
        .locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')?.getImageData(0, 60, canvas.width, canvas.height - 200) ?? { data: [] };
          let red = 0;
          for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 0) > 120 && (data[i + 1] ?? 0) < 60) red += 1;
          return red / (data.length / 4);
        });
      expect(red).toBeGreaterThan(0.001);
      expect(await violations(page, '#share')).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  });
}

test('what is too long for a link is a file, which is dropped on the page or chosen @apart', async ({ page, context }) => {
  // A key that changes with every tick.
  const long = `v=2&scene=drive&grid=5&at=90&tape=0.${'BL'.repeat(3100)}`;
  await open(page, long);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(dialog(page)).toContainText(/characters, which many programs cut off/);
  await expect(dialog(page).getByLabel('Link', { exact: true })).toHaveCount(0);
  const coming = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save as a file' }).click();
  const saved = await coming;
  expect(saved.suggestedFilename()).toMatch(/\.link\.txt$/);
  const text = await readFile(await saved.path(), 'utf8');
  expect(text).toBe(long);

  const there = await context.newPage();
  await open(there, 'grid=5');
  const file = await there.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'a.link.txt', { type: 'text/plain' }));
    return data;
  }, text);
  await there.locator('.bench').dispatchEvent('drop', { dataTransfer: file });
  await expect(clock(there)).toHaveText('1.50 s');
  await expect(there.locator('.label.left')).toContainText('recorded');
  await there.getByRole('button', { name: 'Share' }).click();
  await dialog(there)
    .getByLabel('Open a file')
    .setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('v=2&grid=6&at=30&cut=1-20\n') });
  await expect(clock(there)).toHaveText('0.50 s');
  await expect(there.locator('#grid')).toHaveValue('6');
});

/** Drives for a moment, and stops there. */
async function drive(page: Page): Promise<string> {
  await page.locator('.screen canvas').press('ArrowUp', { delay: 400 });
  await expect(page.locator('.label.left')).toContainText('you drive');
  await page.keyboard.press('p');
  await settled(page);
  return (await clock(page).textContent()) ?? '';
}

const notices = (page: Page) => page.locator('lab-notices .notice');

test('a step that ends where it began is none for Back @apart', async ({ page }) => {
  await open(page, 'hz=20&grid=5');
  await page.goto('./#hz=30&grid=5');
  await expect.poll(() => page.locator('#hz').inputValue()).toBe('30');
  const entry = () => page.evaluate(() => history.state as unknown);
  await expect.poll(entry).not.toBeNull();
  // Both changes in one task: the step has not settled in between.
  const [before, stepped] = await page.locator('#interp').evaluate((select: HTMLSelectElement) => {
    const before: unknown = history.state;
    const choose = (mode: string): void => {
      select.value = mode;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const was = select.value;
    choose('hermite');
    const stepped: unknown = history.state;
    choose(was);
    return [before, stepped];
  });
  expect(stepped).not.toBe(before);
  await expect.poll(entry).toBe(before);
  expect(fragment(page)).not.toContain('hermite');
  await page.goBack();
  await expect.poll(() => fragment(page)).toContain('hz=20');
});

test('a link that is opened over a drive is undone by Back, which brings the drive, also from another site @apart', async ({ page, baseURL }) => {
  await open(page, 'scene=katamari&grid=5&hz=20');
  const instant = await drive(page);
  const here = await report(page);
  for (const away of [
    () => page.evaluate(() => void (location.hash = '#v=2&scene=katamari&grid=6')),
    () =>
      page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(['v=2&scene=katamari&grid=6'], 'moment.link.txt'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
      }),
  ]) {
    await away();
    await expect.poll(() => fragment(page)).toContain('grid=6');
    await expect(notices(page)).toContainText('Back does it once more');
    await expect(page.locator('.label.left')).not.toContainText('you drive');
    await page.goBack();
    await expect(notices(page)).toContainText('Your play was repeated');
    await settled(page);
    await expect(clock(page)).toHaveText(instant);
    expect(await report(page)).toEqual(here);
  }
  await page.goto(new URL('format.html', baseURL).href);
  await page.goBack();
  await page.waitForSelector('html[data-ready]');
  await settled(page);
  await expect(clock(page)).toHaveText(instant);
  expect(await report(page)).toEqual(here);
});

test('a place on the page is no link: settings and drive stay, and so does the address @apart', async ({ page }) => {
  await open(page, 'scene=katamari&grid=5&hz=20');
  const instant = await drive(page);
  const before = fragment(page);
  const skip = page.getByRole('link', { name: 'Skip to the controls' });
  await skip.focus();
  await skip.press('Enter');
  await expect(page.locator('#controls')).toBeFocused();
  expect(fragment(page)).toBe(before);
  await expect(clock(page)).toHaveText(instant);
  await page.goBack();
  await expect.poll(() => fragment(page)).toBe(before);
  await expect(clock(page)).toHaveText(instant);
  await expect(notices(page)).toHaveCount(0);
});

test('what is kept of a tab may be anything @apart', async ({ page }) => {
  await open(page, 'scene=katamari&grid=5&hz=20');
  for (const stored of ['{"address":1,"moment":{}}', '[["x",{}],7,null]', '[["HERE","no link"]]', '{', 'null']) {
    await page.evaluate((stored) => {
      // The page writes its own when it goes away.
      window.addEventListener('pagehide', () => {
        for (const place of ['done-by-entry', 'before-the-reload']) sessionStorage.setItem(place, stored.replace('HERE', String(history.state)));
      });
    }, stored);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(fragment(page)).toMatch(/hz=20.*grid=5/);
  }
});
