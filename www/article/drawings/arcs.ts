// Packets as bars, as high as they are large, with an arc from each to its baseline.

import type { Drawing, LaneTrack } from '../protocol';
import { bar, cross, line, type Pen, words } from './pen';

const TICKS = 60;
const MOST_BITS = 9000;
const NAMES = ['near', 'far'];

export function arcs(pen: Pen, { tick, tracks }: Drawing): void {
  const gap = 16;
  const each = (pen.width - gap * (tracks.length - 1)) / tracks.length;
  tracks.forEach((track, place) => lane(pen, track, tick, place * (each + gap), each, NAMES[place] ?? ''));
}

function lane(pen: Pen, { packets }: LaneTrack, tick: number, left: number, width: number, name: string): void {
  const { context, height } = pen;
  const floor = height - 18;
  const most = floor * 0.45;
  const x = (at: number): number => left + width * (1 - (tick - at + 0.5) / TICKS);
  context.save();
  context.beginPath();
  context.rect(left, 0, width, height);
  context.clip();
  const top = (bits: number): number => floor - Math.min(1, bits / MOST_BITS) * most;
  for (const { sent, bits, isLost } of packets) {
    if (sent < tick - TICKS) continue;
    const y = top(bits);
    bar(pen, isLost ? pen.bad : pen.truth, x(sent) - width / TICKS / 2 + 1, y, Math.max(1, width / TICKS - 2), floor - y);
    if (isLost) cross(pen, x(sent), y - 8);
  }
  context.globalAlpha = 0.45;
  context.strokeStyle = pen.muted;
  context.lineWidth = 1;
  for (const { sent, baseline, bits } of packets) {
    if (Number.isNaN(baseline) || sent < tick - TICKS) continue;
    const [from, to] = [x(sent), x(baseline)];
    const base = Math.min(top(bits), floor - most * 0.6) - 2;
    context.beginPath();
    context.moveTo(from, base);
    context.quadraticCurveTo((from + to) / 2, base - Math.min(base, 10 + (from - to) * 0.35) * 1.6, to, base);
    context.stroke();
  }
  context.globalAlpha = 1;
  line(pen, pen.hair, 1, [left, floor], [left + width, floor]);
  context.restore();
  words(pen, width < 240 ? `${name}: arcs to baselines` : `${name}: packets, with arcs to their baselines`, left, height - 4);
}
