// The last motions, traces and clients, kept in this browser: no link carries them, and a reload or a way back asks for them.

import { signal } from '@preact/signals-core';
import { lab } from '../lab';
import { openChannel } from '../shell/channel';

export type Kind = 'motion' | 'trace' | 'client';

const kinds: readonly Kind[] = ['motion', 'trace', 'client'];

/** A kept file with the fingerprint by which links name it. */
export interface KeptFile {
  fingerprint: string;
  file: File;
}

/** Longer files are not kept. */
const MOST_BYTES = 50e6;
const MOST_BYTES_OF_ALL = 150e6;
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

/** The other tabs of this browser: what one keeps or forgets, all list. */
const otherTabs = openChannel('snapshot-lab-files');
otherTabs?.addEventListener('message', () => void list());

/** A kept file, its place in the store and when it was last taken. Another version kept one of a kind, in the kind's name. */
interface Listed extends KeptFile {
  place: string;
  kind: Kind;
  at: number;
}

/** The kept files, oldest first, for the list that forgets them. */
export const keptFiles = signal<readonly Listed[]>([]);

/** Reads the list of kept files: another program or version may have left any record. */
async function list(): Promise<readonly Listed[]> {
  const places = (await inStore('readonly', (store) => store.getAllKeys())) ?? [];
  const records: unknown[] = (await inStore('readonly', (store) => store.getAll())) ?? [];
  const all = records.flatMap((record, number): Listed[] => {
    const place = String(places[number]);
    const kind = kinds.find((kind) => kind === place.split(' ')[0]);
    const { fingerprint, file, at } = (record ?? {}) as Partial<Record<'fingerprint' | 'file' | 'at', unknown>>;
    if (kind === undefined || typeof fingerprint !== 'string' || !(file instanceof File)) return [];
    return [{ place, kind, fingerprint, file, at: typeof at === 'number' ? at : 0 }];
  });
  keptFiles.value = all.sort((a, b) => a.at - b.at);
  return keptFiles.value;
}

async function listEverywhere(): Promise<void> {
  await list();
  otherTabs?.postMessage('');
}

/** Keeps the file that was just taken. The oldest go where all would be too long. */
export async function keepFile(kind: Kind, file: File): Promise<void> {
  const fingerprint = kind === 'client' ? named('client') : lab.state[kind]?.fingerprint;
  const isOfSite = fingerprint !== undefined && !/^[0-9a-f]{8}$/.test(fingerprint);
  if (fingerprint === undefined || isOfSite || file.size > MOST_BYTES || lab.viewState.embed) return;
  const place = `${kind} ${fingerprint}`;
  const others = (await list()).filter((kept) => kept.place !== place);
  let bytes = file.size + others.reduce((sum, kept) => sum + kept.file.size, 0);
  for (const { place, file } of others) {
    if (bytes <= MOST_BYTES_OF_ALL) break;
    await inStore('readwrite', (store) => store.delete(place));
    bytes -= file.size;
  }
  await inStore('readwrite', (store) => store.put({ fingerprint, file, at: Date.now() }, place));
  await listEverywhere();
}

/** The fingerprint of a file of this kind that the present link names, or the name of the site's own. */
export function named(kind: Kind): string | undefined {
  return new RegExp(`(?:^|&)${kind}=([^&]*)`).exec(lab.permalink)?.[1];
}

/** Forgets a file, or all. */
export async function forgetFile(place?: string): Promise<void> {
  await inStore('readwrite', (store) => (place === undefined ? store.clear() : store.delete(place)));
  await listEverywhere();
}

/** Hands over the files that the present link asks for, where this browser has kept them. A client comes with the motion that the link names. */
export async function bringBack(take: Readonly<Record<Kind, (file: File, motion: File | undefined) => unknown>>): Promise<void> {
  const all = await list();
  const wanted = (kind: Kind): Listed | undefined => all.find((kept) => kept.kind === kind && kept.fingerprint === named(kind));
  for (const kind of kinds) {
    const kept = wanted(kind);
    const there = kind === 'client' ? lab.client && kept?.fingerprint : lab.state[kind]?.fingerprint;
    if (kept !== undefined && there !== kept.fingerprint) await take[kind](kept.file, wanted('motion')?.file);
  }
}
