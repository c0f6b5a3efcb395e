// A link with the files that it names, in one archive: written and read in the Worker of files.

import { unzipSync, zipSync } from 'fflate';
import { motion_limits, trace_megabytes } from '../../pkg/snapshot_web';
import type { Minute, Named, Saved } from './file-tasks';

const LINK = 'link.txt';
const MOTION = 'motion/';
const TRACE = 'trace/';
/** Longer links are none of ours. */
const MOST_LINK_MEGABYTES = 1;

/** Writes an archive: the link's fragment as `link.txt`, and the files with their names in the folders `motion` and `trace`. */
export function pack({ link, motion, trace }: Saved): Minute {
  return zipSync({
    [LINK]: new TextEncoder().encode(link),
    ...(motion && { [MOTION + motion.name]: motion.bytes }),
    ...(trace && { [TRACE + trace.name]: trace.bytes }),
  }) as Minute;
}

/** Reads an archive. Other files in it are passed over. It throws in words where a part is missing, twice there or too long. */
export function unpack(archive: Minute): Saved {
  const most = [
    { begins: LINK, megabytes: MOST_LINK_MEGABYTES },
    { begins: MOTION, megabytes: motion_limits().megabytes },
    { begins: TRACE, megabytes: trace_megabytes() },
  ];
  const found = new Map<string, string>();
  const files = unzipSync(archive, {
    // The stated length is refused before there is room for it. No more than that length is read.
    filter: ({ name, originalSize }) => {
      const part = most.find(({ begins }) => (begins === LINK ? name === LINK : name.startsWith(begins) && name.length > begins.length));
      if (part === undefined) return false;
      if (originalSize > part.megabytes * 2 ** 20) throw new Error(`${name} in it is longer than ${part.megabytes} MB, the most that is read here`);
      if (found.has(part.begins)) throw new Error(`both ${found.get(part.begins)} and ${name} are in it, where one belongs`);
      found.set(part.begins, name);
      return true;
    },
  });
  const named = (folder: string): Named | undefined => {
    const name = found.get(folder);
    const bytes = name === undefined ? undefined : files[name];
    return name === undefined || bytes === undefined ? undefined : { name: name.slice(folder.length), bytes: bytes as Minute };
  };
  const link = files[LINK];
  if (link === undefined) throw new Error(`no ${LINK} is in it, as “Save all” writes it`);
  const [motion, trace] = [named(MOTION), named(TRACE)];
  return { link: new TextDecoder().decode(link).trim(), ...(motion && { motion }), ...(trace && { trace }) };
}
