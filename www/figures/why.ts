// Why the right view stands still, jumps, or is put right: which packets did it, and what became of them.

import type { Packet } from '../../pkg/snapshot_web';
import { count, measure } from '../format';
import { lab } from '../lab';

const MS_PER_TICK = 1000 / 60;
/** Packets that left longer ago than this have nothing to do with it, ticks. */
const LOOK_BACK = 300;
/** More numbers than this nobody reads. */
const MOST_NAMED = 4;

export interface Reason {
  heading: string;
  words: string;
  /** The packet to look at. */
  packet: number | undefined;
}

/** Why it does not just go on at the instant that is shown; undefined where it does. What is over in a tick is told while paused. */
export function whyGlitch(): Reason | undefined {
  if (lab.failure !== undefined) return undefined;
  if (lab.a.live.frozen) return whyFrozen();
  return lab.running ? undefined : whyMoved();
}

/** Why it jumped, or cubes of it did. */
function whyMoved(): Reason | undefined {
  const glitch = lab.page.glitch('a');
  if (glitch === undefined) return undefined;
  const { at } = lab.span;
  const packets = lab.page.traffic('a', Math.max(0, at - LOOK_BACK), at)?.packets ?? [];
  if (glitch.kind === 'jump') {
    const arrived = packets.findLast(({ arrival_ms: arrival }) => arrival !== null && arrival > (at - 1) * MS_PER_TICK && arrival <= at * MS_PER_TICK);
    const until = arrived === undefined ? 'now' : `packet ${arrived.number} arrived`;
    return { heading: 'The right view jumps.', words: `It had stood still for ${duration(glitch.stood_still_ms)}, until ${until}.`, packet: arrived?.number };
  }
  const sent = packets.find(({ tick }) => tick === glitch.sent_tick);
  const by = sent === undefined ? 'a packet' : `packet ${sent.number}`;
  const jump = `${count(glitch.cubes)} cube${glitch.cubes === 1 ? ' jumps' : 's jump'}`;
  return {
    heading: 'The right view is put right.',
    words: `${jump} by what ${by} says: cube ${glitch.cube} had waited the longest for an update, ${duration(glitch.waited_ms)}.`,
    packet: sent?.number,
  };
}

/** Why it is frozen. */
function whyFrozen(): Reason {
  const heading = 'The right view stands still.';
  const { at } = lab.span;
  const packets = lab.page.traffic('a', Math.max(0, at - LOOK_BACK), at)?.packets ?? [];
  const newest = packets.findLast(({ fate }) => fate === 'delivered');
  const after = packets.filter(({ tick }) => tick > (newest?.tick ?? -1));
  const lost = after.filter(({ fate }) => fate === 'lost');
  const since = newest === undefined ? 'Nothing has arrived yet' : `Nothing newer than packet ${newest.number}, which left ${ms(at - newest.tick)} ago, has arrived`;
  const next = after.find(({ fate, arrival_ms: arrival }) => fate === 'in_flight' && arrival !== null);
  const coming = next === undefined ? '' : ` Packet ${next.number} comes in ${Math.max(Math.round((next.arrival_ms ?? 0) - at * MS_PER_TICK), 0)} ms.`;
  if (lab.isCut) return { heading, words: `${since}: the network is cut, and what left since is lost.`, packet: lost[0]?.number ?? newest?.number };
  if (lost.length > 0) return { heading, words: `${since}: ${named(lost)} lost, and there is nothing to show next.${coming}`, packet: lost[0]?.number };
  return {
    heading,
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

function duration(ms: number): string {
  return ms >= 1000 ? `${measure(ms / 1000)} s` : `${Math.round(ms)} ms`;
}
