// Why the right view stands still: which packets it waits for, and what became of them.

import type { Packet } from '../../pkg/snapshot_web';
import { count } from '../format';
import { lab } from '../lab';

const MS_PER_TICK = 1000 / 60;
/** Packets that left longer ago than this have nothing to do with it, ticks. */
const LOOK_BACK = 300;
/** More numbers than this nobody reads. */
const MOST_NAMED = 4;

export interface Reason {
  words: string;
  /** The packet to look at. */
  packet: number | undefined;
}

/** Why it is frozen at the instant that is shown; undefined where it is not. */
export function whyFrozen(): Reason | undefined {
  if (!lab.live.frozen || lab.failure !== undefined) return undefined;
  const { at } = lab.span;
  const packets = lab.page.traffic(Math.max(0, at - LOOK_BACK), at, false)?.packets ?? [];
  const newest = packets.findLast(({ fate }) => fate === 'delivered');
  const after = packets.filter(({ tick }) => tick > (newest?.tick ?? -1));
  const lost = after.filter(({ fate }) => fate === 'lost');
  const since = newest === undefined ? 'Nothing has arrived yet' : `Nothing newer than packet ${newest.number}, which left ${ms(at - newest.tick)} ago, has arrived`;
  const next = after.find(({ fate, arrival_ms: arrival }) => fate === 'in_flight' && arrival !== null);
  const coming = next === undefined ? '' : ` Packet ${next.number} comes in ${Math.max(Math.round((next.arrival_ms ?? 0) - at * MS_PER_TICK), 0)} ms.`;
  if (lab.isCut) return { words: `${since}: the network is cut, and what left since is lost.`, packet: lost[0]?.number ?? newest?.number };
  if (lost.length > 0) return { words: `${since}: ${named(lost)} lost, and there is nothing to show next.${coming}`, packet: lost[0]?.number };
  return {
    words: `${since}: no packet is lost, but the next has been on its way for longer than the view waits. More playout delay would cover it.${coming}`,
    packet: next?.number ?? newest?.number,
  };
}

function named(packets: readonly Packet[]): string {
  const numbers = packets.slice(0, MOST_NAMED).map(({ number }) => number);
  const more = packets.length - numbers.length;
  return `packet${packets.length > 1 ? 's' : ''} ${numbers.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''} ${packets.length > 1 ? 'were' : 'was'}`;
}

function ms(ticks: number): string {
  return `${Math.round(ticks * MS_PER_TICK)} ms`;
}
