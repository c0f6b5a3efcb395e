// The front: what stands on it at first sight, its four controls, and the ways to the rest.

import type { Page } from '@playwright/test';
import { expect, fragment, open, settled, show, test, toggleSettings, violations } from './page';

test.use({ views: 'blank', desk: '' });

/** Words, numbers and buttons in sight, and the part of the window's height that the views have. */
function firstSight(): { words: number; numbers: number; buttons: number; views: number; width: number } {
  const inSight = ({ left, right, top, bottom, width, height }: DOMRect): boolean =>
    width > 1 && height > 1 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const shows = (element: Element): boolean => element.closest('.unseen, .skip') === null && element.checkVisibility({ visibilityProperty: true });
  const words: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (parentElement === null || parentElement.matches('script, style, noscript') || !shows(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if (inSight(range.getBoundingClientRect())) words.push(...(textContent ?? '').split(/\s+/).filter((word) => word !== ''));
  }
  const buttons = [...document.querySelectorAll('button, summary, [role=tab]')].filter((button) => shows(button) && inSight(button.getBoundingClientRect()));
  return {
    words: words.length,
    numbers: words.filter((word) => /^\d/.test(word)).length,
    buttons: buttons.length,
    views: (document.querySelector('.screen canvas')?.getBoundingClientRect().height ?? 0) / innerHeight,
    width: document.documentElement.scrollWidth,
  };
}

const controls = (page: Page) => [
  page.getByRole('slider', { name: 'Send rate' }),
  page.getByRole('slider', { name: 'Quantisation' }),
  page.getByRole('button', { name: 'linear', exact: true }),
  page.getByRole('slider', { name: 'Packet loss' }),
];

/** The instant at which the first screen is looked at, s. */
const SEEN_S = 2;

for (const [width, height, words, numbers, buttons, views, hasTouch] of [
  [1440, 900, 136, 35, 14, 0.55, false],
  [1280, 720, 136, 35, 14, 0.5, false],
  [390, 844, 87, 17, 13, 0.49, false],
  [390, 844, 79, 16, 10, 0.49, true],
  [360, 740, 77, 15, 10, 0.42, true],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const isApart = colorScheme === 'dark' || !(width === 1440 || width === 360);
    test.describe(`${width} x ${height}, ${hasTouch ? 'touch, ' : ''}${colorScheme}${isApart ? ' @apart' : ''}`, () => {
      test.use({ viewport: { width, height }, colorScheme, hasTouch, isMobile: hasTouch });

      test('the four controls are in sight, and little else', async ({ page }) => {
        await open(page, '');
        await expect(page.locator('lab-bar strong')).toHaveText(/^[\d,]+ times smaller$/);
        await expect(page.locator('.front-control .effect').first()).toHaveText(/ms late/);
        // The same instant each time: what is shown has more words at one than at another.
        await expect.poll(async () => Number.parseFloat((await page.locator('.clock').textContent()) ?? '')).toBeGreaterThan(SEEN_S);
        await page.getByRole('button', { name: 'Pause' }).click();
        await page.locator('lab-timeline input[type=range]').fill(String(60 * SEEN_S));
        await expect(page.locator('.clock')).toHaveText(`${SEEN_S.toFixed(2)} s`);
        // The click may have scrolled.
        await page.evaluate(() => scrollTo(0, 0));
        const sight = await page.evaluate(firstSight);
        expect(sight.words, 'words').toBeLessThanOrEqual(words);
        expect(sight.numbers, 'numbers').toBeLessThanOrEqual(numbers);
        expect(sight.buttons, 'buttons').toBeLessThanOrEqual(buttons);
        expect(sight.views).toBeGreaterThanOrEqual(views);
        expect(sight.width).toBe(width);
        for (const part of [...controls(page), page.locator('lab-bar'), page.locator('lab-sentence')]) await expect(part).toBeInViewport({ ratio: 0.99 });
        // No letter is cut off, in any font.
        const cut = await page
          .locator('.front-control :is(.name, output, button, .effect), lab-sentence p')
          .evaluateAll((parts) =>
            parts.filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline').map((part) => part.textContent),
          );
        expect(cut).toEqual([]);
        expect(await violations(page)).toEqual([]);
      });
    });
  }
}

test('the address says at once what a plain one opens', async ({ page }) => {
  await open(page, '');
  expect(fragment(page)).toMatch(/^v=2&.*loss=5.*scene=katamari/);
});

test('the Tab key goes to the four controls, then to play', async ({ page }) => {
  await open(page, '');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  const names: string[] = [];
  for (let stop = 0; stop < 10; stop += 1) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate(
        () =>
          ((document.activeElement as HTMLInputElement).labels?.[0] ?? document.activeElement)?.textContent?.trim() || document.activeElement?.ariaLabel || '',
      ),
    );
  }
  // A segment has its bits beside its name while they have room: packets grow as the motion goes on.
  expect(names.map((name) => name.replace(/ \d+$/, ''))).toEqual([
    'Skip to the controls',
    'Send rate',
    'Quantisation',
    'none',
    'linear',
    'hermite',
    'slerp',
    'Packet loss',
    'IP + UDP header',
    'Pause',
  ]);
});

test('each control writes its settings, and quantisation is live on every rung', async ({ page }) => {
  await open(page, 'codec=uncompressed&grid=8&at=120');
  const [rate, quantisation, , loss] = controls(page) as ReturnType<typeof controls> & { length: 4 };
  await rate?.fill('20');
  await loss?.fill('30');
  await page.getByRole('button', { name: 'slerp', exact: true }).click();
  await quantisation?.fill('4');
  await expect.poll(() => fragment(page)).toMatch(/hz=20&codec=position&pos=4&rot=4&loss=30&interp=slerp/);
  await expect(page.locator('.front-control .effect').nth(1)).toHaveText(/rung 5/);
  await settled(page);
  // The rung is said once.
  await quantisation?.fill('1');
  await expect(page.locator('.front-control .effect').nth(1)).toHaveText(/^at most [\d,]+ mm of rounding, \d+ pixels/);
});

test('the nudge goes with the first drag, and the outlines say what they are', async ({ page }) => {
  await open(page, '');
  const sentence = page.locator('lab-sentence');
  await expect(sentence).toContainText(/^Each packet: [\d.]+ % of its uncompressed size\. Drag Send rate to 1\./);
  await expect(page.locator('.label.right')).toContainText('blue: the original');
  await page.locator('#front-loss').fill('25');
  await expect(page.locator('.label.right .lost')).toHaveText(/packets? lost$/);
  await page.locator('#front-hz').fill('1');
  await expect(page.locator('.label.right .ago')).toHaveText(/^[1-9]\.\d s back$/, { timeout: 15_000 });
  await expect(sentence).toContainText('Drive the big red cube with the arrow keys.');
  await expect(sentence).not.toContainText('Drag');
});

test('each control has a figure with a noun and its last ten seconds, and the rate’s parts add up', async ({ page }) => {
  await open(page, 'hz=20&loss=20&jitter=0&at=900');
  const effects = page.locator('.front-control .effect');
  await expect(effects).toHaveText([
    /^\d+ ms late: \d+ ms of buffer and \d+ ms of the fastest packet$/,
    /^at most [\d.]+ mm of rounding, [\d.]+ pixels: \d+ bits a cube$/,
    /^\d.* mm, [\d.]+ pixels off the original$/,
    /^frozen [\d.]+ of 10 s$/,
  ]);
  const [late = 0, buffered = 0, fastest = 0] = ((await effects.first().textContent()) ?? '').match(/\d+/g)?.map(Number) ?? [];
  expect(late).toBe(buffered + fastest);
  for (const place of [0, 1, 2]) expect((await page.locator('.spark polyline').nth(place).getAttribute('points'))?.split(' ').length).toBeGreaterThan(40);
  // A fifth of two hundred packets.
  expect(await page.locator('.spark rect:not(.still)').count()).toBeGreaterThan(20);
});

test('a field of the packet says what it is, is shown on a cube, and goes with a second click', async ({ page }) => {
  await open(page, 'at=300');
  const description = page.locator('lab-bar .told');
  const bar = page.locator('lab-bar .bar.now .segment');
  await bar.filter({ hasText: 'position' }).click();
  await expect(description).toHaveText(
    /^\s*position: [\d,]+ bits, [\d.]+ %: where a cube is\. [\d.]+ of the [\d.]+ bits of (your cube|cube \d+), now blue, in packet \d+\.\s*$/,
  );
  await expect(page.locator('.picked')).toBeVisible();
  await expect.poll(() => fragment(page)).toMatch(/cube=\d+/);
  // By keys, the next kind.
  await page.keyboard.press('ArrowRight');
  await expect(description).toContainText(/orientation: [\d,]+ bits, /);
  await bar.filter({ hasText: 'orientation' }).click();
  await expect(page.locator('.picked')).toHaveCount(0);
  await page.locator('.segment[title^="IP + UDP header"]').click();
  await expect(description).toContainText(/IP \+ UDP header: 224 bits, [\d.]+ %: the address on every packet, however small it is\./);
  expect(await violations(page, 'lab-bar')).toEqual([]);
});

test('the packet’s sliver is to scale @apart', async ({ page }) => {
  await open(page, 'hz=20&codec=smallest-three&at=300');
  const [sliver = 0, whole = 0] = await page
    .locator('.sliver, .bar.rung0')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width).toSorted((a, b) => a - b));
  const times = Number.parseFloat((await page.locator('lab-bar strong').textContent()) ?? '');
  expect(whole / sliver / times).toBeCloseTo(1, 1);
});

test('the front has at most four sizes of type @apart', async ({ page }) => {
  await open(page, '');
  for (const width of [1440, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const sizes = await page.evaluate(() => {
      const sizes = new Set<string>();
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { parentElement: parent, textContent } = texts.currentNode;
        if (parent === null || textContent?.trim() === '' || parent.closest('.unseen, .skip, script, noscript') !== null) continue;
        const { width, height } = parent.getBoundingClientRect();
        const size = getComputedStyle(parent).fontSize;
        if (parent.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1 && size !== '0px') sizes.add(size);
      }
      return [...sizes];
    });
    expect(sizes.length, `${width}: ${sizes.join(', ')}`).toBeLessThanOrEqual(4);
  }
});

test('a figure and all settings are one click away, are found open again, and go', async ({ page }) => {
  await open(page, 'grid=6');
  await expect(page.getByRole('tabpanel')).toHaveCount(0);
  await page.getByRole('button', { name: 'Packet', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'Bits' })).toBeFocused();
  await expect(page.getByRole('tabpanel', { name: 'Bits' })).toBeVisible();
  await toggleSettings(page);
  await expect(page.locator('#settings')).toBeVisible();
  await open(page, 'grid=7');
  await expect(page.locator('#settings')).toBeVisible();
  await expect(page.getByRole('tabpanel', { name: 'Bits' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the lab' }).click();
  await toggleSettings(page);
  await expect(page.getByRole('tabpanel')).toHaveCount(0);
  await expect(page.locator('#settings')).toBeHidden();
  await expect(page.locator('lab-sentence')).toBeVisible();
});

test('a link with a figure opens the figure', async ({ page }) => {
  await open(page, 'grid=6&show=ladder');
  await expect(page.getByRole('tabpanel', { name: 'Ladder' })).toBeVisible();
  await show(page, 'Errors');
  await expect.poll(() => fragment(page)).toContain('show=errors');
});

test('while a control is dragged its figure is that of the new setting, as it is at the end @apart', async ({ page }) => {
  await open(page, 'scene=katamari&at=1800');
  const late = page.locator('.front-control .effect').first();
  const ms = async (): Promise<number> => Number(/^(\d+) ms late/.exec((await late.textContent()) ?? '')?.[1]);
  await settled(page);
  await expect(late).toHaveText(/ms late/);
  const before = await ms();
  // As a drag does: no change of the value is the last one.
  await page.locator('.control:has(#latency) input[type=range]').evaluate((slider: HTMLInputElement) => {
    slider.value = '250';
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect.poll(ms).not.toBe(before);
  expect(await ms()).toBeGreaterThan(before + 150);
  await settled(page);
  expect(Math.abs((await ms()) - before - 200)).toBeLessThan(20);
});
