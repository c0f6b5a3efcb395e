// What makes the built page a site: its documents, what launchers and social networks are told of it, and the worker that keeps it.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';
import { promises, rendered, section } from './documents.ts';

const NAME = 'Snapshot Lab';
const DESCRIPTION = 'Drive a cube through 900 others and see what a network makes of it: every packet, every bit, every trade-off.';
const ICON_SIDES = [180, 192, 512] as const;
/** Files of the pages but the first, by their addresses from the site's folder. */
const FILES: ReadonlyMap<string, string> = new Map(
  [
    ['www/pages', ''],
    ['www/article', 'article/'],
  ].flatMap(([from = '', to = '']) =>
    readdirSync(from)
      .filter((name) => name.endsWith('.html'))
      .sort()
      .map((name): [string, string] => [`${to}${name}`, `${from}/${name}`]),
  ),
);
/** Pages of the site, by their addresses. */
export const PAGES: readonly string[] = ['index.html', ...FILES.keys()];
/** A page's address from the site's folder, by the path of its file in the project's folder. */
const addressOf = (id: string): string => relative(resolve(), id).replaceAll('\\', '/');

/** Serves and builds the files of `www/pages` as pages beside `index.html`, and those of `www/article` as a folder. */
export const pages: Plugin = {
  name: 'pages',
  enforce: 'pre',
  configureServer(server) {
    server.middlewares.use((request, _, next) => {
      const address = /^\/((?:article\/)?(?:\w+\.html)?)/.exec(request.url ?? '')?.[1];
      const file = FILES.get(address === 'article/' ? 'article/index.html' : (address ?? ''));
      if (file !== undefined) request.url = `/${file}`;
      next();
    });
  },
  resolveId: (id) => (FILES.has(id) ? resolve(id) : undefined),
  load: (id) => {
    const file = FILES.get(addressOf(id));
    return file === undefined ? undefined : readFileSync(file, 'utf8');
  },
};

/** Puts `<!-- document: PATH -->` of the project into a page, as HTML, or the section `PATH#ANCHOR`, and the promises of a test. */
export const documents: Plugin = {
  name: 'documents',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => {
      let tables = 0;
      const whole = html
        .replaceAll('<!-- repository -->', repository())
        .replaceAll(/<!-- document: ([^\s#]+)(?:#(\S+))? -->/g, (_, path: string, name?: string) =>
          rendered(path, name === undefined ? undefined : (text) => section(text, name)),
        )
        .replaceAll(/<!-- promises: (\S+) -->/g, (_, crate: string) => {
          const texts = ['README.md', 'FORMAT.md'].map((name) => readFileSync(`${crate}/${name}`, 'utf8'));
          return rendered(`${crate}/src/tests/promises.rs`, () => promises(testsOf(crate), texts, `${repository()}/blob/main`));
        });
      // Each document counts its tables from 1.
      return whole.replaceAll(/aria-label="Table \d+"/g, () => `aria-label="Table ${(tables += 1)}"`);
    },
  },
};

/** Sources of a crate's tests and of the playout's, by path; that of the promises comes first. */
export function testsOf(crate: string): ReadonlyMap<string, string> {
  const all = readdirSync(`${crate}/src/tests`).map((name) => `${crate}/src/tests/${name}`);
  const first = `${crate}/src/tests/promises.rs`;
  return new Map([first, ...all, `${crate}/src/tests.rs`, 'crate/view/src/playout/cases.rs'].map((path) => [path, readFileSync(path, 'utf8')]));
}

/** The address of the project's sources, as Cargo.toml has it. */
function repository(): string {
  return /^repository = "(.*)"$/m.exec(readFileSync('Cargo.toml', 'utf8'))?.[1] ?? '';
}

/** Gives each link into the page its whole address, for paper. Documents run no script that could read it there. */
function withAddresses(html: string, url: string | undefined): string {
  return url === undefined ? html : html.replaceAll(/href="\.\/(#[^"]*)"/g, (link, fragment: string) => `${link} data-address="${url}${fragment}"`);
}

/**
 * Icons, the manifest, the preview, the sitemap and the worker. Only the builder knows the site's address. With `SITE_URL`
 * addresses are whole, as social networks and search engines want them; without it they are left out or relative.
 */
export function site(url = siteUrl()): Plugin {
  return {
    name: 'site',
    apply: 'build',
    transformIndexHtml: (html, { filename, bundle = {} }) => ({
      html: withAddresses(html, url),
      tags: [...tags(url, addressOf(filename), html), ...preloads(addressOf(filename), Object.values(bundle))],
    }),
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const emit = (fileName: string, source: string | Buffer): void => void this.emitFile({ type: 'asset', fileName, source });
        const kept = new Map<string, string | Uint8Array>();
        const keep = (fileName: string, source: string | Buffer): void => {
          emit(fileName, source);
          kept.set(fileName, source);
        };
        keep('icon.svg', readFileSync('www/icon.svg', 'utf8'));
        for (const side of ICON_SIDES) keep(`icon-${side}.png`, readFileSync(`www/icons/icon-${side}.png`));
        keep('manifest.webmanifest', JSON.stringify(manifest, null, 2));
        for (const [name, file] of Object.entries(bundle)) {
          // A still stands where figures cannot run, and is not worth keeping for each visitor.
          if (/^(assets|docs)\/|\.html$|^article\//.test(name) && !name.endsWith('.webp')) kept.set(name, 'code' in file ? file.code : file.source);
        }
        kept.set('./', kept.get('index.html') ?? '');
        kept.set('article/', kept.get('article/index.html') ?? '');
        emit('sw.js', worker(kept));
        emit('preview.png', readFileSync('docs/screenshot.png'));
        emit('article/preview.png', readFileSync('www/article/preview.png'));
        if (url === undefined) return;
        emit('sitemap.xml', sitemap(url));
        emit('robots.txt', `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n`);
      },
    },
  };
}

/** Parts that a page needs at once, and that it would ask for only later: its own scripts ask for them. */
function preloads(page: string, bundle: readonly (Rolldown.OutputAsset | Rolldown.OutputChunk)[]): HtmlTagDescriptor[] {
  const chunks = bundle.filter((file) => file.type === 'chunk');
  // Scripts come beside the simulation, not after it, and with them what they import.
  const withImports = (names: readonly string[]): ReadonlySet<string> => {
    const all = new Set(names);
    for (const name of all) for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) all.add(imported);
    return all;
  };
  const atOnce = withImports(chunks.filter(({ name }) => name === 'app' || name === 'lab').map(({ fileName }) => fileName));
  // Vite names what the page's own script imports.
  const known = withImports(chunks.filter(({ isEntry, name }) => isEntry && name === 'index').map(({ fileName }) => fileName));
  const tag = (rel: string, attrs: Record<string, string | boolean>): HtmlTagDescriptor => ({ tag: 'link', attrs: { rel, ...attrs }, injectTo: 'head' });
  return bundle.flatMap((file) => {
    const names = file.type === 'chunk' ? [file.name] : file.names;
    const is = (wanted: readonly string[]): boolean => names.some((name) => wanted.includes(name));
    if (page === 'index.html' && atOnce.has(file.fileName) && !known.has(file.fileName))
      return [tag('modulepreload', { href: `./${file.fileName}`, crossorigin: true })];
    const wasm = page === 'index.html' ? ['./', 'snapshot_web_bg.wasm'] : page === 'article/index.html' ? ['../', 'snapshot_article_bg.wasm'] : undefined;
    if (wasm !== undefined && file.type === 'asset' && is(wasm))
      return [tag('preload', { href: `${wasm[0]}${file.fileName}`, as: 'fetch', crossorigin: true })];
    return [];
  });
}

function siteUrl(): string | undefined {
  const given = process.env['SITE_URL'];
  if (given === undefined || given === '') return undefined;
  const url = new URL(given.endsWith('/') ? given : `${given}/`);
  if (!/^https?:$/.test(url.protocol)) throw new Error(`SITE_URL is no address of a site: ${given}`);
  return url.href;
}

const manifest = {
  name: NAME,
  short_name: NAME,
  description: DESCRIPTION,
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#ffffff',
  icons: [
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ...ICON_SIDES.filter((side) => side !== 180).map((side) => ({
      src: `icon-${side}.png`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose: 'any maskable',
    })),
  ],
};

/** Tags of launchers on each page, and of previews where a page has a picture for them. */
function tags(url: string | undefined, page: string, html: string): HtmlTagDescriptor[] {
  const up = page.includes('/') ? '../' : './';
  const link = (rel: string, href: string): HtmlTagDescriptor => ({ tag: 'link', attrs: { rel, href }, injectTo: 'head' });
  const meta = (property: string, content: string): HtmlTagDescriptor => ({ tag: 'meta', attrs: { property, content }, injectTo: 'head' });
  const all = [link('manifest', `${up}manifest.webmanifest`), link('apple-touch-icon', `${up}icon-180.png`)];
  const found = /^(article\/)?index\.html$/.exec(page);
  if (found === null) return all;
  const folder = found[1] ?? '';
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  const [, description = ''] = /name="description"\s+content="([^"]*)"/.exec(html) ?? [];
  all.push(meta('og:type', folder === '' ? 'website' : 'article'), meta('og:title', title), meta('og:description', description));
  all.push(meta('og:image', `${url ?? up}${folder}preview.png`));
  all.push({ tag: 'meta', attrs: { name: 'twitter:card', content: 'summary_large_image' }, injectTo: 'head' });
  if (url !== undefined) all.push(meta('og:url', `${url}${folder}`), link('canonical', `${url}${folder}`));
  return all;
}

/** Media types of the kept files, by extension. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  motion: 'application/octet-stream',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
};

/** Writes the worker, with the hash and the media type of each file. */
function worker(kept: ReadonlyMap<string, string | Uint8Array>): string {
  const source = readFileSync('www/build/sw.js', 'utf8');
  const files = Object.fromEntries(
    [...kept].map(([name, content]) => {
      const type = TYPES[name.endsWith('/') ? 'html' : name.slice(name.lastIndexOf('.') + 1)];
      if (type === undefined) throw new Error(`no media type is known of ${name}`);
      return [name, [createHash('sha256').update(content).digest('base64'), type]];
    }),
  );
  const listed = JSON.stringify(files);
  const version = createHash('sha256').update(source).update(listed).digest('hex').slice(0, 16);
  return `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${listed};\n${source}`;
}

function sitemap(url: string): string {
  const places = PAGES.map((page) => `  <url><loc>${url}${page.replace(/index\.html$/, '')}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${places.join('\n')}\n</urlset>\n`;
}
