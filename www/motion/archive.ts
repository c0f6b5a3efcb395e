// A link with the files that it names, in one archive: written and read in the Worker of files.

import { zipSync } from 'fflate';
import { shortName } from '../shell/names';
import { tables } from '../tables';
import type { Minute, Named, Saved } from './file-tasks';
import { contents, directory, type Entry } from './zip';

const LINK = 'link.txt';
const MOTION = 'motion/';
const TRACE = 'trace/';
const CLIENT = 'client/';
/** Longer links are none of ours. */
const MOST_LINK_MEGABYTES = 1;

/** Writes an archive: the link's fragment as `link.txt`, and the files with their names in the folders `motion`, `trace` and `client`. */
export function pack({ link, motion, trace, client }: Saved): Minute {
  return zipSync({
    [LINK]: new TextEncoder().encode(link),
    ...(motion && { [MOTION + motion.name]: motion.bytes }),
    ...(trace && { [TRACE + trace.name]: trace.bytes }),
    ...(client && { [CLIENT + client.name]: client.bytes }),
  }) as Minute;
}

/** Reads an archive. Other files in it are passed over. It throws in words where a part is missing, twice there, too long or damaged. */
export function unpack(archive: Minute): Saved {
  const entries = directory(archive);
  const part = (begins: string, megabytes: number): Entry | undefined => {
    const isPart = (name: string): boolean => (begins === LINK ? name === LINK : name.startsWith(begins) && name.length > begins.length);
    const [entry, other] = entries.filter(({ name }) => isPart(name));
    if (other !== undefined) throw new Error(`both ${shortName(entry?.name ?? '')} and ${shortName(other.name)} are in it, where one belongs`);
    if ((entry?.length ?? 0) > megabytes * 2 ** 20)
      throw new Error(`${shortName(entry?.name ?? '')} in it is longer than ${megabytes} MB, the most that is read here`);
    return entry;
  };
  const link = part(LINK, MOST_LINK_MEGABYTES);
  const named = (folder: string, megabytes: number): Named | undefined => {
    const entry = part(folder, megabytes);
    return entry && { name: entry.name.slice(folder.length), bytes: contents(archive, entry) };
  };
  if (link === undefined) throw new Error(`no ${LINK} is in it, as “Save all” writes it`);
  const [motion, client] = [MOTION, CLIENT].map((folder) => named(folder, tables().motion_megabytes));
  const trace = named(TRACE, tables().trace_megabytes);
  return { link: new TextDecoder().decode(contents(archive, link)).trim(), ...(motion && { motion }), ...(trace && { trace }), ...(client && { client }) };
}
