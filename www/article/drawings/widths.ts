// Three counts: how many sent indices, positions and orientations took so many bits, and how many each took before.

import type { Drawing } from '../protocol';
import { bar, line, type Pen, words } from './pen';

const ROWS = [
  { name: 'index', before: 10, longest: 13, colour: 'warm' },
  { name: 'position', before: 50, longest: 56, colour: 'sound' },
  { name: 'orientation', before: 29, longest: 34, colour: 'truth' },
] as const;

export function widths(pen: Pen, drawing: Drawing): void {
  const gap = 24;
  const each = (pen.width - 2 * gap) / 3;
  const floor = pen.height - 18;
  ROWS.forEach(({ name, before, longest, colour }, row) => {
    const counts = drawing.widths.subarray(row * 64, row * 64 + 64);
    const most = Math.max(1, ...counts);
    const left = row * (each + gap);
    const step = each / (longest + 1);
    counts.forEach((count, bits) => {
      const tall = (count / most) * (floor - 20);
      if (bits <= longest) bar(pen, pen[colour], left + bits * step, floor - tall, Math.max(3, step - 1), tall);
    });
    line(pen, pen.hair, 1, [left, floor], [left + each, floor]);
    const x = left + (before + 0.5) * step;
    line(pen, pen.ink, 1.5, [x, 16], [x, floor + 3]);
    words(pen, each < 240 ? name : `how often each count of bits: ${name}`, left, 12, 'left', pen.ink);
    words(pen, `before: ${before} bits`, x + step, pen.height - 4, 'right', pen.ink);
    words(pen, '0 bits', left, pen.height - 4);
  });
}
