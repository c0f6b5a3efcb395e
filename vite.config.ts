import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { documents, PAGES, site } from './www/build/site.ts';

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
  // Of Lit, and of www/shell/trusted.ts for www/motion/file-work.ts, www/shell/offline.ts and www/tour/measuring.ts.
  'trusted-types lit-html file-worker offline-worker tour-worker',
].join('; ');

/** The policy of the page on which a person's own code runs in a Worker. The Worker inherits the policy, so the code reaches no other host. */
const workbenchPolicy = contentSecurityPolicy
  .replace("worker-src 'self'", "worker-src 'self' blob:")
  .replace(/trusted-types .*$/, 'trusted-types buffer-worker');

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
  plugins: [tourWords, documents, examples, strictPolicy, site(), readInput],
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
