// The page as a whole: its policy, what assistive technology finds, how it fails.

import { expect, menu, open, show, test, violations } from './page';

test.describe('what is refused', () => {
  test.use({ expectedError: /TrustedHTML/ });

  test('the built page is under a strict policy @apart', async ({ page }) => {
    await open(page, 'grid=5');
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
    for (const part of ["default-src 'none'", "style-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'"]) {
      expect(policy).toContain(part);
    }
    const refused = await page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<b>text</b>';
        return false;
      } catch (error) {
        return error instanceof TypeError;
      }
    });
    expect(refused).toBe(true);
  });
});

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

    test('axe finds nothing in notices and help, and nothing is wider than the screen @apart', async ({ page }) => {
      await open(page, 'grid=5&loss=20&nonsense=1');
      await expect(page.getByText('There is no setting "nonsense"')).toBeVisible();
      expect(await violations(page, 'lab-notices')).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await menu(page, 'Help');
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await violations(page, 'dialog')).toEqual([]);
    });
  });
}

test('the theme can be chosen, and the views follow @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await menu(page, 'Dark');
  await expect(page.locator('.screen canvas')).toHaveCSS('background-color', 'rgb(15, 17, 21)');
});

test('what does not read the instant is not rendered while time goes on, and what reads it is @apart', async ({ page }) => {
  await open(page, 'grid=5&show=bits');
  const rendered = await page.evaluate(async () => {
    const counts: Record<string, number> = {};
    const names = ['lab-controls', 'lab-presets', 'lab-lanes', 'lab-tabs', 'lab-toolbar', 'lab-notices', 'lab-export', 'lab-breakdown', 'lab-ladder'];
    const elements = await Promise.all(names.map((name) => customElements.whenDefined(name)));
    // What comes with the last of them is rendered once.
    await Promise.all([...document.querySelectorAll(names.join())].map((element) => (element as unknown as { updateComplete: unknown }).updateComplete));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const [at, name] of names.entries()) {
      const element = elements[at]?.prototype as unknown as { render: () => unknown };
      const { render } = element;
      counts[name] = 0;
      element.render = function (this: unknown) {
        counts[name] = (counts[name] ?? 0) + 1;
        return render.call(this);
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return counts;
  });
  const { 'lab-breakdown': ofInstant = 0, ...others } = rendered;
  expect(ofInstant).toBeGreaterThan(3);
  // The last one is hidden.
  expect(Object.values(others)).toEqual(Object.keys(others).map(() => 0));
});

test('charts draw the goal and what was sent @apart', async ({ page }) => {
  await open(page, 'grid=5&hz=60&codec=uncompressed');
  const chart = page.locator('#figure-bits lab-chart');
  await chart.scrollIntoViewIfNeeded();
  await expect(chart.getByRole('slider', { name: 'Bandwidth of the last 30 seconds' })).toHaveAttribute('aria-valuetext', /now \d/);
  const colours = () =>
    chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      let [dashes, ink] = [0, 0];
      for (let i = 0; i < data.length; i += 4) {
        const [r = 0, g = 0, b = 0, a = 0] = [data[i], data[i + 1], data[i + 2], data[i + 3]];
        if (a > 200 && r > 140 && g < 90 && b < 40) dashes += 1;
        if (a > 200 && r < 50 && b < 60) ink += 1;
      }
      return Math.min(dashes, ink);
    });
  await expect.poll(colours).toBeGreaterThan(20);
});

for (const language of ['C', 'en-US@posix']) {
  test(`the language ${language}, which Intl does not know, does not matter, and charts are loaded when one is looked at @apart`, async ({ page }) => {
    await page.addInitScript((language) => Object.defineProperty(Navigator.prototype, 'language', { get: () => language }), language);
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(request.url()));
    await page.addInitScript(() => localStorage.setItem('desk', ''));
    await open(page, 'grid=5&hz=60');
    expect(loaded.filter((url) => /uplot.*\.js/i.test(url))).toEqual([]);
    await page.getByRole('button', { name: 'Your game' }).click();
    await show(page, 'Bits');
    await expect(page.locator('lab-chart canvas').first()).toBeVisible();
    expect(loaded.filter((url) => /uplot.*\.js/i.test(url))).toHaveLength(1);
    expect(await page.evaluate(() => navigator.language)).toBe(language);
  });
}

// What the browser throws, in words: units/words.test.ts.
test('memory that is not there ends in a sentence and a link @apart', async ({ page }) => {
  // Thrown after the warm-up and some ticks. An allocation that fails ends in a trap without a panic.
  await page.addInitScript(() => {
    const original = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = async (...all) => {
      const { module, instance } = await original(...all);
      const tick = instance.exports['page_tick'] as (...all: unknown[]) => unknown;
      let ticks = 0;
      const trap = (...some: unknown[]): unknown => {
        ticks += 1;
        if (ticks > 60) throw new WebAssembly.RuntimeError('unreachable');
        return tick(...some);
      };
      return { module, instance: { exports: { ...instance.exports, page_tick: trap } } };
    };
  });
  await open(page, 'grid=5&seed=9');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(/has stopped at tick \d+: /);
  await expect(alert).toContainText('The browser has no memory left for this page');
  await expect(alert.getByRole('link')).toHaveAttribute('href', /#v=2&seed=9&grid=5$/);
});

test.describe('without WebAssembly', () => {
  test.use({ expectedError: /WebAssembly/ });

  test('the page says that it cannot start @apart', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'));
    await page.goto('./');
    await expect(page.getByRole('alert')).toContainText('could not start');
  });
});
