// A recorded link from a file: packets are sent over it in place of the modelled network.

import { lab } from '../lab';
import { keepFile } from '../links/files';
import { shortName } from '../shell/names';
import { tables } from '../tables';
import { asked } from './file-work';
import type { Ask } from './play';
import { isReading, nowReading, type Reading } from './reading';

/** Has a Worker read a file, and sends packets over its trace. A person is asked about a refused table; else a notice tells the fault. */
export async function useTrace(file: File, ask?: Ask): Promise<void> {
  const name = shortName(file.name);
  if (file.size > tables().trace_megabytes * 2 ** 20) {
    lab.notify([`${name} is longer than ${tables().trace_megabytes} MB, the most that is read here`]);
    return;
  }
  const mine: Reading = { name, end: () => {} };
  nowReading('trace', mine);
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (!isReading('trace', mine)) return;
  const trace = new Uint8Array(buffer ?? new ArrayBuffer(0));
  const answer = buffer === undefined ? { refused: '' } : await asked({ trace }, (end) => (mine.end = end));
  if (!isReading('trace', mine)) return;
  nowReading('trace');
  if ('parsed' in answer) {
    lab.useTrace(file.name, trace, answer.parsed);
    void keepFile('trace', file);
  } else if (buffer === undefined) lab.notify([`${name} cannot be read: it is gone, or a folder`]);
  else if ('refused' in answer && (await ask?.(file, answer.refused)) !== true) lab.notify([`${name} cannot be used: ${answer.refused}`]);
}
