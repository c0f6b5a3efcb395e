// The one laboratory of the page.

import init, { on_panic, Page } from '../pkg/snapshot_web';
import { ignoreStopped } from './gate';
import { Laboratory } from './laboratory';
import { TELLING_TICKS } from './links/address';
import { doneAt, presentEntry } from './links/reload';

export type { LaneName, Live, Setting, SettingTexts as Settings } from '../pkg/snapshot_web';

/** Both lanes, A first. */
export const lanes = ['a', 'b'] as const;

/** Ticks on a throw-away laboratory: then the first frames need not wait for wasm to be compiled. */
const WARM_UP_TICKS = 24;

/** The laboratory, once `start` has made it: the modules below read it when they are called, and need no wasm to be imported. */
export let lab: Laboratory;

/** Compiles the wasm and opens the link of the address, or what was done before a reload. */
export async function start(wasm: Promise<Response>): Promise<void> {
  ignoreStopped();
  await init({ module_or_path: wasm });
  const thrownAway = new Page('');
  for (let i = 0; i < WARM_UP_TICKS; i++) thrownAway.tick(0);
  thrownAway.free();
  const moment = doneAt(presentEntry());
  lab = new Laboratory(moment === undefined ? location.hash : `#${moment}`);
  if (moment !== undefined) lab.notices = ['The page was loaded again. Your play was repeated, up to where you were.', ...lab.notices];
  on_panic((message: string) => lab.fail(`${message}. That is a mistake of ours`));
  if (matchMedia('(prefers-reduced-motion: reduce)').matches && lab.now.progress !== 'travelling') {
    for (let i = 0; i < TELLING_TICKS; i++) lab.tick(0);
    lab.step();
  }
}
