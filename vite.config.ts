import { readdirSync, readFileSync, statSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { article } from './www/build/article.ts';
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
  // Of Lit, and of www/shell/trusted.ts for www/motion/file-work.ts, www/shell/offline.ts and www/wire/clock.ts.
  'trusted-types lit-html file-worker offline-worker clock-worker',
].join('; ');

/** The article runs its figures in one Worker, and has the laboratory in a frame. */
const articlePolicy = contentSecurityPolicy.replace(/trusted-types .*$/, "trusted-types article-worker; frame-src 'self'");

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
  if (filename.endsWith('article/index.html')) return articlePolicy;
  return html.includes('<script') ? contentSecurityPolicy : documentPolicy;
}

/** Puts the examples of files and the recorders into the built site, where pages link to them. */
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
  plugins: [pages, article, documents, examples, strictPolicy, site(), readInput],
  build: {
    target: 'baseline-widely-available',
    // The policy refuses data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The figures for other pages have an address that stays.
      input: [...PAGES, 'www/article/figure.ts'],
      output: {
        entryFileNames: ({ facadeModuleId }) => (facadeModuleId?.endsWith('/www/article/figure.ts') ? 'article/figure.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: { format: 'es' },
  // An address rather than a name: "localhost" may mean IPv6 alone.
  server: { host: '127.0.0.1', watch: { ignored: ['**/target/**'] } },
  preview: { host: '127.0.0.1' },
});
