// A recorded link from a file: packets are sent over it in place of the modelled network.

import { lab } from '../lab';
import { keepFile } from '../links/files';
import { shortName } from '../shell/names';
import { tables } from '../tables';

/** Reads a file and sends packets over its trace. A notice tells the fault of a refused file. */
export async function useTrace(file: File): Promise<void> {
  if (file.size > tables().trace_megabytes * 2 ** 20) {
    lab.notify([`${shortName(file.name)} is longer than ${tables().trace_megabytes} MB, the most that is read here`]);
    return;
  }
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) lab.notify([`${shortName(file.name)} cannot be read: it is gone, or a folder`]);
  else {
    lab.useTrace(file.name, new Uint8Array(bytes));
    void keepFile('trace', file);
  }
}
