// The reading of zip archives that anybody may have made (PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.16). The library inflates;
// here no entry becomes longer than its archive states, and each is checked.

import { Inflate } from 'fflate';
import { shortName } from '../shell/names';

/** An entry as the archive's directory states it. */
export interface Entry {
  name: string;
  /** Bytes once inflated. */
  length: number;
  packed: number;
  crc: number;
  method: number;
  isEncrypted: boolean;
  /** Place of its local header. */
  at: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** Lengths of the three headers without their names and comments. */
const [END_BYTES, CENTRAL_BYTES, LOCAL_BYTES] = [22, 46, 30];
const MOST_COMMENT_BYTES = 0xffff;
/** Deflate makes a thousand bytes of one: a piece stays below 5 MB. */
const PIECE_BYTES = 4096;
const [STORED, DEFLATED] = [0, 8];

/** Reads the directory. It throws where there is none, or where an entry reaches beyond the archive. */
export function directory(archive: Uint8Array): Entry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== CENTRAL) throw new Error('its list of files is damaged');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((by) => view.getUint16(at + by, true)) as [number, number, number];
    const [crc, packed, length] = [16, 20, 24].map((by) => view.getUint32(at + by, true)) as [number, number, number];
    entries.push({
      name: new TextDecoder().decode(archive.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)),
      isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
      method: view.getUint16(at + 10, true),
      crc,
      packed,
      length,
      at: view.getUint32(at + 42, true),
    });
    at += CENTRAL_BYTES + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/** The place of the directory's end, which a comment may follow. */
function endOf(view: DataView): number {
  const least = Math.max(0, view.byteLength - END_BYTES - MOST_COMMENT_BYTES);
  for (let at = view.byteLength - END_BYTES; at >= least; at -= 1) if (view.getUint32(at, true) === END) return at;
  throw new Error('it has no list of files: it is cut, or no archive');
}

/** The bytes of an entry. It throws where they are encrypted, damaged, or more or fewer than stated. */
export function contents(archive: Uint8Array, entry: Entry): Uint8Array<ArrayBuffer> {
  const refuse = (why: string): never => {
    throw new Error(`${shortName(entry.name)} in it ${why}`);
  };
  if (entry.isEncrypted) refuse('is encrypted');
  if (entry.method !== STORED && entry.method !== DEFLATED) refuse(`is packed in a way that is not read here (method ${entry.method})`);
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  if (entry.at + LOCAL_BYTES > archive.length || view.getUint32(entry.at, true) !== LOCAL) refuse('is not where the list of files says');
  const begins = entry.at + LOCAL_BYTES + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  const data = archive.subarray(begins, begins + entry.packed);
  const bytes = new Uint8Array(entry.length);
  let length = 0;
  const add = (chunk: Uint8Array): void => {
    if (length + chunk.length > entry.length) refuse('is longer than the archive states');
    bytes.set(chunk, length);
    length += chunk.length;
  };
  if (entry.method === STORED) add(data);
  else inflate(data, add);
  if (length !== entry.length) refuse('is shorter than the archive states');
  if (crcOf(bytes) !== entry.crc) refuse('is damaged: its checksum differs');
  return bytes;
}

function inflate(data: Uint8Array, add: (chunk: Uint8Array) => void): void {
  const inflating = new Inflate(add);
  for (let from = 0; from === 0 || from < data.length; from += PIECE_BYTES) {
    inflating.push(data.subarray(from, from + PIECE_BYTES), from + PIECE_BYTES >= data.length);
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The CRC-32 of bytes. */
export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
