// What is drawn, and a person's hands on it. Each picture is read from the canvas: a suite without WebGL must not pass.

import type { Page } from '@playwright/test';
import { expect, fragment, open, pictures, set, settled, test } from './page';

test.use({ views: 'drawn' });

/** Unfolds colours, outlines and camera. */
async function openLook(page: Page): Promise<void> {
  await page.locator('details.look').evaluate((look: HTMLDetailsElement) => {
    look.open = true;
  });
}

test('both views show cubes, the player among them, and go on by themselves', async ({ page }) => {
  await open(page);
  await expect.poll(async () => Math.min(...(await pictures(page)).map((view) => view.red))).toBeGreaterThan(0.005);
  const before = await pictures(page);
  for (const view of before) expect(view.drawn).toBeGreaterThan(0.1);
  for (const i of [0, 1] as const) await expect.poll(async () => (await pictures(page))[i].hash).not.toBe(before[i].hash);
});

test('every frame that is drawn has the player in both views @apart', async ({ page }) => {
  // Reading pixels back is what takes the time.
  await page.setViewportSize({ width: 640, height: 480 });
  // What SwiftShader made of buffers that got a new store every frame: for two frames in ten, other cubes.
  await page.addInitScript(() => {
    const request = window.requestAnimationFrame.bind(window);
    const seen: number[] = [];
    Object.assign(window, { redOfFrames: seen });
    let drawn = false;
    const draw = WebGL2RenderingContext.prototype.drawArraysInstanced;
    WebGL2RenderingContext.prototype.drawArraysInstanced = function (...all: Parameters<typeof draw>) {
      drawn = true;
      return draw.apply(this, all);
    };
    window.requestAnimationFrame = (frame) =>
      request((time) => {
        drawn = false;
        frame(time);
        const canvas = document.querySelector<HTMLCanvasElement>('.screen canvas');
        if (!drawn || canvas === null) return;
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
        context.drawImage(canvas, 0, 0);
        const half = copy.width >> 1;
        const red = [0, half].map((x) => {
          const { data } = context.getImageData(x, 0, half, copy.height);
          let count = 0;
          for (let i = 0; i < data.length; i += 4) if ((data[i] ?? 0) > 120 && (data[i + 1] ?? 0) < 60) count += 1;
          return count;
        });
        seen.push(Math.min(...red));
      });
  });
  await open(page, 'hz=60&scene=katamari');
  const frames = (): Promise<number[]> => page.evaluate(() => (window as unknown as { redOfFrames: number[] }).redOfFrames);
  await expect.poll(async () => (await frames()).length, { timeout: 60_000 }).toBeGreaterThan(50);
  // The player takes a moment to fall into sight.
  expect((await frames()).slice(20).filter((red) => red === 0)).toEqual([]);
});

test('a key takes the scene over, wherever the focus is @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await expect(page.locator('.label.left')).not.toContainText('you drive');
  await page.keyboard.down('ArrowUp');
  await expect(page.locator('.label.left')).toContainText('you drive');
  await page.keyboard.up('ArrowUp');
  await expect.poll(() => fragment(page)).toBe('v=2&scene=drive&grid=5');
});

test.describe(() => {
  test.use({ views: 'none' });

  test('keys drive the player, only while the views have the focus', async ({ page }) => {
    test.slow();
    await open(page, 'scene=drive&grid=5&hz=60');
    const changed = page.locator('lab-breakdown .caption').last();
    // The player drops, and comes to rest.
    await expect(page.locator('.clock')).toHaveText(/^([3-9]|\d\d)\./, { timeout: 40_000 });
    await expect(changed).toContainText(/^\s*0 cubes changed/, { timeout: 40_000 });
    await page.locator('#settings').getByLabel('Send rate', { exact: true }).focus();
    await page.keyboard.press('Space', { delay: 300 });
    await page.waitForTimeout(500);
    await expect(changed).toContainText(/^\s*0 cubes changed/);
    await page.locator('.screen canvas').focus();
    await page.keyboard.down('ArrowLeft');
    await expect(changed).toContainText(/^\s*[1-9]/);
  });
});

test('command keys pause, step, change the speed, restart and choose presets @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  const clock = page.locator('.clock');
  const before = await clock.textContent();
  for (let i = 0; i < 12; i += 1) await page.keyboard.press('.');
  await expect(clock).not.toHaveText(before ?? '');
  await page.keyboard.press('r');
  await expect(clock).toHaveText('0.00 s');
  await page.keyboard.press('[');
  await expect(page.locator('.speed .value')).toHaveText('0.5×');
  await page.keyboard.press('5');
  await expect(page.locator('#interp')).toHaveValue('hermite');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'How to use it' })).toBeVisible();
  await expect(page.getByRole('row', { name: 'X or Delete' })).toContainText('what if the chosen packet were lost');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('dragging orbits, a double click looks as before, the tint colours the right view only @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await openLook(page);
  await page.keyboard.press('p');
  const overlay = page.getByRole('combobox', { name: 'Colour' });
  /** A still picture is not drawn again, and then there is nothing to read: setting the colour anew has it drawn. */
  const redrawn = async () => {
    await overlay.evaluate((select) => select.dispatchEvent(new Event('change')));
    return pictures(page);
  };
  const [before] = await redrawn();
  const box = await page.locator('.screen canvas').boundingBox();
  if (box === null) throw new Error('there is no canvas');
  const [x, y] = [box.x + box.width / 4, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => (await redrawn())[0].hash).not.toBe(before.hash);
  const [left, right] = await redrawn();
  expect([left.red > 0.01, right.red > 0.01]).toEqual([true, true]);
  // By error the player is red no more, on the right. (The camera may still be easing: what is compared must not depend on it.)
  await overlay.selectOption('error');
  await expect.poll(async () => (await redrawn())[1].red).toBe(0);
  expect((await redrawn())[0].red).toBeGreaterThan(0.01);
  await page.locator('.screen canvas').dblclick();
  expect((await redrawn()).every(({ drawn }) => drawn > 0)).toBe(true);
});

test('cubes are coloured by what the strategy has, with a scale and how many cubes are where on it @apart', async ({ page }) => {
  await open(page, 'grid=8&scene=katamari&hz=7&interp=none&loss=5&at=403');
  await openLook(page);
  const overlay = page.getByRole('combobox', { name: 'Colour' });
  await expect(overlay.getByRole('option')).toHaveText([
    'as in the original',
    'by error',
    'by surface error',
    'by error of the orientation',
    'by bits spent',
    'by age of what is known',
  ]);
  for (const [name, label] of [
    ['error', 'Cubes by error, from 2.0 to 200 mm'],
    ['turn', 'Cubes by error of the orientation, from 0.50 to 45 °'],
    ['bits', 'Cubes by bits spent, from 1.0 to 256 bits'],
    ['age', 'Cubes by age of what is known, from 17 to 2,000 ms'],
  ] as const) {
    await overlay.selectOption(name);
    const scale = page.getByRole('img', { name: label });
    await expect(scale).toBeVisible();
    const isCounted = () => scale.locator('rect.of-a').evaluateAll((bars) => bars.some((bar) => Number(bar.getAttribute('height')) > 0));
    await expect.poll(isCounted, name).toBe(true);
  }
  await set(page, 'strategy', 'sync');
  await settled(page);
  await expect(overlay.getByRole('option', { name: 'by priority' })).toHaveCount(1);
  await overlay.selectOption('priority');
  await expect(page.getByRole('img', { name: /^Cubes by priority/ })).toBeVisible();
  await set(page, 'strategy', 'lockstep');
  await expect(overlay.getByRole('option', { name: /bits|priority/ })).toHaveCount(0);
});

test('the truth is outlined over what is shown wrongly @apart', async ({ page }) => {
  await open(page, 'grid=8&scene=katamari&hz=4&interp=none&delay=0&at=400');
  await openLook(page);
  const ghost = page.getByLabel('Outline the truth');
  const redrawn = async () => {
    await ghost.evaluate((box) => box.dispatchEvent(new Event('change')));
    return pictures(page);
  };
  // The camera eases, and a slow machine draws fewer pixels on the way: both are over at some time.
  await expect(async () => {
    await ghost.uncheck();
    const [left, right] = await redrawn();
    await ghost.check();
    const [leftAfter, rightAfter] = await redrawn();
    expect([leftAfter.hash === left.hash, rightAfter.hash === right.hash]).toEqual([true, false]);
  }).toPass({ timeout: 30_000 });
});

test('the worst cube is enlarged with its figure, and the eye turns it off', async ({ page }) => {
  await open(page, 'hz=1&at=600');
  const figure = page.locator('lab-inset b');
  await expect(figure).toHaveText(/^worst corner: [\d,]+ mm, [\d,.]+ pixels off$/);
  await openLook(page);
  await page.getByLabel('Outline the truth').uncheck();
  await expect(figure).toHaveCount(0);
  await expect.poll(() => fragment(page)).toMatch(/ghost=0/);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await expect(page.locator('.truth')).toHaveCount(0);
});

test('a click on a cube looks at it, in the views, the link and the inspector; beside all cubes at none', async ({ page }) => {
  await open(page, 'grid=8&scene=katamari&hz=20&at=60');
  const box = await page.locator('.screen canvas').boundingBox();
  if (box === null) throw new Error('there is no canvas');
  const picked = page.locator('lab-picked .picked');
  // The player is in the middle of its view, the upper one, and a little above it: the camera looks at 1 m below its centre, once
  // it is there.
  await expect(async () => {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.225);
    await expect(picked).toContainText('The player’s cube', { timeout: 2000 });
  }).toPass({ intervals: [1000] });
  await expect.poll(() => fragment(page)).toContain('cube=0');
  await picked.getByRole('button', { name: 'Its bits' }).click();
  await expect(page.locator('lab-cube figcaption')).toContainText(/in the last 2 s: .*mm from the original.*bits a packet/);
  await expect(page.locator('lab-inspector caption')).toContainText('Cube 0');
  await page.mouse.click(box.x + box.width - 24, box.y + box.height / 4);
  await expect(picked).toHaveCount(0);
  await expect.poll(() => fragment(page)).not.toContain('cube=');
});

test('a lost context comes back, three times, without a warning @apart', async ({ page }) => {
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && /invalid|belong|WebGL/i.test(message.text()) && warnings.push(message.text()));
  await open(page, 'grid=5');
  for (let time = 0; time < 3; time += 1) await loseAndGiveBack(page);
  // What was left to the collector of garbage would warn only now.
  await page.evaluate(() => (globalThis as { gc?: () => void }).gc?.());
  await page.waitForTimeout(500);
  // The browser itself says that a context was lost, and its driver that this test reads the picture.
  expect(warnings.filter((warning) => !/CONTEXT_LOST|context lost|ReadPixels/i.test(warning))).toEqual([]);
});

async function loseAndGiveBack(page: Page): Promise<void> {
  await page.evaluate(() => {
    const gl = document.querySelector<HTMLCanvasElement>('.screen canvas')?.getContext('webgl2');
    const extension = gl?.getExtension('WEBGL_lose_context');
    Object.assign(window, { giveBack: () => extension?.restoreContext() });
    extension?.loseContext();
  });
  await expect(page.locator('.trouble')).toContainText('views return as soon');
  await page.waitForTimeout(300);
  await page.evaluate(() => (window as unknown as { giveBack(): void }).giveBack());
  await expect(page.locator('.trouble')).toHaveCount(0);
  await expect.poll(async () => Math.min(...(await pictures(page)).map((view) => view.red))).toBeGreaterThan(0.001);
}

test.describe('without WebGL 2', () => {
  test.use({ views: 'none' });

  test('there is a sentence, and the numbers go on @apart', async ({ page }) => {
    await open(page, 'grid=5&show=packets');
    await expect(page.locator('.trouble')).toContainText('This browser gives no WebGL 2');
    const sent = page.locator('lab-counters dd').first();
    const before = await sent.textContent();
    await expect(sent).not.toHaveText(before ?? '');
  });
});

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a finger beside the sheet of the eye closes it @apart', async ({ page }) => {
    await open(page, 'grid=5&at=60');
    const sheet = page.locator('details.look');
    await sheet.locator('summary').tap();
    await expect(sheet).toHaveAttribute('open');
    await page.getByLabel('Outline the truth').tap();
    await expect(sheet).toHaveAttribute('open');
    await page.locator('.clock').tap();
    await expect(sheet).not.toHaveAttribute('open');
  });

  test('the stick drives, and nothing is wider than the screen', async ({ page }) => {
    await open(page, 'grid=5');
    const stick = page.locator('.stick');
    await stick.scrollIntoViewIfNeeded();
    const box = await stick.boundingBox();
    if (box === null) throw new Error('there is no stick');
    await page.mouse.move(box.x + box.width / 2, box.y + 10);
    await page.mouse.down();
    await expect(page.locator('.label.left')).toContainText('you drive');
    await page.mouse.up();
    await expect.poll(async () => Math.min(...(await pictures(page)).map((view) => view.red))).toBeGreaterThan(0.001);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

test('the picture goes on when leaving sight and coming back are told at once @apart', async ({ page }) => {
  await page.addInitScript(() => {
    // As while the whole page is captured: several entries in one call, the last of which holds.
    const observers: [IntersectionObserverCallback, IntersectionObserver][] = [];
    const Native = window.IntersectionObserver;
    window.IntersectionObserver = class extends Native {
      constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super(tell, options);
        observers.push([tell, this]);
      }
    };
    Object.assign(window, {
      leaveAndComeBack: () => {
        for (const [tell, observer] of observers) {
          tell([{ isIntersecting: false }, { isIntersecting: true }] as IntersectionObserverEntry[], observer);
        }
      },
    });
  });
  await open(page, 'grid=5');
  await expect.poll(async () => (await pictures(page))[0].red).toBeGreaterThan(0.002);
  await page.evaluate(() => (window as unknown as { leaveAndComeBack: () => void }).leaveAndComeBack());
  const before = (await pictures(page))[0].hash;
  await expect.poll(async () => (await pictures(page))[0].hash).not.toBe(before);
});

test('the handle divides views and figures by keys and by dragging; link and browser keep it @apart', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, 'grid=5');
  const width = async (): Promise<number> => (await page.locator('.screen canvas').boundingBox())?.width ?? 0;
  const panel = async (): Promise<number> => (await page.getByRole('tabpanel').boundingBox())?.height ?? 0;
  expect(await width()).toBeGreaterThanOrEqual(400);
  expect(await panel()).toBeGreaterThanOrEqual(0.55 * 900);
  const handle = page.getByRole('separator', { name: 'Width of the views' });
  const before = await width();
  await handle.press('ArrowLeft');
  await expect.poll(width).toBeGreaterThan(before);
  await expect.poll(() => fragment(page)).toMatch(/&split=\d+/);
  const box = await handle.boundingBox();
  if (box === null) throw new Error('no handle');
  await page.mouse.move(box.x + 5, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 135, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect.poll(width).toBeLessThan(before - 50);
  const dragged = await width();
  await page.goto('about:blank');
  await open(page, 'grid=6');
  expect(Math.abs((await width()) - dragged)).toBeLessThan(10);
  await handle.press('Home');
  await expect.poll(width).toBe(before);
  await expect.poll(() => fragment(page)).not.toContain('split=');
  await page.setViewportSize({ width: 1280, height: 720 });
  await expect.poll(panel).toBeGreaterThanOrEqual(0.55 * 720);
});

test('who has driven away from the others finds back to where they were left @apart', async ({ page }) => {
  test.setTimeout(120_000);
  // A drive of before the leash: Up for five seconds.
  await open(page, 'scene=drive&grid=5&at=300&tape=0.-iJ');
  const back = page.getByRole('button', { name: 'Back to where you left them' });
  await expect(back).toBeVisible({ timeout: 60_000 });
  await back.click();
  await expect(back).toBeHidden();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});
