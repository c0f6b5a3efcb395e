// The last motion and the last trace, kept in this browser: no link carries them, and a reload or a way back asks for them.

import { lab } from '../lab';

export type Kind = 'motion' | 'trace';

/** A kept file with the fingerprint by which links name it. */
export interface KeptFile {
  fingerprint: string;
  file: File;
}

/** Longer files are not kept. */
const MOST_BYTES = 50e6;
const STORE = 'files';

/** Opens the database. It rejects where a browser stores nothing, as in a private window. */
function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('snapshot-lab', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('refused'));
  });
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const opened = await database();
    return await new Promise<T>((resolve, reject) => {
      const request = act(opened.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('refused'));
    }).finally(() => opened.close());
  } catch {
    // Nothing is kept then, and the page goes on.
    return undefined;
  }
}

/** The names of what is kept, for the sentence beside "Forget". */
export const keptNames = new Map<Kind, string>();
const changed = new EventTarget();

/** Calls back when something is kept or forgotten. */
export function onKept(hear: () => void): void {
  changed.addEventListener('change', hear);
}

function note(kind: Kind, name: string | undefined): void {
  if (name === undefined) keptNames.delete(kind);
  else keptNames.set(kind, name);
  changed.dispatchEvent(new Event('change'));
}

/** Keeps the file that was just taken, in place of the one before. */
export async function keepFile(kind: Kind, file: File): Promise<void> {
  const fingerprint = kind === 'motion' ? lab.motion?.fingerprint : lab.trace?.fingerprint;
  if (fingerprint === undefined || file.size > MOST_BYTES || lab.looking.embed) return;
  const kept = await inStore('readwrite', (store) => store.put({ fingerprint, file } satisfies KeptFile, kind));
  if (kept !== undefined) note(kind, file.name);
}

/** Forgets both files. */
export async function forgetFiles(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
  note('motion', undefined);
  note('trace', undefined);
}

/** Hands over the files that the present link asks for, where this browser has kept them. */
export async function bringBack(take: Readonly<Record<Kind, (file: File) => Promise<void>>>): Promise<void> {
  for (const kind of ['motion', 'trace'] as const) {
    const kept = (await inStore('readonly', (store) => store.get(kind))) as KeptFile | undefined;
    if (kept === undefined) continue;
    note(kind, kept.file.name);
    const asked = new RegExp(`(?:^|&)${kind}=([^&]*)`).exec(lab.permalink)?.[1];
    const isThere = (kind === 'motion' ? lab.motion : lab.trace) !== undefined;
    if (!isThere && asked === kept.fingerprint) await take[kind](kept.file);
  }
}
