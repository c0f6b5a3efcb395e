// Hands of all kinds: fingers, wheels, other keyboards, other decimal points, and releases that nobody hears.

import type { CDPSession, Page } from '@playwright/test';
import { expect, open, test } from './page';

test.use({ views: 'blank' });

const drives = (page: Page) => page.locator('.label.left');

/** Presses a key by its place, where the layout prints another sign there, and holds it until its effect is seen. */
async function pressAt(page: Page, code: string, key: string, seen: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchKeyEvent', { type: 'keyDown', code, key, text: key });
  await seen();
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', code, key });
  await session.detach();
}

for (const [layout, code, key] of [
  ['AZERTY', 'KeyW', 'z'],
  ['Russian', 'KeyD', 'в'],
] as const) {
  test(`${code} drives on a keyboard that is ${layout}${layout === 'AZERTY' ? '' : ' @apart'}`, async ({ page }) => {
    await open(page, 'grid=5');
    await pressAt(page, code, key, () => expect(drives(page)).toContainText('you drive'));
  });
}

test('the place of Z pulls and that of P pauses in every layout, and signs are what they print @apart', async ({ page }) => {
  await open(page, 'grid=5');
  // On AZERTY the letter z is at the place of W, and the comma at that of M.
  await pressAt(page, 'KeyP', 'з', () => expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible());
  const at = (await page.locator('.clock').textContent()) ?? '';
  await pressAt(page, 'KeyM', ',', () => expect(page.locator('.clock')).not.toHaveText(at));
  await pressAt(page, 'Period', 'ю', () => expect(page.locator('.clock')).toHaveText(at));
});

test('help shows the letters of the keyboard @apart', async ({ page }) => {
  await page.addInitScript(() => {
    const french = new Map([
      ['KeyW', 'z'],
      ['KeyA', 'q'],
      ['KeyZ', 'w'],
    ]);
    Object.defineProperty(navigator, 'keyboard', { value: { getLayoutMap: async () => french } });
  });
  await open(page, 'grid=5');
  await page.keyboard.press('?');
  await expect(page.locator('#help tr').filter({ hasText: 'push the cube' }).locator('kbd')).toHaveText(['←', '↑', '→', '↓', 'Z', 'Q', 'S', 'D']);
  await expect(page.locator('#help tr').filter({ hasText: 'roll them up' }).locator('kbd')).toHaveText('W');
});

test('a decimal comma is a decimal point, and one that may part thousands is refused in words @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const field = page.locator('#settings').getByRole('spinbutton', { name: 'Packet loss', exact: true });
  for (const [typed, becomes] of [
    ['2,5', '2.5'],
    ['0,5', '0.5'],
    ['12,5', '12.5'],
    ['7', '7'],
  ] as const) {
    await field.fill('');
    await field.pressSequentially(typed);
    await field.press('Enter');
    await expect(field).toHaveValue(becomes);
    await expect(page).toHaveURL(new RegExp(`loss=${becomes.replace('.', '\\.')}&`));
  }
  await field.fill('2,500');
  await field.press('Enter');
  await expect(page.locator('#loss-refused')).toContainText('It stays 7');
  await field.fill('7');
  await field.press('ArrowUp');
  await expect(field).not.toHaveValue('7');
  await field.press('ArrowDown');
  await expect(field).toHaveValue('7');
});

test('a wheel over a number with the focus leaves it @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const field = page.locator('#settings').getByRole('spinbutton', { name: 'Send rate', exact: true });
  await field.focus();
  const before = await field.inputValue();
  await field.hover();
  await page.mouse.wheel(0, 200);
  await page.waitForTimeout(300);
  await expect(field).toHaveValue(before);
});

test('a right click looks at no cube, and a left one does @apart', async ({ page }) => {
  await open(page, 'grid=5&at=30&cube=0');
  await page.locator('.screen canvas').click({ button: 'right', position: { x: 20, y: 100 } });
  await expect(page.locator('.picked')).toBeVisible();
  await page.locator('.screen canvas').click({ position: { x: 20, y: 100 } });
  await expect(page.locator('.picked')).toHaveCount(0);
});

test('a cut ends when its release is lost to another window @apart', async ({ page }) => {
  await open(page, 'grid=5');
  const hold = page.getByRole('button', { name: 'while held' });
  await hold.hover();
  await page.mouse.down();
  await expect(page.locator('.is-cut')).not.toBeEmpty();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await expect(page.locator('.is-cut')).toBeEmpty();
  await page.mouse.up();
  await page.mouse.down();
  await expect(page.locator('.is-cut')).not.toBeEmpty();
  // As where another element takes the pointer.
  await hold.evaluate((element) => element.releasePointerCapture(1));
  await page.mouse.move(0, 0);
  await expect(page.locator('.is-cut')).toBeEmpty();
  await page.mouse.up();
});

test('the line of time speaks at most once a second while it runs @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await page.locator('.tape').focus();
  const changes = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0;
        new MutationObserver(() => (count += 1)).observe(document.querySelector('.tape') as Element, { attributeFilter: ['aria-valuetext'] });
        setTimeout(() => resolve(count), 4000);
      }),
  );
  expect(changes).toBeGreaterThan(0);
  expect(changes).toBeLessThanOrEqual(5);
});

/** Moves one or two fingers over the page. */
async function swipe(session: CDPSession, ...ways: readonly (readonly [x: number, y: number, toX: number, toY: number])[]): Promise<void> {
  const steps = 10;
  const points = (step: number) => ways.map(([x, y, toX, toY], id) => ({ id, x: x + ((toX - x) * step) / steps, y: y + ((toY - y) * step) / steps }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
  for (let step = 1; step <= steps; step += 1) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(step) });
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, desk: 'figures' });

  test('a swipe that begins on a slider scrolls and leaves it, and one along it sets it @apart', async ({ page }) => {
    await open(page, 'grid=5');
    const slider = page.locator('#front-loss');
    const before = await slider.inputValue();
    await slider.scrollIntoViewIfNeeded();
    const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const session = await page.context().newCDPSession(page);
    const [x, y] = [box.x + box.width * 0.7, box.y + box.height / 2];
    const top = await page.evaluate(() => scrollY);
    await swipe(session, [x, y, x + 3, y - 150]);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(top + 50);
    await expect(slider).toHaveValue(before);
    const now = (await slider.boundingBox()) ?? box;
    await swipe(session, [now.x + 10, now.y + now.height / 2, now.x + 100, now.y + now.height / 2]);
    await expect(slider).not.toHaveValue(before);
  });

  test('two fingers on the views zoom them @apart', async ({ page }) => {
    await open(page, 'grid=5');
    const box = (await page.locator('.screen canvas').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 4];
    const session = await page.context().newCDPSession(page);
    const distance = async (): Promise<number> => {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      const link = page.getByRole('dialog').getByLabel('Link', { exact: true });
      await expect(link).toHaveValue(/camera=/);
      const text = await link.inputValue();
      await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
      return Number(/camera=[-\d]+_[-\d]+_(\d+)/.exec(text)?.[1]);
    };
    await swipe(session, [x - 20, y, x - 120, y], [x + 20, y, x + 120, y]);
    const near = await distance();
    await swipe(session, [x - 120, y, x - 20, y], [x + 120, y, x + 20, y]);
    expect(await distance()).toBeGreaterThan(2 * near);
  });
});
