// The site around the page: kept for when there is no network, installed, previewed, and the documents that are part of it.

import { PAGES } from '../build/site';
import { expect, open, settled, test, violations } from './page';

test.use({ views: 'none' });

test.describe('kept', () => {
  test.use({ serviceWorkers: 'allow' });

  test('after the first visit the site opens without a network, all of it', async ({ page, context }) => {
    await open(page, 'grid=8&at=60');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await settled(page);
    await expect(page.locator('.clock')).toHaveText('1.00 s');
    await page.goto('./format.html');
    await expect(page.getByRole('heading', { name: 'Snapshot packets, version 1' })).toBeVisible();
    await page.goto('./?from=elsewhere#grid=8&at=30');
    await page.waitForSelector('html[data-ready]');
    await context.setOffline(false);
  });

  test.describe('and written into by a page, or damaged', () => {
    // What loads when there is time may not be mended yet when the network goes.
    test.use({ expectedError: /404|ERR_FAILED|dynamically imported/ });

    test('no foreign byte is served, and the first visit with a network mends it @apart', async ({ page, context }) => {
      await open(page, 'grid=8&at=60');
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.evaluate(async () => {
        const own = () => new Response('<title>owned</title><script>window.owned = 1</script>', { headers: { 'Content-Type': 'text/html' } });
        for (const name of [...(await caches.keys()), 'snapshot-lab-0', '0']) {
          const cache = await caches.open(name);
          for (const file of ['./', './index.html', './evil.html']) await cache.put(file, own());
          for (const { url } of await cache.keys()) {
            if (url.endsWith('.wasm')) await cache.delete(url);
            if (url.endsWith('.js')) await cache.put(url, new Response('let cut = ', { headers: { 'Content-Type': 'text/javascript' } }));
          }
        }
      });
      for (const offline of [false, true]) {
        await context.setOffline(offline);
        await page.goto('about:blank');
        await page.goto('./#grid=8&at=60');
        await page.waitForSelector('html[data-ready]');
        await expect(page.locator('.clock')).toHaveText('1.00 s');
        expect(await page.evaluate(() => [navigator.serviceWorker.controller !== null, 'owned' in window])).toEqual([true, false]);
      }
      await context.setOffline(false);
      expect(await page.evaluate(() => fetch('./evil.html').then(({ status }) => status))).toBe(404);
    });
  });

  test.describe('and broken', () => {
    test.use({ expectedError: /./ });

    test('a damaged page without a network says which press mends it, and the press does @apart', async ({ page, context }) => {
      await open(page, 'grid=8');
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.evaluate(async () => {
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys()) await (await caches.open(name)).put(url, new Response(''));
      });
      await page.goto('about:blank');
      await context.setOffline(true);
      const answer = await page.goto('./#grid=8');
      expect(answer?.status()).toBe(503);
      await expect(page.getByRole('alert')).toContainText('Connect, then press Reload');
      await context.setOffline(false);
      await page.reload();
      await page.waitForSelector('html[data-ready]');
    });

    test('a start that fails forgets the kept site and tries again, once, and keeps it without a network @apart', async ({ page, context }) => {
      await open(page, 'grid=8');
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.evaluate(() => caches.open('another program'));
      await page.addInitScript(() => {
        const times = Number(localStorage.getItem('fails') ?? 2);
        if (location.protocol === 'about:' || times === 0) return;
        localStorage.setItem('fails', String(times - 1));
        const fails = () => Promise.reject(new WebAssembly.CompileError('a part is damaged'));
        Object.assign(WebAssembly, { instantiateStreaming: fails, instantiate: fails });
      });
      await context.setOffline(true);
      await page.reload();
      await expect(page.getByRole('alert')).toContainText(/could not start: .*The browser keeps a copy of this page, and there is no network/);
      expect(await page.evaluate(() => caches.keys())).toHaveLength(2);
      await context.setOffline(false);
      await page.reload();
      // It fails, forgets, and starts.
      await page.waitForSelector('html[data-ready]');
      expect(await page.evaluate(() => [sessionStorage.getItem('site-forgotten'), localStorage.getItem('fails')])).toEqual(['', '0']);
      expect(await page.evaluate(() => caches.keys())).toContain('another program');
      // Once a tab.
      await page.evaluate(() => localStorage.setItem('fails', '1'));
      await page.reload();
      await expect(page.getByRole('alert')).toContainText('could not start: ');
    });
  });
});

test('what launchers and previews are told is there @apart', async ({ page, request }) => {
  await open(page, 'grid=5');
  const address = async (selector: string, attribute: string) => (await page.locator(selector).getAttribute(attribute)) ?? '';
  const manifest = (await (await request.get(await address('link[rel=manifest]', 'href'))).json()) as {
    start_url: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest.start_url).toBe('./');
  const icons = [...manifest.icons.filter(({ src }) => src.endsWith('.png')), { src: await address('link[rel=apple-touch-icon]', 'href'), sizes: '180x180' }];
  expect(icons).toHaveLength(3);
  for (const { src, sizes } of icons) {
    const png = await (await request.get(src)).body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    // The browser can read it: red in the middle of the left half.
    const pixel = await page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(image, image.width * 0.36, image.height / 2, 1, 1, 0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    }, src);
    expect(pixel).toEqual([230, 0, 0, 255]);
  }
  expect(await address('meta[property="og:title"]', 'content')).toContain('Snapshot Lab');
  expect((await request.get(await address('meta[property="og:image"]', 'content'))).ok()).toBe(true);
});

for (const [name, heading] of [
  ['format', 'Snapshot packets, version 1'],
  ['numbers', 'The articles’ numbers, measured'],
  ['package', 'The package'],
] as const) {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    test.describe(`${name}, ${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 844 }, colorScheme });

      test('reads well: axe finds nothing, and nothing is wider than the screen @apart', async ({ page }) => {
        await page.goto(`./${name}.html`);
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      });
    });
  }
}

test('a field’s rule leads to the section that has it @apart', async ({ page, context }) => {
  for (const [link, anchor] of [
    ['hz=60&at=300&show=packets&grid=8', 's3'],
    ['hz=60&at=300&show=packets&grid=8&codec=predicted', 's15'],
    ['strategy=lockstep&at=120&show=packets&grid=8', 's11'],
    ['strategy=sync&at=120&show=packets&grid=8', 'sync-2'],
  ] as const) {
    await open(page, link);
    const rule = page.locator('lab-inspector .field a');
    await expect(rule).toHaveAttribute('href', `./format.html#${anchor}`);
    const there = await context.newPage();
    await there.goto(new URL((await rule.getAttribute('href')) ?? '', page.url()).href);
    await expect(there.locator(`#${anchor}`)).toBeInViewport();
    await there.close();
  }
});

test('each page fills a small window, upright and held across @apart', async ({ page }) => {
  test.setTimeout(180_000);
  for (const name of PAGES.filter((page) => !page.startsWith('index.'))) {
    await page.goto(`./${name}`);
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [568, 320],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { left, right, scroll } = await page.evaluate(() => {
        let [left, right] = [Number.POSITIVE_INFINITY, 0];
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          const { parentElement: parent, textContent } = texts.currentNode;
          if (parent === null || textContent?.trim() === '' || !parent.checkVisibility() || parent.closest('.unseen, .skip, .wide, script, noscript') !== null)
            continue;
          const range = document.createRange();
          range.selectNodeContents(texts.currentNode);
          const box = range.getBoundingClientRect();
          if (box.width > 1) [left, right] = [Math.min(left, box.left), Math.max(right, box.right)];
        }
        return { left, right, scroll: document.documentElement.scrollWidth };
      });
      expect(scroll, `${name} at ${width}: no scrolling sideways`).toBeLessThanOrEqual(width);
      if (width < 900) expect((right - left) / width, `${name} at ${width}: words from ${left} to ${right}`).toBeGreaterThan(0.85);
    }
  }
});

test('where script is off a page says so, and nothing loads for ever @apart', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL === undefined ? {} : { baseURL }) });
  const page = await context.newPage();
  for (const name of ['index', 'join']) {
    await page.goto(`./${name}.html`);
    await expect(page.locator('noscript .failure', { hasText: 'JavaScript is off' })).toBeVisible();
    await expect(page.getByText('Loading the simulation')).toBeHidden();
  }
  await context.close();
});

test('every document has a way home, and one measure', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const widths = new Set<number>();
  for (const name of ['features', 'format', 'motion', 'numbers', 'terms', 'trace']) {
    await page.goto(`./${name}.html`);
    await expect(page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Snapshot Lab' })).toBeInViewport();
    widths.add(await page.locator('main').evaluate((main) => main.getBoundingClientRect().width));
  }
  expect([...widths]).toHaveLength(1);
});
