// The four components of an orientation. The largest is not sent: the receiver computes it from the others.

import type { Drawing } from '../protocol';
import { bar, line, type Pen, words } from './pen';

const NAMES = ['x', 'y', 'z', 'w'] as const;

export function components(pen: Pen, { turn }: Drawing): void {
  const { width, height } = pen;
  const largest = turn.reduce((best, number, place) => (Math.abs(number) > Math.abs(turn[best] ?? 0) ? place : best), 0);
  const left = 28;
  const right = width - 132;
  const middle = (left + right) / 2;
  const each = height / 4;
  line(pen, pen.muted, 1, [middle, 4], [middle, height - 4]);
  turn.forEach((number, place) => {
    const y = each * place + each * 0.2;
    const tall = each * 0.6;
    const end = middle + (number * (right - left)) / 2;
    const isSent = place !== largest;
    pen.context.globalAlpha = isSent ? 1 : 0.3;
    bar(pen, isSent ? pen.truth : pen.muted, Math.min(middle, end), y, Math.abs(end - middle), tall);
    pen.context.globalAlpha = 1;
    if (!isSent) line(pen, pen.bad, 2, [Math.min(middle, end) - 6, y + tall / 2], [Math.max(middle, end) + 6, y + tall / 2]);
    words(pen, NAMES[place] ?? '', 4, y + tall / 2 + 4, 'left', pen.ink);
    words(pen, isSent ? 'sent' : 'not sent: the largest', width, y + tall / 2 + 4, 'right', isSent ? pen.muted : pen.bad);
  });
}
