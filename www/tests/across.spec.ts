// Windows that nobody looked at: a phone held across, settings open in a narrow window, zoom, enlarged text. Nothing that is needed is covered.

import type { Page } from '@playwright/test';
import { expect, open, settled, test, toggleSettings } from './page';

test.use({ views: 'blank' });

/** The controls that cannot be reached: too small, or covered after they were scrolled to. */
function unreachable(): string[] {
  const faults: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>('button, input, select, summary, .stick')) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('dialog, [popover]') !== null || control.matches(':disabled')) continue;
    const name = control.getAttribute('aria-label') ?? (control.textContent?.trim() || control.outerHTML.slice(0, 120));
    control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // A field of the bar of bits is chosen on its segment.
    const { left, top, width, height } = (control.closest('.segment') ?? control).getBoundingClientRect();
    if (control.matches('[type=range]') && width < 80) faults.push(`${name} is ${Math.round(width)} px wide`);
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    const label = control.closest('label');
    if (there === null || !(control.contains(there) || label?.contains(there) === true)) faults.push(`${name} is under ${there?.tagName} ${there?.className}`);
  }
  scrollTo(0, 0);
  return faults;
}

const views = (page: Page) => page.locator('.screen canvas').evaluate((canvas) => [canvas.clientWidth, canvas.clientHeight] as const);

for (const [width, height] of [
  [915, 412],
  [932, 430],
  [844, 390],
  [568, 320],
] as const) {
  test.describe(`a phone held across, ${width} x ${height}`, () => {
    test.use({ viewport: { width, height }, hasTouch: true, isMobile: true, desk: '' });

    test('shows the views beside the controls, and everything can be reached @apart', async ({ page }) => {
      await open(page, 'grid=5');
      const [wide, high] = await views(page);
      expect(high).toBe(height);
      expect(wide).toBeGreaterThan(width / 2);
      expect(await page.evaluate(unreachable), 'front').toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.getByRole('button', { name: 'Packet', exact: true }).click();
      expect(await page.evaluate(unreachable), 'figures').toEqual([]);
      await toggleSettings(page);
      await expect(page.locator('#settings')).toBeInViewport();
      await page.getByRole('button', { name: 'Close', exact: true }).first().tap();
    });

    test(`has a stick and buttons that drive${height === 390 ? '' : ' @apart'}`, async ({ page }) => {
      await open(page, 'grid=5');
      await page.locator('.stick').tap({ position: { x: 40, y: 6 } });
      const session = await page.context().newCDPSession(page);
      const box = (await page.locator('.stick').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: box.x + box.width / 2, y: box.y + 6 }] });
      await expect(page.locator('.label.left')).toContainText('you drive');
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    });
  });
}

for (const [name, width, height] of [
  ['200 %', 640, 400],
  ['400 %', 320, 256],
] as const) {
  test.describe(`zoom of ${name}`, () => {
    test.use({ viewport: { width, height }, desk: 'figures' });

    test('leaves the views their height, and the focus in sight @apart', async ({ page }) => {
      await open(page, 'grid=5');
      // What plays may change the layout between a press of Tab and the look at it.
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await settled(page);
      expect((await views(page))[1]).toBeGreaterThanOrEqual(150);
      const hidden: string[] = [];
      for (let stop = 0; stop < 40; stop += 1) {
        await page.keyboard.press('Tab');
        const fault = await page.evaluate(async () => {
          // The frame in which the page has scrolled to the focus.
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
          const focused = document.activeElement as HTMLElement;
          const { left, top, width, height } = focused.getBoundingClientRect();
          const at = (part: number) => document.elementFromPoint(left + width / 2, top + height * part);
          // A part that is higher than the window is seen in part.
          const sees = [0.1, 0.5, 0.9].some((part) => focused.contains(at(part)));
          return sees || focused.matches('.skip, body') ? undefined : `${focused.tagName} ${focused.id} ${focused.className} at ${Math.round(top)}`;
        });
        if (fault !== undefined) hidden.push(fault);
      }
      expect(hidden).toEqual([]);
    });
  });
}

for (const [name, width, height, desk, fontSize] of [
  ['settings open at 1,100 x 700', 1100, 700, 'settings', ''],
  ['settings open at 1,000 x 700', 1000, 700, 'settings', ''],
  ['text enlarged by half at 1,280 x 800', 1280, 800, '', '150%'],
  ['text enlarged by half, settings open', 1280, 800, 'settings', '150%'],
] as const) {
  test.describe(name, () => {
    test.use({ viewport: { width, height }, desk });

    test('leaves sliders their width, and covers no control @apart', async ({ page }) => {
      await open(page, 'grid=5');
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, fontSize);
      const faults = await page.evaluate(unreachable);
      expect(faults).toEqual([]);
    });
  });
}

test('the names on the meter never print over each other @apart', async ({ page }) => {
  for (const link of ['grid=2', 'grid=5', '', 'b.hz=60&hz=20']) {
    await open(page, link);
    for (const width of [1440, 1280, 1000]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.locator('.big .value')).not.toHaveText('0.0');
      const boxes = await page
        .locator('.meter small:visible, lab-toolbar button:visible, .big')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().toJSON() as DOMRect));
      for (const [place, one] of boxes.entries()) {
        for (const other of boxes.slice(place + 1)) {
          const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
          expect(apart, `${link} at ${width}: ${JSON.stringify([one, other])}`).toBe(true);
        }
      }
    }
  }
});
