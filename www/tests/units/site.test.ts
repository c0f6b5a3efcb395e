// The worker that keeps the site for when there is no network, and what the site's build says of its address.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { site } from '../../build/site';

test('a new version is kept beside the one before, which goes on serving pages that run', async () => {
  const stores = new Map<string, Map<string, string>>();
  const listeners = new Map<string, (event: unknown) => void>();
  const open = (name: string) => {
    const store = stores.get(name) ?? new Map<string, string>();
    stores.set(name, store);
    return {
      addAll: async (all: { url: string }[]) => {
        if (all.some(({ url }) => url === 'gone.js')) throw new TypeError('Failed to fetch');
        for (const { url } of all) store.set(url, `${url} of ${name}`);
      },
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
  assert.deepEqual(await Promise.all(['page', 'new.js', 'old.js', 'other'].map(get)), [
    'page of snapshot-lab-2',
    'new.js of snapshot-lab-2',
    'old.js of snapshot-lab-1',
    'other of the network',
  ]);
  // An update that fails leaves all as it was.
  const inForce = [...listeners];
  await assert.rejects(start('2a', ['page', 'gone.js']));
  for (const [kind, hear] of inForce) listeners.set(kind, hear);
  assert.deepEqual([...stores.keys()], ['snapshot-lab-1', 'snapshot-lab-2']);
  assert.equal(await get('old.js'), 'old.js of snapshot-lab-1');
  await start('3', ['page']);
  assert.deepEqual([...stores.keys()], ['snapshot-lab-2', 'snapshot-lab-3']);
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
  assert.equal(known.image, 'https://example.org/lab/preview.png');
  // On paper a link has its whole address.
  assert.equal(known.html, '<a href="./#step=cut" data-address="https://example.org/lab/#step=cut">');
  assert.ok(known.files.get('robots.txt')?.includes('Sitemap: https://example.org/lab/sitemap.xml'));
  assert.ok(known.files.get('sitemap.xml')?.includes('<loc>https://example.org/lab/</loc>'));
  assert.ok(known.files.get('sitemap.xml')?.includes('<loc>https://example.org/lab/numbers.html</loc>'));
  assert.ok(known.files.get('sw.js')?.includes('"assets/a-1.js"'));
  const unknown = built();
  assert.equal(unknown.image, './preview.png');
  assert.equal(unknown.html, '<a href="./#step=cut">');
  assert.deepEqual(
    [...unknown.files.keys()].filter((name) => /sitemap|robots/.test(name)),
    [],
  );
});
