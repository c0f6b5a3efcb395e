// All of an instant in one file: the link, and the motion, the trace and the client that no link can carry.

import { lab } from '../lab';
import { bringBackClient } from '../motion/client';
import type { Named, Saved } from '../motion/file-tasks';
import { asked } from '../motion/file-work';
import { useTrace } from '../motion/network';
import { play, withFiles } from '../motion/play';
import { isReading, nowReading } from '../motion/reading';
import { shortName } from '../shell/names';
import { tables } from '../tables';
import { openLink, withoutStep } from './link';

/** Longest archive: as long as its parts may be. */
const MOST_MEGABYTES = tables().motion_megabytes + tables().trace_megabytes;

/** Opens an archive: its link, then the trace and the motion that the link names. A notice tells the fault of a refused one. */
export async function openSaved(file: File): Promise<void> {
  const refuse = (why: string): void => lab.notify([`${shortName(file.name)} cannot be opened: ${why}`]);
  if (file.size > MOST_MEGABYTES * 2 ** 20) return refuse(`it is longer than ${MOST_MEGABYTES} MB, the most that is read here`);
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return refuse('it is gone, or a folder');
  const mine = { name: shortName(file.name), end: (): void => {} };
  nowReading('motion', mine);
  const answer = await asked(
    { open: new Uint8Array(bytes), most: { motion: tables().motion_megabytes, trace: tables().trace_megabytes } },
    (end) => (mine.end = end),
  );
  if (isReading('motion', mine)) nowReading('motion');
  if ('refused' in answer) refuse(answer.refused);
  if (!('saved' in answer)) return;
  const { link, motion, trace, client } = answer.saved;
  const opened = ({ name, bytes }: Named): File => new File([bytes], name);
  const open = async (): Promise<void> => {
    openLink(`#${link.replace(/^[^#]*#/, '')}`);
    // What the link names may be here still.
    if (trace !== undefined && lab.state.trace === undefined) await useTrace(opened(trace));
    if (motion !== undefined && lab.state.motion === undefined) await play(opened(motion));
    if (client !== undefined && lab.client === undefined) bringBackClient(opened(client), motion && opened(motion));
  };
  // Between the link and its files there is no world to go back to.
  await withFiles(() => withoutStep(open));
}

/** The files that no link can carry, by what they are. */
export function filesHere(): { what: string; name: string }[] {
  return [
    ...(lab.state.motion === undefined ? [] : [{ what: 'the motion', name: lab.motionName }]),
    ...(lab.client === undefined ? [] : [{ what: 'the client', name: lab.clientName }]),
    ...(lab.state.trace === undefined ? [] : [{ what: 'the network', name: lab.traceName }]),
  ];
}

/** The archive of a link's fragment and the files that are in use. It rejects in words where a file can no longer be read. */
export async function saveAll(link: string): Promise<Blob> {
  const { motionFile, client, ownTrace } = lab;
  const saved: Saved = { link };
  const read = async (file: File): Promise<Named> => {
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (bytes === undefined) throw new Error(`${shortName(file.name)} cannot be read: it was changed or moved. Drop it on this page again`);
    return { name: file.name, bytes: new Uint8Array(bytes) };
  };
  if (lab.state.motion !== undefined && motionFile !== undefined) saved.motion = await read(motionFile);
  if (client !== undefined) saved.client = await read(client.file);
  if (ownTrace !== undefined) saved.trace = { name: ownTrace.name, bytes: ownTrace.file };
  const answer = await asked({ save: saved });
  if (!('packed' in answer)) throw new Error('refused' in answer ? answer.refused : 'another link was opened meanwhile');
  return new Blob([answer.packed], { type: 'application/zip' });
}
