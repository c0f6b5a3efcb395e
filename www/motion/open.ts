// Any file that a person hands over: its contents say what it is, and the page does with it what belongs to it.

import { look_up } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { openLink } from '../links/link';
import { openSaved } from '../links/saved';
import { shortName, visible } from '../shell/names';
import { askColumns } from './columns';
import { useTrace } from './network';
import { play } from './play';

const LOOKED_AT_BYTES = 1 << 14;
/** Longer links are none of ours. */
const MOST_LINK_BYTES = 1 << 17;

/** link: a saved link. archive: a link with its files. table: columns that are not known. unread: gone, or a folder. none: nothing that is read here. unloaded: the program that reads files is not there. */
export type FileKind = 'link' | 'motion' | 'capture' | 'trace' | 'table' | 'archive' | 'unread' | 'none' | 'unloaded';

/** Recognises a file by its first bytes. */
export async function kindOf(file: File): Promise<FileKind> {
  const first = await firstBytes(file);
  if (first === undefined) return 'unread';
  if (!(await lab.whole())) return 'unloaded';
  return (look_up('file_kind', first) as FileKind | undefined) ?? 'none';
}

/** The first bytes of a file; undefined of a folder or a file that is gone. */
async function firstBytes(file: File): Promise<Uint8Array | undefined> {
  // A part of no bytes can always be read, also of a folder or a file that is gone.
  const part = file.size === 0 ? file : file.slice(0, LOOKED_AT_BYTES);
  const first = await part.arrayBuffer().catch(() => undefined);
  return first && new Uint8Array(first);
}

/** Returns true for kinds that hold a motion, or that are refused as one. */
export function isMotion(kind: FileKind): boolean {
  return kind === 'motion' || kind === 'capture' || kind === 'table' || kind === 'none';
}

/** Takes a file as what it is. A file of no kind changes nothing: a notice says what each kind needs. */
export async function openAny(file: File): Promise<void> {
  switch (await kindOf(file)) {
    case 'archive':
      return openSaved(file);
    case 'trace':
      return useTrace(file, askColumns);
    case 'table':
    case 'motion':
    case 'capture':
      return play(file, askColumns);
    case 'link':
      return openLinkOf(file);
    case 'unread':
      return lab.notify([`${shortName(file.name)} cannot be read: it is gone, or a folder`]);
    case 'unloaded':
      return;
    case 'none':
      return lab.notify([
        `${shortName(file.name)} changes nothing: ${file.size === 0 ? 'there is nothing in it' : visible(look_up('unknown_file', (await firstBytes(file)) ?? new Uint8Array()))}`,
      ]);
  }
}

/** Opens the file of a link, which holds the link's fragment. */
async function openLinkOf(file: File): Promise<void> {
  const text = await file.slice(0, MOST_LINK_BYTES).text();
  openLink(`#${text.trim().replace(/^[^#]*#/, '')}`);
}
