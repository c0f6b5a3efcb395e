// Trials of blind tests that this browser keeps, a file for each test. They leave it by a link or a saved file alone.

import { signal } from '@preact/signals-core';
import { type BlindTestOut, look_up } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { remember, remembered } from '../shell/remember';
import { tables } from '../tables';

const KEPT_AS = 'tell-';
/** Goes up with each change, so that whoever shows what is kept shows it again. */
const changes = signal(0);

/** All tests: those of one property, and the pair. */
export function testIds(): readonly string[] {
  return [...tables().blind_tests.map(({ id }) => id), 'pair'];
}

/** The kept file of a test; undefined if there is none. */
export function keptFile(test: string): string | undefined {
  void changes.value;
  return remembered(KEPT_AS + test) ?? undefined;
}

/** Keeps a test's file, or forgets it. */
export function keep(test: string, file: string | undefined): void {
  remember(KEPT_AS + test, file ?? null);
  changes.value += 1;
}

/** The outcome of a kept test, or the reason for which its file cannot be read; undefined if there is none. */
export function keptOutcome(test: string): BlindTestOut | string | undefined {
  const file = keptFile(test);
  if (file === undefined) return undefined;
  try {
    return look_up('outcome', new TextEncoder().encode(file));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.message;
  }
}

/** The outcome of a kept test that can be read. */
export function readableOutcome(test: string): BlindTestOut | undefined {
  const kept = keptOutcome(test);
  return typeof kept === 'string' ? undefined : kept;
}
