// A file that is made of another one.

import { perform, type Task } from '../../pkg/snapshot_web';
import type { Bytes } from './file-tasks';

/** Returns what a task makes of a file. It throws in words where the file is not what the task needs. */
export function made(task: Extract<Task, 'trace' | 'pack' | { facts: unknown }>, file: Uint8Array): Bytes {
  let bytes: Bytes = new Uint8Array();
  perform(task, [file], (told) => {
    if ('made' in told) bytes = told.made;
  });
  return bytes;
}
