// The last motion, trace and client, kept in this browser: no link carries them, and a reload or a way back asks for them.

import { signal } from '@preact/signals-core';
import { lab } from '../lab';
import { openChannel } from '../shell/channel';
import { shortName } from '../shell/names';

export type Kind = 'motion' | 'trace' | 'client';

const kinds: readonly Kind[] = ['motion', 'trace', 'client'];

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

/** Does one thing in a transaction. Undefined where it fails: a request that went well is lost if its transaction is aborted. */
async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const opened = await database();
    return await new Promise<T>((resolve, reject) => {
      const transaction = opened.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('refused'));
    }).finally(() => opened.close());
  } catch {
    // Nothing is kept then, and the page goes on.
    return undefined;
  }
}

/** The other tabs of this browser: what one keeps or forgets, all name. */
const otherTabs = openChannel('snapshot-lab-files');

/** True for a record as this version writes it: another program or version may have left any. */
function isKept(record: unknown): record is KeptFile {
  const { fingerprint, file } = (record ?? {}) as Partial<Record<keyof KeptFile, unknown>>;
  return typeof fingerprint === 'string' && file instanceof File;
}

/** The names of what is kept, for the sentence beside "Forget". */
export const keptNames = signal<ReadonlyMap<Kind, string>>(new Map());

otherTabs?.addEventListener('message', ({ data }: MessageEvent<[Kind, string | undefined]>) => note(...data));

/** Notes what is kept, and tells the other tabs. */
function tell(kind: Kind, name: string | undefined): void {
  note(kind, name);
  otherTabs?.postMessage([kind, name]);
}

function note(kind: Kind, name: string | undefined): void {
  const names = new Map(keptNames.value);
  if (name === undefined) names.delete(kind);
  else names.set(kind, shortName(name));
  keptNames.value = names;
}

/** Keeps the file that was just taken, in place of the one before. */
export async function keepFile(kind: Kind, file: File): Promise<void> {
  const fingerprint = kind === 'client' ? named('client') : lab.state[kind]?.fingerprint;
  if (fingerprint === undefined || file.size > MOST_BYTES || lab.looking.embed) return;
  const kept = await inStore('readwrite', (store) => store.put({ fingerprint, file } satisfies KeptFile, kind));
  if (kept !== undefined) tell(kind, file.name);
}

/** The fingerprint of a file of this kind that the present link names. */
function named(kind: Kind): string | undefined {
  return new RegExp(`(?:^|&)${kind}=([^&]*)`).exec(lab.permalink)?.[1];
}

/** Forgets all files. */
export async function forgetFiles(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
  for (const kind of kinds) tell(kind, undefined);
}

/** Hands over the files that the present link asks for, where this browser has kept them. A client comes with the kept motion. */
export async function bringBack(take: Readonly<Record<Kind, (file: File, motion: File | undefined) => unknown>>): Promise<void> {
  const motion: unknown = await inStore('readonly', (store) => store.get('motion'));
  for (const kind of kinds) {
    const kept: unknown = await inStore('readonly', (store) => store.get(kind));
    if (!isKept(kept)) continue;
    note(kind, kept.file.name);
    const there = kind === 'client' ? lab.client : lab.state[kind];
    if (there === undefined && named(kind) === kept.fingerprint) await take[kind](kept.file, isKept(motion) ? motion.file : undefined);
  }
}
