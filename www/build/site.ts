// What makes the built page a site: its documents, what launchers and social networks are told of it, and the worker that keeps it.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { promises, rendered, section } from './documents.ts';

const NAME = 'Snapshot Lab';
const TITLE = 'Snapshot Lab: what a network makes of 901 cubes';
const DESCRIPTION = 'Drive a cube through 900 others and see what a network makes of it: every packet, every bit, every trade-off.';
const ICON_SIDES = [180, 192, 512] as const;
const FOLDER = 'www/pages';
/** Pages of the site, by their addresses. All but the first are files of `www/pages`. */
export const PAGES: readonly string[] = ['index.html', ...readdirSync(FOLDER).sort()];

/** Serves and builds the files of `www/pages` as pages beside `index.html`. */
export const pages: Plugin = {
  name: 'pages',
  enforce: 'pre',
  configureServer(server) {
    server.middlewares.use((request, _, next) => {
      const address = /^\/(\w+\.html)/.exec(request.url ?? '')?.[1];
      if (address !== undefined && PAGES.indexOf(address) > 0) request.url = `/${FOLDER}${request.url}`;
      next();
    });
  },
  resolveId: (id) => (PAGES.indexOf(id) > 0 ? resolve(id) : undefined),
  load: (id) => (PAGES.indexOf(basename(id)) > 0 && dirname(id) === resolve() ? readFileSync(join(FOLDER, basename(id)), 'utf8') : undefined),
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
          const path = `${crate}/src/tests/promises.rs`;
          const [README = '', FORMAT = ''] = ['README.md', 'FORMAT.md'].map((name) => readFileSync(`${crate}/${name}`, 'utf8'));
          return rendered(path, (text) => promises(text, { README, FORMAT }, `${repository()}/blob/main/${path}`));
        });
      // Each document counts its tables from 1.
      return whole.replaceAll(/aria-label="Table \d+"/g, () => `aria-label="Table ${(tables += 1)}"`);
    },
  },
};

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
      tags: [
        ...tags(url, filename.slice(filename.lastIndexOf('/') + 1)),
        // Scripts come beside the simulation, not after it.
        ...Object.values(bundle).flatMap((file) =>
          filename.endsWith('index.html') && file.type === 'chunk' && ['app', 'lab'].includes(file.name)
            ? [{ tag: 'link', attrs: { rel: 'modulepreload', href: `./${file.fileName}`, crossorigin: true }, injectTo: 'head' as const }]
            : [],
        ),
      ],
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
          if (/^(assets|docs)\/|\.html$/.test(name)) kept.set(name, 'code' in file ? file.code : file.source);
        }
        kept.set('./', kept.get('index.html') ?? '');
        emit('sw.js', worker(kept));
        emit('preview.png', readFileSync('docs/screenshot.png'));
        if (url === undefined) return;
        emit('sitemap.xml', sitemap(url));
        emit('robots.txt', `User-agent: *\nAllow: /\nSitemap: ${url}sitemap.xml\n`);
      },
    },
  };
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

function tags(url: string | undefined, page: string): HtmlTagDescriptor[] {
  const link = (rel: string, href: string): HtmlTagDescriptor => ({ tag: 'link', attrs: { rel, href }, injectTo: 'head' });
  const meta = (property: string, content: string): HtmlTagDescriptor => ({ tag: 'meta', attrs: { property, content }, injectTo: 'head' });
  const all = [link('manifest', './manifest.webmanifest'), link('apple-touch-icon', './icon-180.png')];
  if (page !== 'index.html') return all;
  all.push(meta('og:type', 'website'), meta('og:title', TITLE), meta('og:description', DESCRIPTION), meta('og:image', `${url ?? './'}preview.png`));
  all.push({ tag: 'meta', attrs: { name: 'twitter:card', content: 'summary_large_image' }, injectTo: 'head' });
  if (url !== undefined) all.push(meta('og:url', url), link('canonical', url));
  return all;
}

/** Media types of the kept files, by extension. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
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
      const type = TYPES[name === './' ? 'html' : name.slice(name.lastIndexOf('.') + 1)];
      if (type === undefined) throw new Error(`no media type is known of ${name}`);
      return [name, [createHash('sha256').update(content).digest('base64'), type]];
    }),
  );
  const listed = JSON.stringify(files);
  const version = createHash('sha256').update(source).update(listed).digest('hex').slice(0, 16);
  return `const VERSION = ${JSON.stringify(version)};\nconst FILES = ${listed};\n${source}`;
}

function sitemap(url: string): string {
  const places = PAGES.map((page) => `  <url><loc>${url}${page === 'index.html' ? '' : page}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${places.join('\n')}\n</urlset>\n`;
}
