// Archives as anybody may make them: read whole, or refused by the fault.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { pack, unpack as unpackWithin } from '../../motion/archive';
import type { Bytes } from '../../motion/file-tasks';
import { tables } from '../../tables';
import { startWasm } from './wasm';

startWasm();

const unpack = (archive: Bytes) => unpackWithin(archive, { motion: tables().motion_megabytes, trace: tables().trace_megabytes });

const LINK = 'v=2&hz=20';
const archive = (files: Record<string, Uint8Array>): Uint8Array<ArrayBuffer> => zipSync({ 'link.txt': strToU8(LINK), ...files }) as Uint8Array<ArrayBuffer>;

/** Writes a number into the directory's header of an entry, and into its local one. */
function state(bytes: Uint8Array, name: string, by: { central: number; local: number }, write: (view: DataView, at: number) => void): void {
  const view = new DataView(bytes.buffer);
  const text = new TextDecoder('latin1').decode(bytes);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (view.getUint32(Math.max(0, at - 46), true) === 0x02014b50) write(view, at - 46 + by.central);
    else if (view.getUint32(at - 30, true) === 0x04034b50) write(view, at - 30 + by.local);
  }
}
const LENGTH = { central: 24, local: 22 };

test('what was packed is unpacked, with a comment behind it, too', () => {
  const saved = { link: LINK, motion: { name: 'a.csv', bytes: strToU8('tick') as Uint8Array<ArrayBuffer> } };
  const packed = pack(saved);
  assert.deepEqual(unpack(packed), saved);
  const commented = new Uint8Array(packed.length + 9);
  commented.set(packed);
  commented.fill(0x50, packed.length);
  assert.deepEqual(unpack(commented), saved);
});

test('an archive that inflates to more than it states takes no more memory than it states', () => {
  const long = new Uint8Array(2 ** 26);
  const bomb = archive({ 'motion/a.csv': long });
  state(bomb, 'motion/a.csv', LENGTH, (view, at) => view.setUint32(at, 10, true));
  const before = process.memoryUsage().arrayBuffers;
  assert.equal(unpack(bomb).motion?.bytes.length, 10);
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
  // It is held until here, or its memory would be counted as given back.
  assert.equal(long.length, 2 ** 26);
});

test('a short archive of long files is refused before it is unpacked, and one that was saved here is not', () => {
  const [motion, client] = [new Uint8Array(30 * 2 ** 20), new Uint8Array(11 * 2 ** 20)];
  const bomb = archive({ 'motion/a.csv': motion, 'client/b.csv': client });
  const before = process.memoryUsage().arrayBuffers;
  assert.throws(() => unpack(bomb), /its files are 41 MB once they are unpacked, too many for so short an archive/);
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 ** 20);
  // Of two files that are judged half as much.
  assert.throws(() => unpack(archive({ 'motion/a.csv': client, 'client/b.csv': client })), /its files are 22 MB once/);
  assert.equal(unpack(archive({ 'motion/a.csv': motion })).motion?.bytes.length, motion.length);
  const saved = pack({ link: LINK, motion: { name: 'a.csv', bytes: motion }, client: { name: 'b.csv', bytes: client } });
  assert.equal(unpack(saved).motion?.bytes.length, motion.length);
});

test('a file that is cut, damaged or encrypted is refused by its name', () => {
  const refused = /“\u2068link\.txt\u2069” in it is damaged, encrypted, or packed in a way that is not read here/;
  const long = archive({});
  state(long, 'link.txt', LENGTH, (view, at) => view.setUint32(at, LINK.length + 1, true));
  assert.throws(() => unpack(long), refused);
  const empty = archive({});
  state(empty, 'link.txt', LENGTH, (view, at) => view.setUint32(at, 0, true));
  assert.throws(() => unpack(empty), /link\.txt in it is empty/);
  const many = archive(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${i}`, new Uint8Array()])));
  assert.throws(() => unpack(many), /more than 1000 files are in it/);
  const other = archive({});
  state(other, 'link.txt', { central: 10, local: 8 }, (view, at) => view.setUint16(at, 99, true));
  assert.throws(() => unpack(other), refused);
  const whole = archive({ 'trace/a.csv': strToU8('0,1') });
  for (let length = 0; length < whole.length; length += 1) assert.throws(() => unpack(whole.slice(0, length)), /it has no list of files/);
});
