// A strip for each lane through the whole motion: red where the picture stood still, a cross at each lost packet.

import type { Drawing } from '../protocol';
import { bar, cross, type Pen, words } from './pen';

export function stills(pen: Pen, { tick, length, tracks }: Drawing): void {
  const each = pen.height / tracks.length;
  const left = 48;
  const width = pen.width - left - 8;
  tracks.forEach(({ packets, still }, place) => {
    const y = place * each + each * 0.45;
    words(pen, place === 0 ? 'left' : 'right', 0, y + 13);
    if (place === 0) words(pen, 'red: stood still;  ×: a lost packet', left, y + 36);
    bar(pen, pen.hair, left, y, width, 18);
    strip(pen, still, 0, length, left, y, width, 18);
    for (const { sent, isLost } of packets) if (isLost) cross(pen, left + (sent / length) * width, y - 8);
    bar(pen, pen.ink, left + (tick / length) * width, y - 4, 1.5, 26);
  });
}

/** Draws `count` ticks from `from` on: pale where time went on, red where it stood. */
export function strip(pen: Pen, still: Uint8Array, from: number, count: number, x: number, y: number, width: number, height: number): void {
  const each = width / count;
  const ticks = Math.min(count, still.length - from);
  const shift = width - ticks * each;
  // A strip that is not full yet grows from the left when it holds the whole motion, and ends at now when it is a window.
  const left = from === 0 && count > 120 ? x : x + shift;
  bar(pen, pen.hair, left, y, ticks * each, height);
  for (let i = 0; i < ticks; i++) if (still[from + i] === 1) bar(pen, pen.bad, left + i * each, y, Math.max(each, 1), height);
}
