// Runs the page's own tests that need no browser, by Node's runner: `cargo xtask test browser` builds the wasm first. Node 20 takes
// no types, so Vite leaves them out.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { build } from 'vite';

const FOLDER = 'www/tests/units';
const OUT = 'target/units';

const names = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
await build({
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: OUT,
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: { input: names.map((name) => `${FOLDER}/${name}`), output: { entryFileNames: '[name].mjs' } },
  },
});
const files = names.map((name) => `${OUT}/${name.replace(/ts$/, 'mjs')}`);
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
