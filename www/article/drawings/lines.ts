// Packets on their way between two time lines, one lane beside the other, and below each the frames that stood still.

import type { Drawing, LaneTrack } from '../protocol';
import { cross, line, type Pen, words } from './pen';
import { strip } from './stills';

const TICKS = 60;

export function lines(pen: Pen, { tick, tracks }: Drawing): void {
  const gap = 16;
  const each = (pen.width - gap * (tracks.length - 1)) / tracks.length;
  tracks.forEach((track, place) => lane(pen, track, tick, place * (each + gap), each));
}

function lane(pen: Pen, { packets, still }: LaneTrack, tick: number, left: number, width: number): void {
  const { context, height } = pen;
  const [sentY, arrivedY, strip_y] = [18, height - 46, height - 30];
  const x = (at: number): number => left + width * (1 - (tick - at) / TICKS);
  context.save();
  context.beginPath();
  context.rect(left, 0, width, height);
  context.clip();
  line(pen, pen.hair, 1, [left, sentY], [left + width, sentY]);
  line(pen, pen.hair, 1, [left, arrivedY], [left + width, arrivedY]);
  for (const { sent, arrived, isLost } of packets) {
    if (sent < tick - TICKS - 12) continue;
    const end = Number.isNaN(arrived) || arrived > tick ? tick : arrived;
    const travelled = Number.isNaN(arrived) ? 0.5 : Math.min(1, (tick - sent) / Math.max(arrived - sent, 0.1));
    const y = sentY + (arrivedY - sentY) * travelled;
    line(pen, isLost ? pen.bad : pen.truth, 1, [x(sent), sentY], [x(end), y]);
    dot(pen, x(sent), sentY);
    if (isLost) cross(pen, x(end), y);
    else dot(pen, x(end), y);
  }
  context.restore();
  strip(pen, still, Math.max(0, tick - TICKS), TICKS, left, strip_y, width, 10);
  words(pen, 'sent', left, 11);
  words(pen, 'arrived', left, arrivedY - 5);
  words(pen, 'red: stood still', left, height - 6);
}

function dot({ context, truth }: Pen, x: number, y: number): void {
  context.fillStyle = truth;
  context.beginPath();
  context.arc(x, y, 2, 0, 2 * Math.PI);
  context.fill();
}
