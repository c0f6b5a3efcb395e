// Weighs what the first visit of the built page loads, by kind, and of the article, and holds it to budgets.json:
// `cargo xtask test browser`.

import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** A figure so far below its budget lowers the budget. */
const KEPT = 0.98;

/**
 * The files of `assets` that a file names.
 * @param {string} path
 * @param {RegExp} kind
 */
const named = (path, kind) => {
  const names = [...readFileSync(path, 'utf8').matchAll(/[\w.-]+\.(?:js|css|wasm|motion)/g)].map(([name]) => name).filter((name) => kind.test(name));
  const built = readdirSync('dist/assets');
  return [...new Set(names)].filter((name) => built.includes(name)).map((name) => `dist/assets/${name}`);
};

/**
 * Scripts with all that they import before they run, not what they import later.
 * @param {string[]} scripts
 */
function withImports(scripts) {
  const all = new Set(scripts);
  for (const script of all) {
    for (const [, name] of readFileSync(script, 'utf8').matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)) all.add(`dist/assets/${name}`);
  }
  return [...all];
}

/** Files of the first visit up to the first motion, by kind: what index.html names, styles that its script loads, and the wasm's first part. */
function ofPage() {
  const scripts = withImports(named('dist/index.html', /js$/));
  const wasm = scripts.flatMap((script) => named(script, /^snapshot_web_bg.*wasm$/));
  const styles = ['dist/index.html', ...scripts.filter((script) => script.includes('/index-'))].flatMap((file) => named(file, /css$/));
  return { HTML: ['dist/index.html'], styles: [...new Set(styles)], scripts, wasm: [...new Set(wasm)] };
}

/** Files of the article before its first figure moves to its end, and those of an element elsewhere before it is in sight. */
function ofArticle() {
  const html = 'dist/article/index.html';
  const scripts = named(html, /js$/);
  const workers = scripts.flatMap((script) => named(script, /^worker-.*js$/));
  const engine = [...new Set(workers)].filter((worker) => named(worker, /^pile-.*motion$/).length > 0);
  const motion = engine.flatMap((worker) => named(worker, /^pile-.*motion$/));
  const whole = [html, ...scripts, ...named(html, /css$/), ...named(html, /wasm$/), ...engine, ...motion];
  const own = ['dist/article/figure.js', ...named('dist/article/figure.js', /js$/)];
  const elsewhere = [...own, ...own.flatMap((script) => named(script, /^(figures|trusted|preload-helper)-.*js$/))];
  return { 'the whole article': [...new Set(whole)], 'a figure elsewhere': [...new Set(elsewhere)] };
}

const budgets = JSON.parse(readFileSync('budgets.json', 'utf8'));
let failed = false;
for (const [group, files] of Object.entries({ 'first load, kB of Brotli': ofPage(), 'article, kB of Brotli': ofArticle() })) {
  for (const [kind, paths] of Object.entries(files)) {
    const kb = paths.reduce((sum, path) => sum + brotliCompressSync(readFileSync(path)).length, 0) / 1000;
    const most = budgets[group][kind];
    console.log(`${kind}: ${kb.toFixed(1)} kB in ${paths.length} files, of ${most}`);
    if (paths.length === 0 || !(kb <= most)) failed = true;
    else if (kb < most * KEPT - 1) console.log(`  budgets.json can be lowered to ${Math.ceil(kb)}`);
  }
}
process.exit(failed ? 1 : 0);
