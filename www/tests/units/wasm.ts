// The page's wasm in Node, for tests of what reads its tables or runs a laboratory.

import { readFileSync } from 'node:fs';
import { initSync } from '../../../pkg/snapshot_web';

export function startWasm(): void {
  initSync({ module: readFileSync('pkg/snapshot_web_bg.wasm') });
}
