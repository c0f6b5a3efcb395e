// The article's module as wasm shows the numbers of the text, which a native test measures.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Article, figure_names, initSync } from '../../../pkg/article/snapshot_article';

initSync({ module: readFileSync('pkg/article/snapshot_article_bg.wasm') });

/** Claims of figures, with the settings of their links and the name of their live number. */
const CLAIMS = [
  ['rate-10', 'hz=10&loss=0&jitter=0&codec=uncompressed&interp=none&delay=0', 'mm_rms'],
  ['line-hermite', 'hz=5&loss=0&jitter=0&codec=at-rest&interp=hermite', 'mm_rms'],
  ['gap-150', 'hz=10&jitter=33&loss=5&codec=changed-flags&delay=150', 'still_ms'],
  ['guess-hermite-age', 'hz=10&loss=0&jitter=0&codec=at-rest&interp=hermite&delay=300', 'age_ms_mean'],
  ['small-kbps', 'hz=60&loss=0&jitter=0&codec=relative-orientation', 'kbps_mean'],
] as const;

test('numbers of the text are those of the module', () => {
  const text = readFileSync('www/article/index.html', 'utf8');
  const pile = new Article();
  pile.push(readFileSync('www/article/pile.motion'));
  for (const [id, settings, name] of CLAIMS) {
    const written = new RegExp(`data-claim="${id}">([^<]*)<`).exec(text)?.[1] ?? `no ${id}`;
    const decimals = written.split('.')[1]?.length ?? 0;
    const run = pile.run(`v=2&motion=pile&latency=50&${settings}`, 0);
    while (run.step());
    const value = run.figures()[figure_names().indexOf(name)] ?? Number.NaN;
    const shown = value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    assert.equal(shown, written, id);
  }
});
