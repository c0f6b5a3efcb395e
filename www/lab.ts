// The one laboratory of the page.

import init, { loadRest, look_up, on_panic } from '../pkg/snapshot_web';
import { ignoreStopped } from './gate';
import { Laboratory } from './laboratory';
import { TELLING_TICKS } from './links/address';
import { doneAt, presentEntry } from './links/reload';

export type { LaneName, Live, Setting, SettingTexts as Settings } from '../pkg/snapshot_web';

/** Both lanes, A first. */
export const lanes = ['a', 'b'] as const;

/** The laboratory, once `start` has made it: the modules below read it when they are called, and need no wasm to be imported. */
export let lab: Laboratory;

/** Compiles the wasm and opens the link of the address, or what was done before a reload. `tell` gets what it waits for. */
export async function start(wasm: Promise<Response>, tell: (words: string) => void): Promise<void> {
  ignoreStopped();
  await init({ module_or_path: wasm });
  const moment = doneAt(presentEntry());
  const link = moment === undefined ? location.hash : `#${moment}`;
  if (look_up({ link_needs_rest: { link } }, new Uint8Array())) {
    tell('Loading the rest of the simulation, which this link needs');
    await loadRest().catch(() => {
      throw new Error('the rest of the simulation did not arrive. See to the connection, and reload the page');
    });
  }
  lab = new Laboratory(link);
  if (moment !== undefined) lab.notices = ['The page was loaded again. Your play was repeated, up to where you were.', ...lab.notices];
  on_panic((message: string) => lab.fail(`${message}. That is a mistake of ours`));
  if (matchMedia('(prefers-reduced-motion: reduce)').matches && lab.now.progress !== 'travelling') {
    for (let i = 0; i < TELLING_TICKS; i++) lab.tick(0);
    lab.step();
  }
}
