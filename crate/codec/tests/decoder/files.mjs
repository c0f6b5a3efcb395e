// The files of packets that the tests of this decoder read.

import { readFileSync } from 'node:fs';

/** The lines of a file, each as its words; comments are left out. */
export function lines(url) {
  const text = readFileSync(url, 'utf8');
  const all = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return all.map((line) => line.split(' '));
}

/** The bytes of hexadecimal digits. */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
/** The bytes of a packet: its fields, VALUE:BITS*TIMES, or =HEX. */
export function packetOf(fields) {
  if (fields[0].startsWith('=')) return bytesOf(fields[0].slice(1));
  const bits = fields.flatMap((field) => {
    const [, value, count, times] = /^(-?\d+):(\d+)(?:\*(\d+))?$/.exec(field);
    const code = BigInt.asUintN(Number(count), BigInt(value)).toString(2).padStart(Number(count), '0');
    return [...code.repeat(Number(times ?? 1))];
  });
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, i) => bits.slice(8 * i, 8 * i + 8).join(''));
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}
