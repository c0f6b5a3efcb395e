// The packets of a lane's link in the last seconds: causes of delay, queue, rates, losses, and the share that comes late.

import type { LaneName, Packet, Cause as PacketCause } from '../../pkg/snapshot_web';
import { lab, type Settings } from '../lab';
import { strategyRow } from '../shell/strategy';
import { tables } from '../tables';

/** Time over which a rate goes, and between two values of it, s. */
const RATE_OVER_S = 1;
const RATE_EVERY_S = 0.1;

/** A part of a packet's delay, and the style sheet's name for its colour. */
export type Cause = PacketCause & { colour: string };

/** From the bottom of the stack to its top. */
export const causes: readonly Cause[] = tables().delay_causes.map((cause) => ({ ...cause, colour: `--cause-${cause.id}` }));

/** The instants at which packets are due: a packet is shown so long after it left. */
export interface Due {
  /** The receiver's setting of the delay. */
  id: 'delay' | 'buffer';
  adapts: boolean;
  /** Length of one of the setting's units. */
  unitMs: number;
  delayMs: number;
  /** Time from departure to the play instant that the delay is added to: the fastest packet's way. */
  offsetMs: number;
  /** From the tick `first` on. */
  first: number;
  lagMs: readonly number[];
}

export interface Rates {
  times: number[];
  offered: number[];
  arrived: number[];
}

export interface LinkData {
  lane: LaneName;
  fromTick: number;
  toTick: number;
  /** Packets that left in the window. */
  packets: readonly Packet[];
  /** Rising. */
  delays: readonly number[];
  /** Packets on their way whose delay is not known yet. */
  open: number;
  /** By cause: its name, packets. */
  losses: readonly { name: string; packets: number }[];
  lost: number;
  due: Due | undefined;
  rates: Rates;
  /** Capacity in kbit/s; undefined where there is no bottleneck. */
  capacityKbps: number | undefined;
  /** The longest wait in the queue, ms. */
  longestQueueMs: number | undefined;
}

/** Reads the seconds up to the shown instant; undefined where the lane has no packets. */
export function readLink(lane: LaneName, seconds: number): LinkData | undefined {
  const { at, first } = lab.now;
  const fromTick = Math.max(first, at - seconds * lab.tickRate);
  // The first rate goes over a second before the window.
  const traffic = lab.ask({ traffic: { lane, from: Math.max(first, fromTick - RATE_OVER_S * lab.tickRate), to: at } });
  const settings = lab.state[lane];
  if (traffic === undefined || settings === undefined) return undefined;
  const packets = traffic.packets.filter(({ tick }) => tick > fromTick || fromTick === 0);
  const lost = packets.filter(({ fate, lost_by: by }) => by !== null || fate === 'lost');
  const delays = packets.flatMap((packet) => delayOf(packet) ?? []);
  delays.sort((a, b) => a - b);
  const byCause = new Map<string, number>();
  for (const { lost_by: by } of lost) byCause.set(by ?? 'cut', (byCause.get(by ?? 'cut') ?? 0) + 1);
  const rate = Number(settings.rate);
  return {
    lane,
    fromTick,
    toTick: at,
    packets,
    delays,
    open: packets.length - lost.length - delays.length,
    losses: tables().loss_causes.flatMap(({ id, name }) => (byCause.has(id) ? [{ name, packets: byCause.get(id) ?? 0 }] : [])),
    lost: lost.length,
    due: dueOf(lane, settings, at - fromTick),
    rates: ratesOf(traffic.packets, fromTick, at),
    capacityKbps: rate > 0 ? rate : undefined,
    longestQueueMs: rate > 0 ? Number(settings.queue) : undefined,
  };
}

/** Returns true if a lane's packets go through a bottleneck. */
export function isNarrow(lane: LaneName): boolean {
  return Number(lab.state[lane]?.rate ?? 0) > 0;
}

/** Share of lane A's packets of the last second that found the queue full, and the newest packet's wait. Undefined without a bottleneck. */
export function fullness(): { dropped: number; waitMs: number } | undefined {
  if (!isNarrow('a')) return undefined;
  const { at } = lab.now;
  const packets = lab.ask({ traffic: { lane: 'a', from: Math.max(at - lab.tickRate + 1, 0), to: at } })?.packets ?? [];
  const dropped = packets.filter(({ lost_by: by }) => by === 'queue').length / Math.max(packets.length, 1);
  return { dropped, waitMs: packets.findLast(({ delay_by_cause: parts }) => parts !== null)?.delay_by_cause?.['queue'] ?? 0 };
}

/** From departure to arrival, ms; undefined if it is lost, or not known yet. */
export function delayOf({ arrival_ms: arrival, tick }: Packet): number | undefined {
  return arrival === null ? undefined : arrival - tick * lab.tickMs;
}

/** The part of a packet's delay by a cause, ms. Jitter that makes the way shorter takes from the latency. */
export function partOf({ delay_by_cause: parts }: Packet, { id }: Cause): number {
  const tail = parts?.['tail'] ?? 0;
  if (id === 'base') return (parts?.['base'] ?? 0) + Math.min(tail, 0);
  return Math.max(parts?.[id] ?? 0, 0);
}

/** The time that a packet which leaves at a tick has before it is due, ms. */
export function lagAt({ first, lagMs }: Due, tick: number): number {
  const place = Math.min(Math.max(tick - first, 0), lagMs.length - 1);
  return lagMs[place] ?? 0;
}

/** Packets that come later than so long after their departure. */
export function laterThan(delays: readonly number[], ms: number): number {
  return delays.filter((delay) => delay > ms + 1e-6).length;
}

/** Wire size of a packet with all its headers, in bytes. */
export function wireBytes({ bits_by_kind: bits }: Packet): number {
  return Object.values(bits).reduce((sum, of) => sum + of, 0) / 8;
}

/** A share of sorted values does not exceed it. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? 0;
}

/** Undefined before anything is shown. */
function dueOf(lane: LaneName, settings: Settings, ticks: number): Due | undefined {
  const playout = lab.ask({ playout: { lane, ticks } });
  const id = strategyRow(settings.strategy).delay_key;
  const adapts = settings[id] === 'adaptive';
  const shown = playout?.behind_ms.flatMap((behind, place) => (behind > 0 ? [{ behind, delay: playout.delay_ms[place] ?? 0 }] : [])) ?? [];
  const last = shown.at(-1);
  if (playout === undefined || last === undefined) return undefined;
  // Where the view stands still it is further behind than it is meant to be: the least is the plan.
  const offsetMs = Math.max(Math.min(...shown.map(({ behind, delay }) => behind - delay)), 0);
  const delayMs = last.delay;
  return {
    id,
    adapts,
    unitMs: id === 'buffer' ? lab.tickMs : 1,
    delayMs,
    offsetMs,
    first: playout.first,
    lagMs: adapts ? playout.delay_ms.map((delay) => offsetMs + delay) : [offsetMs + delayMs],
  };
}

/** Over the last second, ten times a second: what left, and what came out at the other side. */
function ratesOf(packets: readonly Packet[], fromTick: number, toTick: number): Rates {
  const left = packets.map((packet) => ({ at: packet.tick / lab.tickRate, bits: 8 * wireBytes(packet) }));
  const came = packets.flatMap((packet) => (packet.arrival_ms === null ? [] : [{ at: packet.arrival_ms / 1000, bits: 8 * wireBytes(packet) }]));
  came.sort((a, b) => a.at - b.at);
  const count = Math.max(Math.floor((toTick - fromTick) / (RATE_EVERY_S * lab.tickRate)), 1);
  const times = Array.from({ length: count }, (_, place) => toTick / lab.tickRate - (count - 1 - place) * RATE_EVERY_S);
  return { times, offered: overSeconds(left, times), arrived: overSeconds(came, times) };
}

/** kbit/s over the second up to each time. Both rise. */
function overSeconds(events: readonly { at: number; bits: number }[], times: readonly number[]): number[] {
  let [head, tail, bits] = [0, 0, 0];
  return times.map((time) => {
    for (let event = events[head]; event !== undefined && event.at <= time + 1e-9; event = events[++head]) bits += event.bits;
    for (let event = events[tail]; event !== undefined && event.at <= time - RATE_OVER_S + 1e-9; event = events[++tail]) bits -= event.bits;
    return Math.max(bits, 0) / RATE_OVER_S / 1000;
  });
}
