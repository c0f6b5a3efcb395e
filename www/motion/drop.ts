// Files that are dropped on the page: one place takes them, and says what is left out.

import { lab } from '../lab';
import { shortName } from '../shell/names';
import { isMotion, kindOf, openAny } from './open';

/** A part of the page that takes dropped files while it is in sight. */
export interface Taker {
  /** Returns true if it can take files now. A taker without it takes what no open one does. */
  isOpen?(): boolean;
  /** Takes note that files are held over the page, or no longer. */
  over(is: boolean): void;
  /** Returns true if the taker can use one of the files. */
  wants(files: readonly File[], file: File): boolean;
  /** Takes those that it wants. */
  take(files: readonly File[]): Promise<void> | void;
}

const takers: Taker[] = [];

/** Adds a taker of dropped files. The newest open taker gets a file, else the taker that is always there. */
export function takeDropped(taker: Taker): () => void {
  takers.unshift(taker);
  return () => void takers.splice(takers.indexOf(taker), 1);
}

function drag(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files') !== true) return;
  // A file that nobody takes would otherwise be opened in place of the page.
  event.preventDefault();
  event.dataTransfer.dropEffect = 'copy';
  const taker = takers.find((taker) => taker.isOpen?.() === true) ?? takers.find((taker) => taker.isOpen === undefined);
  taker?.over(event.type === 'dragover' || (event.type === 'dragleave' && event.relatedTarget !== null));
  if (event.type !== 'drop') return;
  const files = [...event.dataTransfer.files];
  const take = async (): Promise<void> => {
    const [first] = files;
    // What is open takes motions. Every other file tells by itself what it is, and the page takes it.
    const kind = first === undefined ? undefined : await kindOf(first);
    const known = kind === undefined || isMotion(kind) ? undefined : first;
    await (known === undefined ? taker?.take(files) : openAny(known));
    const others = files.filter((file) => file !== known && !(known === undefined && taker?.wants(files, file) === true));
    if (others.length > 0) lab.notify([...lab.notices, leftOut(others)]);
  };
  if (files.length > 0) void take();
}

/** A notice of files that count for nothing. */
function leftOut(files: readonly File[]): string {
  return `One file at a time: ${files.map(({ name }) => shortName(name)).join(', ')} ${files.length > 1 ? 'are' : 'is'} left out`;
}

for (const kind of ['dragover', 'dragleave', 'drop'] as const) window.addEventListener(kind, drag);
