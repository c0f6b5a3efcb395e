// The wasm module is a file beside this one, or what `init` is given: a URL, bytes, a compiled module, or a promise of these.

import load, * as raw from './wasm/snapshot_npm.js';
import { wrap } from './wrap.js';

export const { Server, Client, errorName } = wrap(raw);

let loaded;

/** Loads the wasm module once. All else waits for it. */
export function init(source) {
  loaded ??= begin(source).catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function begin(source) {
  let module_or_path = source ?? new URL('./wasm/snapshot_npm_bg.wasm', import.meta.url);
  // Node.js fetches no files.
  if (module_or_path instanceof URL && module_or_path.protocol === 'file:') {
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ 'node:fs/promises');
    module_or_path = await readFile(module_or_path);
  }
  await load({ module_or_path });
}

export default init;
