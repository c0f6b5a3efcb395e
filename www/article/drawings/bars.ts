// The rates of both lanes, against the goal.

import type { Drawing } from '../protocol';
import { bar, line, type Pen, words } from './pen';

const GOAL_KBPS = 256;
const MOST_KBPS = 420;

export function bars(pen: Pen, { tracks }: Drawing): void {
  const { width, height } = pen;
  const left = width < 500 ? 92 : 124;
  const room = width - left - 60;
  const x = (kbps: number): number => left + (room * Math.min(kbps, MOST_KBPS)) / MOST_KBPS;
  const each = (height - 22) / 2;
  tracks.forEach(({ kbps }, place) => {
    if (Number.isNaN(kbps)) return;
    const y = 20 + each * place + each * 0.15;
    const tall = each * 0.62;
    words(pen, place === 0 ? 'whole bits' : 'by probability', 0, y + tall / 2 + 4, 'left', pen.ink);
    bar(pen, kbps > GOAL_KBPS ? pen.bad : pen.sound, left, y, x(kbps) - left, tall);
    words(pen, `${kbps.toFixed(0)} kbit/s`, Math.min(x(kbps) + 6, width - 62), y + tall / 2 + 4, 'left', pen.ink);
  });
  line(pen, pen.ink, 1.5, [x(GOAL_KBPS), 16], [x(GOAL_KBPS), height]);
  words(pen, `goal: ${GOAL_KBPS}`, x(GOAL_KBPS), 11, 'center', pen.ink);
}
