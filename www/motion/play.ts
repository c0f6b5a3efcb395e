// A motion from a file: a Worker reads it, and it plays in place of our own world.

import { look_up } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { keepFile } from '../links/files';
import { shortName } from '../shell/names';
import { tables } from '../tables';
import { start } from './file-work';
import { made } from './made';
import { isReading, nowReading } from './reading';

/** The link of what a person drove before a motion took its place. */
let driven: string | undefined;
/** The same of the world before a saved link was opened, until the link's files are there. */
let before: { driven: string | undefined } | undefined;

/** The link of what a person drives now; undefined for a script from its start, and for a motion. */
function drivenNow(): string | undefined {
  return lab.state.motion === undefined && (lab.now.follows_its_link || !lab.scripted) ? lab.ask('share') : undefined;
}

/** Opens a link and its files. The way back leads to the world before: the link's own, without its files, is none. */
export async function withFiles(act: () => Promise<void>): Promise<void> {
  before = { driven: drivenNow() };
  try {
    await act();
  } finally {
    before = undefined;
  }
}

/** Asks the person about a table whose columns are not known. Returns false where there is nothing to ask. */
export type Ask = (file: File, refused: string) => Promise<boolean>;

/**
 * Has a Worker read a file, and plays its motion. A notice tells the fault of a refused file. A newer file takes its place.
 * facts: lines that the file got beside its own. A file that the link's facts make the link's motion gets them.
 * It ends when the motion plays, or when it never will.
 */
export async function play(given: File, ask?: Ask, facts?: string): Promise<void> {
  let file = given;
  const name = shortName(file.name);
  if (file.size > tables().motion_megabytes * 1e6) {
    lab.notify([`${name} is longer than ${tables().motion_megabytes} MB, the most that is read here`]);
    return;
  }
  const mine = { name, end: (): void => {} };
  nowReading('motion', mine);
  let bytes = await file.arrayBuffer().catch(() => undefined);
  const isLoaded = await lab.whole();
  if (!isReading('motion', mine)) return;
  if (!isLoaded) return nowReading('motion');
  if (bytes === undefined) {
    nowReading('motion');
    lab.notify([`${name} cannot be read: it is gone, or a folder`]);
    return;
  }
  const linked = facts === undefined ? factsOfLink(new Uint8Array(bytes)) : undefined;
  if (linked !== undefined) {
    bytes = made({ facts: { facts: linked } }, new Uint8Array(bytes)).buffer;
    file = new File([bytes], file.name);
  }
  let isWhole = false;
  const take = (part: Uint8Array | undefined): void => {
    if (part === undefined) {
      isWhole = true;
      nowReading('motion');
      if (lab.state.motion === undefined) driven = before === undefined ? drivenNow() : before.driven;
      lab.playMotion(file, facts ?? linked);
      void keepFile('motion', file);
    } else lab.page.receive('motion_part', part);
  };
  const read = new Uint8Array(bytes);
  await new Promise<void>((resolve) => {
    const end = start({ read, jumpsOver: lab.viewState.jumps_over }, (answer) => {
      if ('part' in answer && answer.part !== undefined) {
        lab.guard(() => take(answer.part));
        return;
      }
      if ('part' in answer) lab.guard(() => take(undefined));
      else nowReading('motion');
      if ('refused' in answer) void refuse(file, answer.refused, ask);
      resolve();
    });
    mine.end = () => {
      end();
      if (!isWhole) lab.guard(() => lab.page.apply({ source: 'drop_parts' }));
      resolve();
    };
  });
}

/** The link's facts, if the file together with them is the motion that the link names. */
function factsOfLink(file: Uint8Array): string | undefined {
  const { motion: name, facts } = lab.viewState;
  if (name === null || facts === null) return undefined;
  return look_up({ is_motion: { name, facts } }, file) ? facts : undefined;
}

async function refuse(file: File, refused: string, ask: Ask | undefined): Promise<void> {
  const isAsked = (await ask?.(file, refused)) === true;
  if (!isAsked) lab.notify([`${shortName(file.name)} cannot be played: ${refused}`]);
}

/** Goes back to what a person drove, or plays the scene from its start. A link’s instant may have paused the motion. */
export function leave(): void {
  if (driven === undefined) {
    lab.leaveMotion();
    lab.pause(false);
  } else lab.open(`#${driven}`);
}
