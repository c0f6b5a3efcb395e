// Weighs what the first visit of the built page loads, by kind, and holds it to budgets.json: `cargo xtask test browser`.

import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const GROUP = 'first load, kB of Brotli';
/** A figure so far below its budget lowers the budget. */
const KEPT = 0.98;

/** Files by kind, as index.html names them; the wasm is what its scripts name. */
function files() {
  const html = readFileSync('dist/index.html', 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(js|css))"/g)];
  /** @param {string} kind */
  const ofKind = (kind) => [...new Set(named.filter((found) => found[2] === kind).map((found) => `dist/${found[1]}`))];
  const scripts = ofKind('js');
  const wasm = scripts.flatMap((script) => [...readFileSync(script, 'utf8').matchAll(/[\w-]+\.wasm/g)]);
  return {
    HTML: ['dist/index.html'],
    styles: ofKind('css'),
    scripts,
    wasm: [...new Set(wasm.map(([name]) => `dist/assets/${name}`))],
  };
}

const budgets = JSON.parse(readFileSync('budgets.json', 'utf8'))[GROUP];
let failed = false;
for (const [kind, paths] of Object.entries(files())) {
  const kb = paths.reduce((sum, path) => sum + brotliCompressSync(readFileSync(path)).length, 0) / 1000;
  const most = budgets[kind];
  console.log(`${kind}: ${kb.toFixed(1)} kB in ${paths.length} files, of ${most}`);
  if (paths.length === 0 || !(kb <= most)) failed = true;
  else if (kb < most * KEPT - 1) console.log(`  budgets.json can be lowered to ${Math.ceil(kb)}`);
}
process.exit(failed ? 1 : 0);
