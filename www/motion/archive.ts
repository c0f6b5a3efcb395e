// A link with the files that it names, in one archive: written and read in the Worker of files. The library compares no checksums. A
// damaged file is no longer the one that the link names by its fingerprint, and a notice says so; the link itself has none.

import { type UnzipFileInfo, unzipSync, zipSync } from 'fflate';
import { shortName } from '../shell/names';
import type { Bytes, Megabytes, Named, Saved } from './file-tasks';

const LINK = 'link.txt';
const MOTION = 'motion/';
const TRACE = 'trace/';
const CLIENT = 'client/';
/** Archives of ours have four files at most. */
const MOST_ENTRIES = 1000;
/** Longer links are none of ours. */
const MOST_LINK_MEGABYTES = 1;
/** Upper limit of the unpacked size of an archive: the greater of so many megabytes and so many times the packed size. */
const UNPACKED = { megabytes: 40, times: 8 };

/** Returns true if files are too long for their archive. A client is judged by its server while that is read: both count twice. */
function isTooMuch(archive: Uint8Array, bytes: number, hasClient: boolean): boolean {
  const most = Math.max(UNPACKED.megabytes * 2 ** 20, UNPACKED.times * archive.length);
  return (hasClient ? 2 : 1) * bytes > most;
}

/** Writes an archive: the link's fragment as `link.txt`, and the files with their names in the folders `motion`, `trace` and `client`. */
export function pack({ link, motion, trace, client }: Saved): Bytes {
  const files = {
    [LINK]: new TextEncoder().encode(link),
    ...(motion && { [MOTION + motion.name]: motion.bytes }),
    ...(trace && { [TRACE + trace.name]: trace.bytes }),
    ...(client && { [CLIENT + client.name]: client.bytes }),
  };
  const packed = zipSync(files);
  const bytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
  // What is written here is read here.
  return (isTooMuch(packed, bytes, client !== undefined) ? zipSync(files, { level: 0 }) : packed) as Bytes;
}

/** Reads an archive, with files of at most so many MB. Other files in it are passed over. It throws in words where a part is missing, twice there, too long or damaged. */
export function unpack(archive: Bytes, most: Megabytes): Saved {
  const entries = entriesOf(archive);
  const part = (begins: string, megabytes: number): UnzipFileInfo | undefined => {
    const isPart = (name: string): boolean => (begins === LINK ? name === LINK : name.startsWith(begins) && name.length > begins.length);
    const [entry, other] = entries.filter(({ name }) => isPart(name));
    if (other !== undefined) throw new Error(`both ${shortName(entry?.name ?? '')} and ${shortName(other.name)} are in it, where one belongs`);
    if ((entry?.originalSize ?? 0) > megabytes * 2 ** 20)
      throw new Error(`${shortName(entry?.name ?? '')} in it is longer than ${megabytes} MB, the most that is read here`);
    return entry;
  };
  const link = part(LINK, MOST_LINK_MEGABYTES);
  if (link === undefined) throw new Error(`no ${LINK} is in it, as “Save all” writes it`);
  const files = {
    motion: part(MOTION, most.motion),
    client: part(CLIENT, most.motion),
    trace: part(TRACE, most.trace),
  };
  const bytes = Object.values(files).reduce((sum, entry) => sum + (entry?.originalSize ?? 0), 0);
  if (isTooMuch(archive, bytes, files.client !== undefined))
    throw new Error(
      `its files are ${Math.ceil(bytes / 2 ** 20)} MB once they are unpacked, too many for so short an archive: unpack it, and take them one by one`,
    );
  const named = (entry: UnzipFileInfo | undefined): Named | undefined =>
    entry && { name: entry.name.slice(entry.name.indexOf('/') + 1), bytes: contents(archive, entry) };
  const [motion, trace, client] = [named(files.motion), named(files.trace), named(files.client)];
  const text = new TextDecoder().decode(contents(archive, link)).trim();
  if (text === '') throw new Error(`${LINK} in it is empty`);
  return { link: text, ...(motion && { motion }), ...(trace && { trace }), ...(client && { client }) };
}

/** Reads an archive's list of files, and unpacks none. It throws in words where there is no such list. */
function entriesOf(archive: Uint8Array): UnzipFileInfo[] {
  const entries: UnzipFileInfo[] = [];
  try {
    unzipSync(archive, {
      filter: (entry) => {
        if (entries.push(entry) > MOST_ENTRIES) throw new Error();
        return false;
      },
    });
  } catch {
    throw new Error(entries.length > MOST_ENTRIES ? `more than ${MOST_ENTRIES} files are in it` : 'it has no list of files: it is cut, or no archive');
  }
  return entries;
}

/** Unpacks a file. It throws in words where the file is damaged, encrypted, or packed in a way that is not read here. */
function contents(archive: Uint8Array, { name, originalSize }: UnzipFileInfo): Bytes {
  try {
    const bytes = unzipSync(archive, { filter: (entry) => entry.name === name })[name];
    if (bytes?.length === originalSize) return bytes as Bytes;
  } catch {
    // The library says it in words of its own.
  }
  throw new Error(`${shortName(name)} in it is damaged, encrypted, or packed in a way that is not read here`);
}
