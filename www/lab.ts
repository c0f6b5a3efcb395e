// The one laboratory of the page.

import init, { type HandLive, type Live, type LockstepLive as LockstepFigures, on_panic, Page, type SyncLive } from '../pkg/snapshot_web';
import { ignoreStopped } from './gate';
import { Laboratory } from './laboratory';
import { TELLING_TICKS } from './links/address';
import { beforeTheReload } from './links/reload';

export type { LaneName, Live, Preset, Setting, SyncLive } from '../pkg/snapshot_web';
export type { Change } from './laboratory';

/** Figures of lockstep, of the run and of the newest packet. */
export type LockstepLive = LockstepFigures & Required<Pick<Live, 'inputs_per_packet'>>;

/** Ticks on a throw-away laboratory: then the first frames need not wait for wasm to be compiled. */
const WARM_UP_TICKS = 24;

/** Returns true if these are figures of state synchronisation. */
export function isSync(live: Live): live is Live & SyncLive {
  return live.budget_kbps !== undefined;
}

/** Returns true if these are figures of lockstep. */
export function isLockstep(live: Live): live is Live & LockstepLive {
  return live.frames_checked !== undefined;
}

/** Returns true if these are figures of a game. */
export function isHand(live: Live): live is Live & HandLive {
  return live.keys_missing !== undefined;
}

/** The laboratory, once `start` has made it: the modules below read it when they are called, and need no wasm to be imported. */
export let lab: Laboratory;

/** Compiles the wasm and opens the link of the address, or what was done before a reload. */
export async function start(): Promise<void> {
  ignoreStopped();
  await init();
  const thrownAway = new Page('');
  for (let i = 0; i < WARM_UP_TICKS; i++) thrownAway.tick(0);
  thrownAway.free();
  const moment = beforeTheReload();
  lab = new Laboratory(moment ?? location.hash);
  if (moment !== undefined) lab.notices = ['The page was loaded again: what you did is done once more, up to where you were.', ...lab.notices];
  on_panic((message: string) => lab.fail(`${message}. That is a mistake of ours`));
  if (matchMedia('(prefers-reduced-motion: reduce)').matches && lab.progress.state !== 'travelling') {
    for (let i = 0; i < TELLING_TICKS; i++) lab.tick(0);
    lab.step();
  }
}
