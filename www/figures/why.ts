// Why the right view stands still, jumps, or is put right: which packets did it, and what became of them.

import type { Wait } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { count, duration } from '../shell/format';
import { strategy, wordsOf } from '../shell/strategy';

/** Packets that left longer ago than this have nothing to do with a jump, ticks. */
const LOOK_BACK = 300;

export interface Reason {
  heading: string;
  words: string;
  /** The packet to look at. */
  packet: number | undefined;
}

/** The reason for a glitch of the view at the shown instant; undefined without a glitch. What is over in a tick is told while paused. */
export function whyGlitch(): Reason | undefined {
  if (lab.now.a.waits) return whyWaits();
  return lab.running ? undefined : whyMoved();
}

/** The reason for a jump of the view or of some cubes. */
function whyMoved(): Reason | undefined {
  const glitch = lab.ask({ glitch: { lane: 'a' } });
  if (glitch === undefined) return undefined;
  const { at } = lab.now;
  const packets = lab.ask({ traffic: { lane: 'a', from: Math.max(0, at - LOOK_BACK), to: at } })?.packets ?? [];
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

/** A's view by its name, where there is another. */
function viewOfA(): string {
  return lab.b === undefined ? 'The right view' : 'A’s view';
}

/** Why nothing newer is shown. */
function whyWaits(): Reason | undefined {
  const wait = lab.ask({ wait: { lane: 'a' } });
  if (wait === undefined) return undefined;
  const { newest, next, next_in_ms: inMs, lost } = wait;
  const { waits: heading, meanwhile } = wordsOf();
  const since =
    newest === null
      ? 'Nothing has arrived yet'
      : `Nothing newer than packet ${newest.number}, which left ${duration((lab.now.at - newest.tick) * lab.tickMs)} ago, has been used`;
  const coming = next === null || inMs === null ? '' : ` Packet ${next.number} comes in ${duration(inMs)}.`;
  const reason = (words: string, packet: number | undefined): Reason => ({
    heading: `${viewOfA()} ${heading}`,
    words: `${since}: ${words}`,
    packet: packet ?? newest?.number,
  });
  if (lab.now.is_cut) return reason(`the network is cut, and what left since is lost. ${meanwhile}`, lost[0]);
  if (lab.a.transport === 'tcp' && strategy() === 'lockstep' && next !== null) return reason(`${heldUp(next.number, wait)}${coming}`, next.number);
  if (lost.length > 0) return reason(`${named(lost, wait.lost_count)} lost. ${meanwhile}${coming}`, lost[0]);
  if (next === null) return reason(`no other packet has left since. ${meanwhile}`, undefined);
  const more = strategy() === 'sync' ? '' : ' More playout delay would cover it.';
  return reason(`no packet is lost, but packet ${next.number} has been on its way for longer than the view waits. ${meanwhile}${more}${coming}`, next.number);
}

/** TCP hands over in order: the first segment that is missing holds up all behind it. */
function heldUp(next: number, { is_sent_again: isSentAgain, held_back: behind }: Wait): string {
  const was = isSentAgain ? 'was lost on its way, and TCP sends it again' : 'is still on its way';
  const waits =
    behind === 0 ? 'all that comes later waits' : `${count(behind)} behind it ${behind === 1 ? 'has' : 'have'} arrived and ${behind === 1 ? 'waits' : 'wait'}`;
  return `packet ${next} ${was}. TCP hands over in order, so ${waits}.`;
}

function named(numbers: readonly number[], all: number): string {
  const more = all - numbers.length;
  return `packet${all > 1 ? 's' : ''} ${numbers.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''} ${all > 1 ? 'were' : 'was'}`;
}
