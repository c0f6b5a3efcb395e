// The files that are being read, one of a kind: what the page says of them, and how a person, a newer file or the next link ends them.

import { signal } from '@preact/signals-core';

/** A file by its shown name, and how its reading is ended, which frees the Worker's memory. */
export interface Reading {
  name: string;
  end: () => void;
}

/** motion: an archive, too, which may bring one. */
type Kind = 'motion' | 'trace' | 'client';

export const readings = signal<ReadonlyMap<Kind, Reading>>(new Map());

export function isReading(kind: Kind, reading?: Reading): boolean {
  const now = readings.peek();
  return reading === undefined ? now.has(kind) : now.get(kind) === reading;
}

/** Says which file of a kind is read now, and ends the reading of the one before. */
export function nowReading(kind: Kind, reading?: Reading): void {
  const next = new Map(readings.peek());
  next.get(kind)?.end();
  if (reading === undefined) next.delete(kind);
  else next.set(kind, reading);
  readings.value = next;
}

/** Ends the reading of all files. */
export function readNoMore(): void {
  for (const kind of readings.peek().keys()) nowReading(kind);
}
