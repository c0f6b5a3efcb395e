// Losses, freezes and cuts, under the lines of a chart.

import { lab } from '../lab';
import { hatchMade } from './drawing';

/** The length of a chart, and a little more. */
const LENGTH_S = 31;
const MARK_PX = 3;

/** Cuts as bands, freezes as bars along the top, each lost packet as a mark at the bottom. */
export function drawTroubles(
  context: CanvasRenderingContext2D,
  x: (time: number) => number,
  top: number,
  bottom: number,
  colour: (name: string) => string,
): void {
  hatchMade(context, x, top, bottom, colour);
  const { lost, still, cut } = lab.ask({ troubles: { ticks: LENGTH_S * lab.tickRate } });
  const at = (tick: number): number => x(tick / lab.tickRate);
  context.fillStyle = colour('--hair');
  for (const { from, to } of cut) context.fillRect(at(from), top, Math.max(at(to + 1) - at(from), 1), bottom - top);
  context.fillStyle = colour('--bad');
  for (const { from, to } of still) context.fillRect(at(from), top, Math.max(at(to + 1) - at(from), 2), 4);
  context.strokeStyle = colour('--muted');
  context.lineWidth = 1;
  context.beginPath();
  for (const tick of lost) {
    const [left, middle] = [at(tick), bottom - MARK_PX - 1];
    context.moveTo(left - MARK_PX, middle - MARK_PX);
    context.lineTo(left + MARK_PX, middle + MARK_PX);
    context.moveTo(left - MARK_PX, middle + MARK_PX);
    context.lineTo(left + MARK_PX, middle - MARK_PX);
  }
  context.stroke();
}
