// The page's wasm in Node, for tests of what reads its tables or runs a laboratory.

import { readFileSync } from 'node:fs';
import { addRest, initSync } from '../../../pkg/snapshot_web';

export function startWasm(): void {
  startFirst();
  addTheRest();
}

/** Starts the first part alone: a call that needs the rest throws. */
export function startFirst(): void {
  initSync({ module: readFileSync('pkg/snapshot_web_bg.wasm') });
}

export function addTheRest(): void {
  addRest(new WebAssembly.Module(readFileSync('pkg/snapshot_web_rest.wasm')));
}
