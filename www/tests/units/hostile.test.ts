// Changed archives and fragments: read or refused in words, and none takes longer than its bytes allow. FUZZ=1000000 runs more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { hasActs } from '../../links/parts';
import { unpack } from '../../motion/archive';
import { startWasm } from './wasm';

startWasm();

const RUNS = Number(process.env['FUZZ'] ?? 3000);
/** Most time for an input, and for each of its bytes. */
const [WHOLE_MS, BYTE_MS] = [20, 0.002];

let state = 1;
const draw = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

/** Bytes with some changed, repeated or cut. */
function changed(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  let all = Uint8Array.from(bytes);
  for (let changes = 1 + draw(4); changes > 0; changes -= 1) {
    const [from, to] = [draw(all.length), draw(all.length)].sort((a, b) => a - b) as [number, number];
    const part = all.subarray(from, to);
    const kind = draw(4);
    if (kind === 0) all[from] = draw(256);
    else if (kind === 1) all = Uint8Array.from([...all.subarray(0, to), ...Array.from({ length: draw(20) }, () => [...part]).flat(), ...all.subarray(to)]);
    else if (kind === 2) all = Uint8Array.from([...all.subarray(0, from), ...all.subarray(to)]);
    else all.set([0, 255, draw(256), 0].slice(0, all.length - from), from);
    if (all.length === 0 || all.length > 1e5) return Uint8Array.from(bytes);
  }
  return all;
}

function fuzz(seeds: readonly Uint8Array[], read: (bytes: Uint8Array<ArrayBuffer>) => void): void {
  let slowest = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const bytes = changed(seeds[draw(seeds.length)] ?? new Uint8Array(1));
    let ms = Number.POSITIVE_INFINITY;
    // The machine may do something else meanwhile.
    for (let time = 0; time < 4 && ms > WHOLE_MS / 4; time += 1) {
      const started = performance.now();
      read(bytes);
      ms = Math.min(ms, performance.now() - started);
    }
    slowest = Math.max(slowest, (ms * 1e6) / Math.max(64, bytes.length));
    assert.ok(ms < WHOLE_MS + BYTE_MS * bytes.length, `${ms} ms for ${bytes.length} bytes: ${Buffer.from(bytes).toString('base64').slice(0, 2000)}`);
  }
  console.log(`${RUNS} runs, slowest: ${Math.round(slowest)} ns a byte`);
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('any bytes are an archive or refused in words, soon', () => {
  const rows = strToU8('tick,object,x,y,z\n0,0,1,2,3\n'.repeat(40));
  const files = { 'link.txt': strToU8('v=2&hz=20'), 'motion/a.csv': rows, 'trace/b.csv': rows, 'client/c.csv': rows };
  const refuse = (bytes: Uint8Array<ArrayBuffer>): void => {
    try {
      unpack(bytes, { motion: 32, trace: 8 });
    } catch (error) {
      // A fault of ours, or of the library's, is no Error of words.
      assert.ok(error instanceof Error && error.message.length < 400);
    }
  };
  fuzz([zipSync(files), zipSync(files, { level: 0 })], refuse);
});

test('any text is a fragment, soon', () => {
  const link = strToU8('v=2&hz=20&tape=1.AAAA&drop=0-72000&cut=10+2&motion=0123abcd');
  fuzz([link], (bytes) => void hasActs(text(bytes)));
});
