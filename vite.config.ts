import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { documents, PAGES, pages, site } from './www/build/site.ts';

// The page needs nothing from anywhere but its own folder, and says so to the browser. Only 'wasm-unsafe-eval' is more than the
// strictest policy: compiling WebAssembly counts as eval. A <meta> cannot carry frame-ancestors or sandbox.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // Of Lit, and of www/shell/trusted.ts for www/motion/file-work.ts, www/shell/offline.ts, www/tour/measuring.ts and www/wire/clock.ts.
  'trusted-types lit-html file-worker offline-worker tour-worker clock-worker',
].join('; ');

/** The script of the frame without an origin in which a person's own code runs. */
const bench = readFileSync('www/course/bench.js', 'utf8');
const benchHash = `'sha256-${createHash('sha256').update(bench).digest('base64')}'`;

/** The policy of the page with that frame. The frame inherits it, and the Worker in the frame inherits both policies. */
const workbenchPolicy = contentSecurityPolicy
  .replace("'wasm-unsafe-eval'", `'wasm-unsafe-eval' ${benchHash}`)
  .replace("worker-src 'self'", "worker-src 'self' blob:")
  .replace(/trusted-types .*$/, 'trusted-types buffer-worker');
const benchPolicy = `default-src 'none'; script-src ${benchHash}; worker-src blob:`;

/** Puts the frame into its page: a text of the page itself, so it needs no file, no network and no service worker. */
const workbench: Plugin = {
  name: 'workbench',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace('<!-- bench -->', () => {
        const inner = `<meta http-equiv="Content-Security-Policy" content="${benchPolicy}"><script>${bench}</script>`;
        const quoted = inner.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
        return `<iframe id="bench" title="Your code" hidden sandbox="allow-scripts" srcdoc="${quoted}"></iframe>`;
      }),
  },
};

const documentPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/** Puts the policy into the built page; the development server's hot reload could not live under it. */
const strictPolicy: Plugin = {
  name: 'strict-content-security-policy',
  apply: 'build',
  // The documents have no scripts, and so may run none.
  transformIndexHtml: (html, { filename }) => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: policyOf(html, filename) },
      injectTo: 'head-prepend',
    },
  ],
};

function policyOf(html: string, filename: string): string {
  if (filename.endsWith('buffer.html')) return workbenchPolicy;
  return html.includes('<script') ? contentSecurityPolicy : documentPolicy;
}

/** Puts the words of the tour into the page, where they work offline and need no trust of their own. */
const tourWords: Plugin = {
  name: 'tour-words',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace('<!-- tour: www/tour/ -->', () =>
        readdirSync('www/tour')
          .filter((name) => name.endsWith('.html'))
          .map((name) => readFileSync(`www/tour/${name}`, 'utf8').replaceAll('<section data-step', '<section hidden data-step'))
          .join(''),
      ),
  },
};

/** Puts the examples of files and the recorders into the built site, where pages and tour link to them. */
const examples: Plugin = {
  name: 'examples',
  apply: 'build',
  generateBundle() {
    const recorders = readdirSync('recorders')
      .filter((name) => name !== 'README.md')
      .map((name) => `recorders/${name}`);
    for (const fileName of ['docs/motion-example.csv', 'docs/ping-example.txt', ...recorders]) {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(fileName) });
    }
  },
};

/** Vite ends with its input, which it notices only while somebody reads it: no server outlives the `cargo xtask` that started it. */
const readInput: Plugin = {
  name: 'read-input',
  configureServer: () => void process.stdin.resume(),
};

export default defineConfig({
  // Relative addresses: the built site works from any folder of any host.
  base: './',
  appType: 'mpa',
  define: { 'import.meta.env.WASM_BYTES': statSync('pkg/snapshot_web_bg.wasm').size },
  plugins: [pages, tourWords, workbench, documents, examples, strictPolicy, site(), readInput],
  build: {
    target: 'baseline-widely-available',
    // The policy refuses data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: [...PAGES] },
  },
  worker: { format: 'es' },
  // An address rather than a name: "localhost" may mean IPv6 alone.
  server: { host: '127.0.0.1', watch: { ignored: ['**/target/**'] } },
  preview: { host: '127.0.0.1' },
});
