// Why the right view stands still, jumps, or is put right: which packets did it, and what became of them.

import type { Packet } from '../../pkg/snapshot_web';
import { count, measure } from '../shell/format';
import { lab } from '../lab';

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

/** The reason for a glitch of the view at the shown instant; undefined without a glitch. What is over in a tick is told while paused. */
export function whyGlitch(): Reason | undefined {
  if (lab.failure !== undefined) return undefined;
  if (lab.a.live.frozen) return whyFrozen();
  return lab.running ? undefined : whyMoved();
}

/** The reason for a jump of the view or of some cubes. */
function whyMoved(): Reason | undefined {
  const glitch = lab.page.glitch('a');
  if (glitch === undefined) return undefined;
  const { at } = lab.span;
  const packets = lab.page.traffic('a', Math.max(0, at - LOOK_BACK), at)?.packets ?? [];
  if (glitch.kind === 'jump') {
    const arrived = packets.findLast(({ arrival_ms: arrival }) => arrival !== null && arrival > (at - 1) * lab.tickMs && arrival <= at * lab.tickMs);
    const until = arrived === undefined ? 'now' : `packet ${arrived.number} arrived`;
    return { heading: `${viewOfA()} jumps.`, words: `It had stood still for ${duration(glitch.stood_still_ms)}, until ${until}.`, packet: arrived?.number };
  }
  const sent = packets.find(({ tick }) => tick === glitch.sent_tick);
  const by = sent === undefined ? 'a packet' : `packet ${sent.number}`;
  const jump = `${count(glitch.cubes)} cube${glitch.cubes === 1 ? ' jumps' : 's jump'}`;
  return {
    heading: `${viewOfA()} is put right.`,
    words: `${jump} because of ${by}: cube ${glitch.cube} had waited the longest for an update, ${duration(glitch.waited_ms)}.`,
    packet: sent?.number,
  };
}

/** A's view by the place that it has. */
function viewOfA(): string {
  return lab.arrangement === 'two' || lab.arrangement === 'one' ? 'A’s view' : 'The right view';
}

/** Why nothing newer is shown. */
function whyFrozen(): Reason {
  const { strategy, transport } = lab.a.settings;
  const { at } = lab.span;
  const packets = lab.page.traffic('a', Math.max(0, at - LOOK_BACK), at)?.packets ?? [];
  const newest = packets.findLast(({ fate }) => fate === 'delivered');
  const after = packets.filter(({ tick }) => tick > (newest?.tick ?? -1));
  const lost = after.filter(({ fate }) => fate === 'lost');
  const since = newest === undefined ? 'Nothing has arrived yet' : `Nothing newer than packet ${newest.number}, which left ${ms(at - newest.tick)} ago, has arrived`;
  const next = after.find(({ fate, arrival_ms: arrival }) => fate === 'in_flight' && arrival !== null);
  const coming = next === undefined ? '' : ` Packet ${next.number} comes in ${Math.max(Math.round((next.arrival_ms ?? 0) - at * lab.tickMs), 0)} ms.`;
  const { heading, meanwhile } = ways[strategy ?? ''] ?? ways['snapshot'];
  const reason = (words: string, packet: Packet | undefined): Reason => ({ heading: `${viewOfA()} ${heading}`, words: `${since}: ${words}`, packet: packet?.number ?? newest?.number });
  if (lab.isCut) return reason(`the network is cut, and what left since is lost. ${meanwhile}`, lost[0]);
  if (strategy === 'lockstep' && transport === 'tcp' && next !== undefined) return reason(`${heldUp(next, after)}${coming}`, next);
  if (lost.length > 0) return reason(`${named(lost)} lost. ${meanwhile}${coming}`, lost[0]);
  return reason(`no packet is lost, but the next has been on its way for longer than the view waits. ${meanwhile} More playout delay would cover it.${coming}`, next);
}

/** Words for each strategy's view without news. */
const ways: Readonly<Record<string, { heading: string; meanwhile: string }>> & { snapshot: { heading: string; meanwhile: string } } = {
  snapshot: { heading: 'stands still.', meanwhile: 'There is nothing to show next.' },
  sync: { heading: 'simulates on its own.', meanwhile: 'It goes on with the last keys that it heard, and drifts from the truth until news comes.' },
  lockstep: { heading: 'waits for a key.', meanwhile: 'The next frame cannot be simulated without its key.' },
};

/** TCP hands over in order: the first segment that is missing holds up all behind it. */
function heldUp(next: Packet, after: readonly Packet[]): string {
  const behind = after.filter(({ tick, arrival_ms: arrival }) => tick > next.tick && arrival === next.arrival_ms).length;
  const travel = (next.arrival_ms ?? 0) - next.tick * lab.tickMs;
  const was = travel > 2 * Number(lab.a.settings['latency'] ?? 0) ? 'was lost on its way, and TCP sends it again' : 'is still on its way';
  return `packet ${next.number} ${was}. TCP hands over in order, so ${behind === 0 ? 'all that comes later waits' : `${count(behind)} behind it wait, though they have left since`}.`;
}

function named(packets: readonly Packet[]): string {
  const numbers = packets.slice(0, MOST_NAMED).map(({ number }) => number);
  const more = packets.length - numbers.length;
  return `packet${packets.length > 1 ? 's' : ''} ${numbers.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''} ${packets.length > 1 ? 'were' : 'was'}`;
}

function ms(ticks: number): string {
  return `${Math.round(ticks * lab.tickMs)} ms`;
}

function duration(ms: number): string {
  return ms >= 1000 ? `${measure(ms / 1000)} s` : `${Math.round(ms)} ms`;
}
