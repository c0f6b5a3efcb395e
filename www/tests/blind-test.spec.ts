// The blind test as a person meets it: by clicks, by keys alone, stopped and gone on with, shared.

import { readFileSync } from 'node:fs';
import { expect, open, show, test, violations } from './page';

test.setTimeout(180_000);

/** Presses a button of the test, and waits until its picture has ended. */
async function watch(page: import('@playwright/test').Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name: `Show ${name}` });
  await expect(button).toBeEnabled({ timeout: 60_000 });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toHaveAttribute('aria-pressed', 'false', { timeout: 60_000 });
}

test('a test goes by clicks and by keys, stops with what is known, and goes on after a reload @apart', async ({ page }) => {
  await open(page, 'grid=5&scene=roll&at=60');
  await show(page, 'Can you tell?');
  const tab = page.locator('lab-blind-test');
  await tab.getByLabel('Test').selectOption('One freeze');
  expect(await violations(page, '#figure-tell')).toEqual([]);
  await tab.getByRole('button', { name: 'Begin', exact: true }).click();
  const trial = page.locator('lab-trial');
  await expect(trial.getByRole('status')).toContainText('Trial 1 of 40', { timeout: 60_000 });
  await expect(trial.getByRole('button', { name: 'X is A' })).toBeDisabled();
  await watch(page, 'A');
  await expect(trial.getByRole('button', { name: 'X is A' })).toBeDisabled();
  await watch(page, 'X');
  expect(await violations(page, '#tell')).toEqual([]);
  await trial.getByRole('button', { name: 'X is A' }).click();
  await expect(trial.getByRole('status')).toContainText('Trial 2 of 40');
  // By keys alone.
  await expect(page.getByRole('button', { name: 'Show B' })).toBeEnabled({ timeout: 60_000 });
  for (const key of ['b', 'x']) {
    await page.keyboard.press(key);
    const button = page.getByRole('button', { name: `Show ${key.toUpperCase()}` });
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await expect(button).toHaveAttribute('aria-pressed', 'false', { timeout: 60_000 });
  }
  await page.keyboard.press('2');
  await expect(trial.getByRole('status')).toContainText('Trial 3 of 40');
  await page.keyboard.press('Escape');
  await expect(tab.locator('.found li')).toHaveCount(1);
  await expect(tab.locator('.found li')).toContainText(/After 2 answers little is known: your threshold lies between [\d.]+ and \d/);
  const [saved] = await Promise.all([page.waitForEvent('download'), tab.getByRole('button', { name: /^Save the answers/ }).click()]);
  const lines = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(3);
  await page.reload();
  await show(page, 'Can you tell?');
  await tab.getByLabel('Test').selectOption('One freeze');
  await tab.getByRole('button', { name: 'Go on' }).click();
  await expect(trial.getByRole('status')).toContainText('Trial 3 of 40', { timeout: 60_000 });
});

test('nothing on the page says what X is @apart', async ({ page }) => {
  await open(page, 'grid=5&scene=roll&at=60');
  await show(page, 'Can you tell?');
  // The address follows a little later.
  await expect(page).toHaveURL(/show=tell/);
  await page.locator('lab-blind-test').getByLabel('Test').selectOption('One freeze');
  await page.locator('lab-blind-test').getByRole('button', { name: 'Begin', exact: true }).click();
  const seen: string[] = [];
  for (const name of ['A', 'B', 'X']) {
    const button = page.getByRole('button', { name: `Show ${name}` });
    await expect(button).toBeEnabled({ timeout: 60_000 });
    await button.click();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await expect(page.locator('lab-trial canvas')).not.toHaveClass('blank');
    seen.push(await page.evaluate(pageText));
    await expect(button).toHaveAttribute('aria-pressed', 'false', { timeout: 60_000 });
  }
  // But for the button that is pressed, and the answers that X makes possible.
  expect(seen[1]).toBe(seen[0]);
  expect(seen[2]).toBe(seen[0]);
});

/** All that the page and its address tell, without the state of the test's own buttons. */
function pageText(): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const button of copy.querySelectorAll('lab-trial button')) button.remove();
  return JSON.stringify([document.title, location.href, copy.querySelector('#tell')?.outerHTML, Object.entries(localStorage)]);
}

test('a picture begins blank, not with the end of the one before @apart', async ({ page }) => {
  await open(page, 'grid=5&scene=roll&at=60');
  await show(page, 'Can you tell?');
  await page.locator('lab-blind-test').getByLabel('Test').selectOption('One freeze');
  await page.locator('lab-blind-test').getByRole('button', { name: 'Begin', exact: true }).click();
  const button = page.getByRole('button', { name: 'Show A' });
  await expect(button).toBeEnabled({ timeout: 60_000 });
  // Before the press is drawn no frame of the display has come, so what the canvas has is old.
  const isBlank = await page.evaluate(async () => {
    const trial = document.querySelector('lab-trial') as HTMLElement & { updateComplete: Promise<boolean> };
    trial.querySelector<HTMLButtonElement>('.plays button')?.click();
    await trial.updateComplete;
    return trial.querySelector('canvas')?.classList.contains('blank');
  });
  expect(isBlank).toBe(true);
  await expect(page.locator('lab-trial canvas')).not.toHaveClass('blank');
});

test('a link asks, and opens the same test @apart', async ({ page }) => {
  await open(page, 'grid=5&show=tell&tell=rate~19~17~29~12~24~31~40');
  const tab = page.locator('lab-blind-test');
  await expect(tab).toContainText('“I cannot tell 24 packets a second from 60.” Can you?');
  await expect(tab.getByLabel('Test')).toHaveValue('rate');
  await tab.getByRole('button', { name: 'Leave it' }).click();
  await expect(tab).not.toContainText('Can you?');
});

/** The file of forty answers of an eye with a threshold near 15 packets a second: of ten answers at each level so many are right. */
function answersOfRates(): string {
  const rows = (
    [
      [8, 10],
      [12, 9],
      [17, 7],
      [24, 5],
    ] as const
  ).flatMap(([level, right]) => Array.from({ length: 10 }, (_, trial) => `rate,${level},a,${trial < right ? 'a' : 'b'},4000,0`));
  return ['test,level,x,answer,time_ms,drops', ...rows].join('\n');
}

test('a verdict quotes the threshold of the visitor’s own eyes, and what it saves @apart', async ({ page }) => {
  await page.addInitScript((file) => localStorage.setItem('tell-rate', file), answersOfRates());
  await open(page, 'grid=5&at=60');
  await show(page, 'Can you tell?');
  await expect(page.locator('lab-blind-test .found li')).toContainText(
    /You tell \d+ packets a second from 60, and not \d+: your threshold is \d+ \(\d+ to \d+\)/,
  );
  await page.getByRole('button', { name: 'Your game' }).click();
  await page.getByRole('button', { name: 'Judge this motion' }).click();
  const quote = page.locator('lab-verdict .own-eyes');
  await expect(quote).toContainText(/^\s*Your own eyes: at \d+ a second\. By 40 answers you cannot tell \d+ from 60\./, { timeout: 120_000 });
  const text = (await quote.textContent()) ?? '';
  const [rate, least] = [/at (\d+) a second/, /tell (\d+) from/].map((pattern) => Number(pattern.exec(text)?.[1]));
  expect(rate).toBeGreaterThanOrEqual(least ?? Number.POSITIVE_INFINITY);
  const [few, many] = [...text.matchAll(/([\d.]+) kbit/g)].map(([, kbps]) => Number(kbps));
  const saved = Number(/: (\d+) % less/.exec(text)?.[1]);
  expect(Math.abs(saved - 100 * (1 - (few ?? 0) / (many ?? 1)))).toBeLessThan(1);
});
