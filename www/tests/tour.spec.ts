// The tour: as somebody takes it who has only keys, as somebody hears it, and as it is kept.

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, fragment, open, test, violations } from './page';

test.use({ views: 'none' });

const heading = (page: Page) => page.locator('#tour [data-step]:not([hidden]) h3');
const here = (page: Page) => page.locator('#tour [data-step]:not([hidden])');
const step = (page: Page) => here(page).getAttribute('data-step');

/** Waits until the page stands at the step's instant. */
async function arrived(page: Page): Promise<void> {
  await expect(page.locator('lab-timeline .making')).toHaveCount(0, { timeout: 45_000 });
}

test('the core by keyboard alone, the focus on each heading, from a chapter into the next and to the last step', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Tour', exact: true }).focus();
  await page.keyboard.press('Enter');
  const seen: string[] = [];
  const where = page.locator('lab-tour .chapter');
  const look = async (place: RegExp): Promise<void> => {
    await expect(heading(page)).toBeFocused();
    seen.push((await step(page)) ?? '');
    await expect(where).toHaveText(place);
    // The first thing to be reached after the heading is the question.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.question') !== null)).toBe(true);
    if (await page.evaluate(() => document.activeElement?.matches('input[type=range]') === true)) await heading(page).focus();
  };
  const turn = async (key: 'PageDown' | 'PageUp'): Promise<void> => {
    await page.keyboard.press(key);
    await expect.poll(() => step(page)).not.toBe(seen.at(-1));
  };
  for (const place of ['1 of 3, Three ways', '2 of 3, Three ways', '3 of 3, Three ways', '1 of 3, Lockstep']) {
    await look(new RegExp(`^${place}`));
    if (!place.endsWith('Lockstep')) await turn('PageDown');
  }
  await turn('PageUp');
  await expect.poll(() => step(page)).toBe(seen.at(-2));
  // From a step beside the core the rest of its chapter follows, and then the core again.
  const steps = page.locator('select[aria-label="Chapter and step"]');
  await steps.selectOption('cube-in-bits');
  await expect(where).toHaveText(/^More: 1 of 1, Three ways/);
  await heading(page).focus();
  await page.keyboard.press('PageDown');
  await expect.poll(() => step(page)).toBe('who-pays');
  await steps.selectOption('you-can');
  await expect.poll(() => step(page)).toBe('you-can');
  await heading(page).focus();
  await look(/^2 of 2, Choose/);
  // There is no step behind the last.
  await page.keyboard.press('PageDown');
  await expect.poll(() => step(page)).toBe(seen.at(-1));
});

test('a step that is gone opens the one that has its subject, and says so @apart', async ({ page }) => {
  await open(page, 'step=half-a-bit');
  await expect.poll(() => step(page)).toBe('narrow');
  await expect(page.locator('lab-notices')).toContainText('"narrow" has its subject now');
});

test('a guess plays the step, is answered with what is measured here, announced, and kept', async ({ page }) => {
  test.setTimeout(150_000);
  await open(page, 'step=another-order');
  await arrived(page);
  await expect(page.locator('#tour .answer:visible')).toHaveCount(0);
  await expect(page.locator('.pointed')).toHaveCount(2);
  await here(page).getByRole('button', { name: 'Yes, order can’t matter' }).click();
  await expect(page.locator('#tour .announced')).toContainText('It was');
  await expect(here(page).locator('.answer')).toContainText('from frame 64 on, the player’s first contact', { timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await expect(here(page).locator('.question [aria-pressed=true]')).toHaveText('Yes, order can’t matter');
  await page.getByRole('button', { name: 'Explore from here' }).click();
  await expect(page.locator('#tour')).toBeHidden();
  await expect(page.locator('#settings')).toBeVisible();
  expect(fragment(page)).toContain('desync=order');
  await page.goBack();
  await expect(page.locator('#tour')).toBeVisible();
});

test('a number is guessed with the arrow keys, and what is tried is noticed @apart', async ({ page }) => {
  test.setTimeout(150_000);
  await open(page, 'step=most-still');
  await arrived(page);
  const guess = here(page).getByRole('slider', { name: 'Your guess' });
  await guess.focus();
  // It begins at its low end, where no answer is.
  await expect(guess).toHaveAttribute('aria-valuetext', '0');
  for (let i = 0; i < 20; i++) await page.keyboard.press('ArrowRight');
  await here(page).getByRole('button', { name: 'That is my guess' }).press('Enter');
  await expect(here(page).locator('.verdict')).toContainText(/You said \d+\. Measured: 70\./, { timeout: 90_000 });
  await open(page, 'step=how-fine');
  await arrived(page);
  await here(page).getByRole('button', { name: 'Show me' }).click();
  await here(page).locator('.control-of input').fill('4');
  await expect(here(page).locator('.done')).toHaveText('✓ Done.');
});

test('a cut comes by itself, and one step back is the step before @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'step=two-copies');
  await page.locator('select[aria-label="Chapter and step"]').selectOption('cut');
  await expect.poll(() => fragment(page)).toContain('step=cut');
  await arrived(page);
  await here(page).getByRole('button', { name: 'Snapshots' }).click();
  await expect(page.locator('.is-cut')).toHaveText('No packet gets through.', { timeout: 30_000 });
  await page.goBack();
  await expect.poll(() => step(page)).toBe('two-copies');
  // Its motion had been cut before: it begins anew, and is cut again.
  await page.goForward();
  await expect.poll(() => step(page)).toBe('cut');
  await arrived(page);
  await expect(page.locator('.is-cut')).toHaveText('');
  await here(page).getByRole('button', { name: 'Play it again' }).click();
  await expect(page.locator('.is-cut')).toHaveText('No packet gets through.', { timeout: 30_000 });
});

test('what was measured before the guess is there with it, and compared by its length @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'step=one-bit');
  await arrived(page);
  // Time to measure it all; one that comes later is awaited below.
  await page.waitForTimeout(8_000);
  await here(page).getByRole('button', { name: 'Show me' }).click();
  await expect(here(page).locator('.answer .measuring')).toHaveCount(0, { timeout: 60_000 });
  const widths = await here(page)
    .locator('.answer .bar')
    .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  expect(widths).toHaveLength(3);
  expect(widths[2]).toBeGreaterThan(5 * (widths[1] ?? 0));
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('views and question are in sight together on a desk and on a phone, and nothing is amiss for those who hear it @apart', async ({ page }) => {
    test.setTimeout(240_000);
    for (const id of ['crowd-bill', 'see-bits', 'two-windows', 'what-the-way-costs', 'big-packets', 'two-hands', 'most-still', 'patience']) {
      await open(page, `step=${id}`);
      await arrived(page);
      for (const [width, height] of [
        [1280, 900],
        [1280, 720],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect(page.locator('.screen canvas')).toBeInViewport({ ratio: 0.9 });
        await expect(here(page).locator('.question > p')).toBeInViewport({ ratio: 1 });
        await expect(page.getByRole('button', { name: 'Next', exact: true })).toBeInViewport({ ratio: 1 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
      }
      await here(page).getByRole('button', { name: 'Show me' }).click();
      expect(await violations(page, '#tour')).toEqual([]);
    }
    // A claim about chance is told with the range of other runs.
    await expect(here(page).locator('tour-figure[claim=none]:not([none]) .spread')).toHaveText('(204 to 1,112)', { timeout: 60_000 });
    const some = here(page).locator('.bars tour-figure[claim=one-way][none]');
    await expect(some).toContainText('16 of 24 runs');
    // Its bar is two thirds of that of 24 runs.
    const lengths = ['one-way', 'enough'].map((claim) =>
      here(page)
        .locator(`.bars tour-figure[claim=${claim}] .bar`)
        .evaluate((bar) => bar.getBoundingClientRect().width),
    );
    const [part = 0, whole = 0] = await Promise.all(lengths);
    expect(part / whole).toBeCloseTo(2 / 3, 2);
  });
});

test('after the answer comes a why, and the sheet has both, to print and to keep @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'step=cube-in-bits');
  await arrived(page);
  await expect(here(page).locator('.why')).toBeHidden();
  await here(page).getByRole('button', { name: 'The orientation' }).click();
  await expect(page.locator('#tour .announced')).toContainText('Right');
  // What was measured comes with the second answer, not before.
  const because = here(page).locator('.why .because');
  await expect(because).toBeHidden();
  await here(page).getByRole('button', { name: 'Twice as much' }).click();
  await expect(here(page).locator('.why .said')).toContainText('It was: “Four times as much');
  await expect(because).toContainText('69.4 Mbit/s', { timeout: 60_000 });
  await page.getByRole('button', { name: 'your sheet' }).click();
  const sheet = page.getByRole('dialog', { name: 'Your course' });
  await expect(sheet).toContainText('0 of the 24 steps of the core answered, and 1 of the others. 1 guesses right, 0 reasons right.');
  const row = sheet.getByRole('row', { name: /What is a cube, in bits/ });
  await expect(row).toContainText('The orientation ✓');
  await expect(row).toContainText('Twice as much, because the packets share their headers ✗');
  await sheet.getByLabel('Name').fill('Ada, group 2');
  const coming = page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Download CSV' }).click();
  const csv = readFileSync(await (await coming).path(), 'utf8')
    .trim()
    .split('\n');
  // A row for each step, below the names of the columns.
  expect(csv).toHaveLength(1 + 79);
  expect(csv.find((line) => line.startsWith('cube-in-bits,'))).toMatch(
    /right,"Twice as much, because the packets share their headers",wrong,http.*,"Ada, group 2",,$/,
  );
  // On paper there is the sheet alone, with its addresses.
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.bench')).toBeHidden();
  await expect(row).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  expect(await violations(page, '#course')).toEqual([]);
  await sheet.getByRole('button', { name: 'Begin anew' }).click();
  await sheet.getByRole('button', { name: 'Forget all guesses?' }).click();
  await expect(sheet).toContainText('0 of the 24 steps of the core answered, and 0 of the others');
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('colours and figures come with the answer, and until then the views have the room @apart', async ({ page }) => {
    test.setTimeout(120_000);
    await open(page, 'step=ten');
    await arrived(page);
    const height = async () => (await page.locator('.screen canvas').boundingBox())?.height ?? 0;
    const before = await height();
    await expect(page.locator('.figures')).toBeHidden();
    expect(fragment(page)).not.toContain('shade=');
    await here(page).getByRole('button', { name: 'It falls to a quarter' }).click();
    await expect.poll(() => fragment(page)).toContain('shade=error');
    await expect(page.locator('#figure-errors')).toBeVisible();
    expect(before).toBeGreaterThan(1.3 * (await height()));
  });
});

// That it is the first below the goal is a claim of the course's native tests.
test('the ladder marks the rung that the answer names @apart', async ({ page }) => {
  await open(page, 'step=there');
  await arrived(page);
  await here(page).getByRole('button', { name: '9: relative position' }).click();
  await expect(page.locator('lab-ladder tr.chosen button')).toContainText('relative position');
});

test('without a place to keep guesses the tour goes on @apart', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await open(page, 'step=cube-in-bits');
  await here(page).getByRole('button', { name: 'The position' }).click();
  await expect(page.locator('#tour .announced')).toContainText('The orientation');
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('on a projector there are views, one figure and the sentence @apart', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await open(page, 'step=cube-in-bits');
    await page.getByRole('button', { name: 'present 45 min' }).click();
    await expect(page.locator('.masthead')).toBeHidden();
    await expect(here(page).locator('.question > p')).toBeInViewport({ ratio: 1 });
    await expect(page.locator('#figure-bits')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.locator('.masthead')).toBeVisible();
  });
});

test('a step comes with a recorded network of its own, takes a person’s, and the next step has none @apart', async ({ page }) => {
  test.setTimeout(120_000);
  const traced = page.locator('lab-traced');
  await open(page, 'step=your-ping');
  await expect(traced).toContainText('ping-example.txt');
  await arrived(page);
  await expect(page.locator('lab-notices')).not.toContainText('drop its file');
  await expect.poll(() => fragment(page)).toMatch(/trace=[0-9a-f]{8}/);
  await page.reload();
  await page.waitForSelector('html[data-ready]');
  await expect(traced).toContainText('ping-example.txt');
  await here(page).getByRole('button', { name: 'Show me' }).click();
  await expect(here(page).locator('.done')).toHaveText('');
  const file = { name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from('0,20\n100,25\n200,60\n') };
  await here(page).getByLabel('A trace of your network').setInputFiles(file);
  await expect(traced).toContainText('mine.csv');
  await expect(here(page).locator('.done')).toHaveText('✓ Done.');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => step(page)).not.toBe('your-ping');
  await expect(traced).not.toContainText('.csv');
  // The core goes on after it, and Back stays in the core.
  await page.locator('select[aria-label="Chapter and step"]').selectOption('your-ping');
  await expect(traced).toContainText('ping-example.txt');
});

test('where A and B are compared, the bits of both stand side by side @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'step=narrow');
  await arrived(page);
  await here(page).getByRole('button', { name: 'Show me' }).click();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible({ timeout: 60_000 });
  const cells = await page.locator('lab-breakdown tr', { hasText: 'which cubes' }).locator('td').allTextContents();
  expect(Number(cells[0])).toBe(901);
  expect(Number(cells[1])).toBeLessThan(600);
});

test('who answers at once sees the step play when A and B are both ready @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'step=two-copies');
  await here(page).getByRole('button', { name: 'Show me' }).click();
  // Asked in the page at each frame: nothing plays while a lane is still being made.
  const first = await page.evaluate(
    () =>
      new Promise<{ making: number; clock: string }>((resolve) => {
        const look = (): void => {
          const clock = document.querySelector('.clock')?.textContent?.trim() ?? '';
          const plays = [...document.querySelectorAll('button')].some((button) => (button.ariaLabel ?? button.textContent.trim()) === 'Pause');
          if (plays && Number.parseFloat(clock) > 15) resolve({ making: document.querySelectorAll('lab-timeline .making').length, clock });
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  expect(first.making).toBe(0);
  expect(Number.parseFloat(first.clock)).toBeLessThan(16);
});

test('an answer given before both views stand waits for them @apart', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, 'step=two-copies');
  // Asked in the page at each frame: the question is busy at first, and nothing is answered while it is.
  const seen = await page.evaluate(
    () =>
      new Promise<{ answeredWhileBusy: boolean; wasBusy: boolean }>((resolve) => {
        const section = document.querySelector<HTMLElement>('#tour [data-step]:not([hidden])');
        const question = section?.querySelector('.question');
        const wasBusy = question?.ariaBusy === 'true';
        section?.querySelector<HTMLElement>('.question > button[value]')?.click();
        let answeredWhileBusy = false;
        const look = (): void => {
          const isAnswered = section?.hasAttribute('data-answered') === true;
          if (question?.ariaBusy === 'true') answeredWhileBusy ||= isAnswered;
          if (isAnswered) resolve({ answeredWhileBusy, wasBusy });
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  expect(seen).toEqual({ answeredWhileBusy: false, wasBusy: true });
});

test('the notes for lecturers name steps that are there @apart', async ({ page }) => {
  await page.goto('./lecture.html');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const named = (within: string) =>
    page.locator(`${within} a[href*="step="]`).evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).hash));
  const links = await named('body');
  // Ten steps fit in 45 minutes.
  expect(new Set(await named('main > table')).size).toBe(10);
  await page.goto('./');
  await page.waitForSelector('html[data-ready]');
  const ids = await page.locator('#tour [data-step]').evaluateAll((steps) => steps.map((step) => `#step=${(step as HTMLElement).dataset['step']}`));
  for (const link of links) expect(ids).toContain(link);
  expect(await violations(page, '#tour')).toEqual([]);
});

test('exercises and terms can be read by everybody @apart', async ({ page }) => {
  for (const name of ['exercises', 'terms', 'lecture', 'teacher', 'buffer']) {
    await page.goto(`./${name}.html`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  }
});

test.describe(() => {
  test.use({ views: 'blank' });

  test('a remote control reveals the answer and then goes on, and no control stands on a figure @apart', async ({ page }) => {
    await open(page, 'step=one-bit');
    await page.getByRole('button', { name: 'present 45 min' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-present', '45');
    const isOver = (): Promise<boolean> =>
      page.evaluate(() => {
        const boxes = (selector: string) =>
          [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
        const bars = boxes('lab-tour, lab-transport, lab-cut');
        return boxes('.figures > [role=tabpanel], .screen canvas').some((box) =>
          bars.some((bar) => bar.top < box.bottom && bar.bottom > box.top && bar.left < box.right && bar.right > box.left),
        );
      });
    expect(await isOver()).toBe(false);
    await expect(page.locator('lab-transport').getByRole('button', { name: /Play|Pause/ })).toBeVisible();
    await expect(page.locator('lab-cut .hold')).toBeVisible();
    const section = page.locator('[data-step=one-bit]');
    await page.keyboard.press('PageDown');
    await expect(section.locator('.answer')).toBeVisible();
    expect(await isOver()).toBe(false);
    // The second press shows the reason, the third opens the next step of the lecture.
    await expect(section.locator('.why .right')).toHaveCount(0);
    await page.keyboard.press('PageDown');
    await expect(section.locator('.why .right')).toHaveCount(1);
    await page.keyboard.press('PageDown');
    await expect(page.locator('[data-step=buffer]')).toBeVisible();
  });
});

test('in a step that asks to drive an arrow starts play, and the task is done by it @apart', async ({ page }) => {
  await open(page, 'step=there');
  await arrived(page);
  await here(page).locator('.question button').first().click();
  await expect(here(page).locator('.act')).toBeVisible();
  await expect(page.locator('lab-transport').getByRole('button', { name: 'Play', exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(here(page).locator('.act')).not.toContainText('Done');
  await heading(page).click();
  await page.keyboard.down('ArrowRight');
  await expect(page.locator('lab-transport').getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect(here(page).locator('.act')).toContainText('Done');
  await page.keyboard.up('ArrowRight');
});

test.describe('by touch', () => {
  test.use({ views: 'blank', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('who is asked to drive on a phone has views and stick above the sheet, and then the figure @apart', async ({ page }) => {
    await open(page, 'step=there');
    await arrived(page);
    await expect(page.locator('.stick')).toBeHidden();
    await here(page).locator('.question button').first().click();
    const stick = page.locator('.stick');
    await expect(stick).toBeVisible();
    await expect(page.locator('lab-views canvas')).toBeVisible();
    const [box, sheet] = [await stick.boundingBox(), await page.locator('#tour').boundingBox()];
    if (box === null || sheet === null) throw new Error('there is no stick or no sheet');
    expect(box.y + box.height).toBeLessThanOrEqual(sheet.y);
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    await page.mouse.down();
    await expect(here(page).locator('.act')).toContainText('Done');
    await page.mouse.up();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.locator('lab-views canvas')).toBeHidden();
    await expect(page.getByRole('tabpanel', { name: 'Ladder' })).toBeVisible();
  });
});
