// The worker that keeps the site for when there is no network, and what the site's build says of its address.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { promises, section } from '../../build/documents';
import { site, testsOf } from '../../build/site';

test('the worker serves the listed bytes alone, mends what is damaged, and waits for pages of the version before', async () => {
  const scope = 'https://host/lab/';
  const stores = new Map<string, Map<string, Response>>([['snapshot-lab-1', new Map([['page', new Response('of a page')]])]]);
  const network = new Map<string, string>();
  const begun: string[] = [];
  const registration: { scope: string; waiting?: { postMessage: () => void } } = { scope };
  const start = async (version: string, files: Readonly<Record<string, string>>) => {
    const listeners = new Map<string, (event: unknown) => void>();
    const listed = Object.entries(files).map(([name, text]) => [name, [createHash('sha256').update(text).digest('base64'), 'text/plain']]);
    runInNewContext(readFileSync('www/build/sw.js', 'utf8'), {
      VERSION: version,
      FILES: Object.fromEntries(listed),
      self: {
        addEventListener: (kind: string, hear: (event: unknown) => void) => listeners.set(kind, hear),
        skipWaiting: async () => void begun.push(version),
        registration,
        clients: { matchAll: async () => [{}] },
      },
      caches: {
        open: async (name: string) => {
          const store = stores.get(name) ?? new Map<string, Response>();
          stores.set(name, store);
          return { put: async (file: string, response: Response) => store.set(file, response), match: async (file: string) => store.get(file)?.clone() };
        },
        keys: async () => [...stores.keys()],
        delete: async (name: string) => stores.delete(name),
      },
      fetch: async (asked: string | { url: string }) => {
        const text = network.get(typeof asked === 'string' ? asked : asked.url.slice(scope.length));
        if (text === undefined) throw new TypeError('Failed to fetch');
        return new Response(text);
      },
      crypto,
      Response,
      URL,
      Uint8Array,
      Reflect,
      Object,
      btoa,
    });
    const tell = async (kind: string) => {
      let done: unknown;
      listeners.get(kind)?.({ waitUntil: (promise: unknown) => (done = promise) });
      await done;
    };
    const get = async (file: string, request = {}): Promise<string | undefined> => {
      let answer: Promise<Response> | undefined;
      listeners.get('fetch')?.({ request: { method: 'GET', url: scope + file, ...request }, respondWith: (promise: Promise<Response>) => (answer = promise) });
      return answer && (await answer).text();
    };
    return { tell, get };
  };
  const cache = (version: string) => stores.get(`snapshot-lab ${scope} ${version}`);
  network.set('page', 'page 1').set('a.js', 'a');
  const first = await start('1', { page: 'page 1', 'a.js': 'a' });
  await first.tell('install');
  // Caches that were never verified are left at once, and go.
  assert.deepEqual(begun, ['1']);
  await first.tell('activate');
  assert.deepEqual([...stores.keys()], [`snapshot-lab ${scope} 1`]);
  cache('1')?.set('page', new Response('of a page')).set('foreign', new Response('of a page'));
  cache('1')?.delete('a.js');
  assert.equal(await first.get('page'), 'page 1');
  assert.equal(await first.get('a.js?from=elsewhere'), 'a');
  assert.equal(await first.get('foreign'), undefined);
  assert.equal(await first.get('page', { destination: 'iframe' }), undefined);
  // Both are mended: no network is needed.
  network.clear();
  assert.deepEqual([await first.get('page'), await first.get('a.js')], ['page 1', 'a']);
  cache('1')?.set('page', new Response('of a page'));
  await assert.rejects(first.get('page'), /Failed to fetch/);
  // A host between two versions: nothing of it is kept.
  network.set('page', 'page 1').set('b.js', 'b');
  const second = await start('2', { page: 'page 2', 'b.js': 'b' });
  await assert.rejects(second.tell('install'));
  assert.equal(cache('2'), undefined);
  network.set('page', 'page 2');
  await second.tell('install');
  assert.deepEqual(begun, ['1']);
  registration.waiting = { postMessage: () => void second.tell('message') };
  assert.equal(await first.get('a.js'), 'a');
  assert.equal(await first.get('page', { isReloadNavigation: true }), 'page 2');
  assert.deepEqual(begun, ['1', '2']);
  await second.tell('activate');
  assert.deepEqual([...stores.keys()], [`snapshot-lab ${scope} 2`]);
});

test('where the site will be is said where it is known, and left out where not', async () => {
  interface Tag {
    attrs: Record<string, string>;
  }
  const built = (url?: string, page = 'index.html') => {
    const files = new Map<string, string>();
    const { generateBundle, transformIndexHtml } = site(url) as unknown as {
      generateBundle: { handler: (this: unknown, options: unknown, bundle: unknown) => void };
      transformIndexHtml: (html: string, page: { filename: string }) => { html: string; tags: Tag[] };
    };
    const emitFile = ({ fileName, source }: { fileName: string; source: string }) => files.set(fileName, source);
    generateBundle.handler.call({ emitFile }, {}, { 'assets/a-1.js': { code: 'a' } });
    const { html, tags } = transformIndexHtml('<a href="./#hz=20">', { filename: resolve(page) });
    const image = tags.find(({ attrs }) => attrs['property'] === 'og:image');
    return { files, html, image: image?.attrs['content'] };
  };
  const known = built('https://example.org/lab/');
  assert.equal(known.image, 'https://example.org/lab/preview.png');
  assert.equal(built('https://example.org/lab/', 'article/index.html').image, 'https://example.org/lab/article/preview.png');
  // On paper a link has its whole address.
  assert.equal(known.html, '<a href="./#hz=20" data-address="https://example.org/lab/#hz=20">');
  assert.ok(known.files.get('robots.txt')?.includes('Sitemap: https://example.org/lab/sitemap.xml'));
  assert.ok(known.files.get('sitemap.xml')?.includes('<loc>https://example.org/lab/</loc>'));
  assert.ok(known.files.get('sitemap.xml')?.includes('<loc>https://example.org/lab/numbers.html</loc>'));
  assert.ok(known.files.get('sitemap.xml')?.includes('<loc>https://example.org/lab/article/</loc>'));
  assert.ok(known.files.get('sw.js')?.includes('"assets/a-1.js"'));
  const unknown = built();
  assert.equal(unknown.image, './preview.png');
  assert.equal(unknown.html, '<a href="./#hz=20">');
  assert.deepEqual(
    [...unknown.files.keys()].filter((name) => /sitemap|robots/.test(name)),
    [],
  );
});

test('a page has a section of a document, and each promise of the package with its test', () => {
  const text = '# A\n\nof A\n\n## B c\n\nof B\n\n### D\n\nof D\n\n## E\n\nof E\n';
  assert.equal(section(text, 'b-c'), '## B c\n\nof B\n\n### D\n\nof D\n');
  assert.equal(section(text, 'a').startsWith('## A\n\nof A\n\n### B c'), true);
  assert.throws(() => section(text, 'f'), /no document/);
  const [sources, documents] = [testsOf('crate/replication'), ['README.md', 'FORMAT.md'].map((name) => readFileSync(`crate/replication/${name}`, 'utf8'))];
  const rows = promises(sources, documents, 'path').split('\n').slice(2);
  assert.ok(rows.length > 40, `${rows.length} promises`);
  for (const row of rows) {
    const [, test, path, line] = /\[(\w+)\]\(path\/(.*)#L(\d+)\) \|$/.exec(row) ?? [];
    const lines = sources.get(path ?? '')?.split('\n');
    assert.ok(lines?.[Number(line) - 1]?.includes(`fn ${test}(`) && row.includes('<strong>'), row);
  }
});
