// The cure beside the diagnosis: the playout delay that would have shown most of what came too late, from the recorded arrivals.

import { lab } from '../lab';

/** The share of frozen frames that a cure aims to show in time. */
const AIM = 0.9;
const ROUND_TO_MS = 5;
/** A cure of less than this share is none. */
const LEAST_SHARE = 0.2;

export interface Cure {
  delayMs: number;
  /** The share of the frozen frames that it would have shown in time. */
  share: number;
  frames: number;
}

/** The cure of the frames up to the shown instant in which A's view stood still; undefined where a playout delay is none. */
export function cureOf(): Cure | undefined {
  if (lab.a.settings['strategy'] !== 'snapshot' || lab.a.settings['interp'] === 'none') return undefined;
  // A delay that adapts has chosen which packets come too late; without a clock none does.
  if (lab.a.settings['delay'] === 'adaptive' || lab.a.settings['delay'] === 'none') return undefined;
  const { at, first } = lab.span;
  const traffic = lab.page.traffic('a', first, at);
  const frozen = new Set<number>();
  for (const { from, to } of lab.page.troubles(at - first).frozen) for (let tick = from; tick <= to; tick += 1) frozen.add(tick);
  if (traffic === undefined || frozen.size === 0) return undefined;
  // The newest snapshot that had arrived by each tick.
  const newestAt = new Map<number, number>();
  for (const { tick, arrival_ms: arrival } of traffic.packets) {
    if (arrival === null) continue;
    const by = Math.ceil(arrival / lab.tickMs);
    newestAt.set(by, Math.max(newestAt.get(by) ?? 0, tick));
  }
  // A frame stands still where its play instant is past the newest snapshot: more delay by how far it is past shows it.
  const ages: number[] = [];
  let oldestShown = 0;
  let newest: number | undefined;
  for (let tick = first; tick <= at; tick += 1) {
    const arrived = newestAt.get(tick);
    if (arrived !== undefined) newest = Math.max(newest ?? 0, arrived);
    if (newest === undefined) continue;
    const age = (tick - newest) * lab.tickMs;
    if (frozen.has(tick)) ages.push(age);
    else oldestShown = Math.max(oldestShown, age);
  }
  if (ages.length === 0) return undefined;
  ages.sort((a, b) => a - b);
  const aimed = ages[Math.min(Math.ceil(AIM * ages.length), ages.length) - 1] ?? 0;
  const now = lab.a.live.delay_ms;
  const wanted = now + Math.max(aimed - oldestShown, 0);
  const mostMs = lab.row('delay')?.number?.max ?? Infinity;
  const delayMs = Math.min(Math.ceil(wanted / ROUND_TO_MS) * ROUND_TO_MS, mostMs);
  const share = ages.filter((age) => age - oldestShown <= delayMs - now).length / ages.length;
  return delayMs <= now || share < LEAST_SHARE ? undefined : { delayMs, share, frames: ages.length };
}
