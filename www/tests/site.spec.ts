// The site around the page: kept for when there is no network, installed, previewed, and the documents that are part of it.

import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { site } from '../build/site.ts';
import { expect, open, settled, test, violations } from './page';

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
});

test('a new version is kept beside the one before, which goes on serving pages that run', async () => {
  const stores = new Map<string, Map<string, string>>();
  const listeners = new Map<string, (event: unknown) => void>();
  const open = (name: string) => {
    const store = stores.get(name) ?? new Map<string, string>();
    stores.set(name, store);
    return {
      addAll: async (all: { url: string }[]) => all.forEach(({ url }) => store.set(url, `${url} of ${name}`)),
      match: async ({ url }: { url: string }) => store.get(url),
    };
  };
  const start = async (version: string, files: string[]): Promise<void> => {
    runInNewContext(readFileSync('www/build/sw.js', 'utf8'), {
      VERSION: version,
      FILES: files,
      self: {
        addEventListener: (kind: string, hear: (event: unknown) => void) => listeners.set(kind, hear),
        skipWaiting: async () => {},
        registration: { scope: '' },
      },
      Request: class {
        constructor(readonly url: string) {}
      },
      caches: {
        open: async (name: string) => open(name),
        keys: async () => [...stores.keys()],
        delete: async (name: string) => stores.delete(name),
        match: async ({ url }: { url: string }) => [...stores.values()].find((store) => store.has(url))?.get(url),
      },
      fetch: async ({ url }: { url: string }) => `${url} of the network`,
    });
    for (const kind of ['install', 'activate']) {
      let done: unknown;
      listeners.get(kind)?.({ waitUntil: (promise: unknown) => (done = promise) });
      await done;
    }
  };
  const get = async (url: string): Promise<unknown> => {
    let answer: unknown;
    listeners.get('fetch')?.({ request: { method: 'GET', url }, respondWith: (promise: unknown) => (answer = promise) });
    return answer;
  };
  await start('1', ['page', 'old.js']);
  await start('2', ['page', 'new.js']);
  expect(await Promise.all(['page', 'new.js', 'old.js', 'other'].map(get))).toEqual([
    'page of snapshot-lab-2',
    'new.js of snapshot-lab-2',
    'old.js of snapshot-lab-1',
    'other of the network',
  ]);
  await start('3', ['page']);
  expect([...stores.keys()]).toEqual(['snapshot-lab-2', 'snapshot-lab-3']);
});

test('what launchers and previews are told is there', async ({ page, request }) => {
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

test('where the site will be is said where it is known, and left out where not', async () => {
  interface Tag {
    attrs: Record<string, string>;
  }
  const built = (url?: string) => {
    const files = new Map<string, string>();
    const { generateBundle, transformIndexHtml } = site(url) as unknown as {
      generateBundle: { handler: (this: unknown, options: unknown, bundle: unknown) => void };
      transformIndexHtml: (html: string, page: { filename: string }) => { html: string; tags: Tag[] };
    };
    const emitFile = ({ fileName, source }: { fileName: string; source: string }) => files.set(fileName, source);
    generateBundle.handler.call({ emitFile }, {}, { 'assets/a-1.js': { code: 'a' } });
    const { html, tags } = transformIndexHtml('<a href="./#step=cut">', { filename: '/x/index.html' });
    const image = tags.find(({ attrs }) => attrs['property'] === 'og:image');
    return { files, html, image: image?.attrs['content'] };
  };
  const known = built('https://example.org/lab/');
  expect(known.image).toBe('https://example.org/lab/preview.png');
  // On paper a link has its whole address.
  expect(known.html).toBe('<a href="./#step=cut" data-address="https://example.org/lab/#step=cut">');
  expect(known.files.get('robots.txt')).toContain('Sitemap: https://example.org/lab/sitemap.xml');
  expect(known.files.get('sitemap.xml')).toContain('<loc>https://example.org/lab/</loc>');
  expect(known.files.get('sitemap.xml')).toContain('<loc>https://example.org/lab/numbers.html</loc>');
  expect(known.files.get('sw.js')).toContain('"assets/a-1.js"');
  const unknown = built();
  expect(unknown.image).toBe('./preview.png');
  expect(unknown.html).toBe('<a href="./#step=cut">');
  expect([...unknown.files.keys()].filter((name) => /sitemap|robots/.test(name))).toEqual([]);
});

for (const [name, heading] of [
  ['format', 'Snapshot packets, version 1'],
  ['numbers', 'The articles’ numbers, measured'],
] as const) {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    test.describe(`${name}, ${width} px, ${colorScheme}`, () => {
      test.use({ viewport: { width, height: 844 }, colorScheme });

      test('reads well: axe finds nothing, and nothing is wider than the screen', async ({ page }) => {
        await page.goto(`./${name}.html`);
        await expect(page.getByRole('heading', { name: heading })).toBeVisible();
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      });
    });
  }
}

test('a field’s rule leads to the section that has it', async ({ page, context }) => {
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
