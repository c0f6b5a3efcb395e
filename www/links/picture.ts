// The views and the main figures as one picture, for slides and posts.

import { goal } from '../figures/goal';
import { handInWords } from '../figures/hand';
import { type Live, lab, type Settings } from '../lab';
import { measure, rate, rateText } from '../shell/format';
import { resolved } from '../shell/theme';
import type { ViewsElement } from '../views/views';

const WIDTH_PX = 1280;
const EDGE_PX = 32;
const HEAD_PX = 56;
const FOOT_PX = 132;

/** Draws it; without a picture of the views where the browser has none. */
export function draw(canvas: HTMLCanvasElement): void {
  const views = document.querySelector<ViewsElement>('lab-views');
  const viewsHeight = Math.round(Math.min(views?.heightByWidth ?? 0.4, 1.2) * WIDTH_PX);
  canvas.width = WIDTH_PX;
  canvas.height = HEAD_PX + viewsHeight + FOOT_PX;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => resolved(canvas, style.getPropertyValue(name).trim());
  const write = (text: string, x: number, y: number, font: string, name: string, most = WIDTH_PX - x - EDGE_PX): number => {
    context.font = `${font} ${style.fontFamily}`;
    context.fillStyle = colour(name);
    context.fillText(text, x, y, most);
    return x + context.measureText(text).width;
  };
  context.fillStyle = colour('--paper');
  context.fillRect(0, 0, canvas.width, canvas.height);
  const height = views?.heightByWidth ?? 0;
  if (views?.isConnected === true && height > 0) {
    const width = Math.min(WIDTH_PX, viewsHeight / height);
    views.copyTo(context, (WIDTH_PX - width) / 2, HEAD_PX, width);
  }
  // Where the views stand one above the other, each has its name in its corner.
  const stacked = views !== null && lab.arrangement !== 'one' && getComputedStyle(views).getPropertyValue('--stacked').trim() === '1';
  labels().forEach((label, place, all) => {
    const [x, y] = stacked ? [0, (place > 0 ? HEAD_PX : 0) + (place * viewsHeight) / all.length] : [(place * WIDTH_PX) / all.length, 0];
    write(label, EDGE_PX + x, 36 + y, '600 20px', '--ink', (stacked ? WIDTH_PX : WIDTH_PX / all.length) - 2 * EDGE_PX);
  });
  const { value, unit } = rate(lab.now.a.kbps);
  const base = HEAD_PX + viewsHeight + 66;
  const after = write(value, EDGE_PX, base, '700 52px', '--ink');
  const right = write(` ${unit}`, after, base, '400 24px', '--muted');
  const most = goal();
  write(`in the last second; ${most.name} ${rateText(most.kbps)}`, EDGE_PX, base + 34, '400 18px', '--muted');
  const rows = figures();
  const columns = Math.max(right + 56, 380);
  rows.forEach((row, place) => write(row, columns, base - 28 + place * 31, '400 19px', place === 0 ? '--ink' : '--muted', WIDTH_PX - columns - EDGE_PX));
  context.textAlign = 'right';
  write(`Snapshot Lab · ${location.host}`, WIDTH_PX - EDGE_PX, base + 34, '400 16px', '--muted', 600);
}

/** The words over the views, as they stand on the page. */
function labels(): string[] {
  return [...document.querySelectorAll('lab-views .label strong')].map((label) => label.textContent ?? '');
}

function figures(): string[] {
  const { a: live, b } = lab.now;
  const settings = lab.a;
  const lost = `${live.packets_lost} of ${live.packets_sent} packets lost`;
  if (b !== undefined) {
    return [
      `A: ${what(settings)}, ${errors(live)}`,
      `B: ${lab.client === undefined ? `${what(lab.b ?? settings)}, ${rateText(b.kbps)}` : lab.clientName}, ${errors(b)}`,
      `At ${live.time_s.toFixed(1)} s`,
    ];
  }
  return [`${what(settings)}, at ${live.time_s.toFixed(1)} s`, errors(live), `${lost}, ${troubles(live)}`];
}

/** The troubles of a view in words, by its strategy. */
function troubles(live: Live): string {
  switch (live.strategy) {
    case 'sync':
      return `${live.pops} visible corrections`;
    case 'lockstep':
      return `${live.stalls} stalls`;
    case 'game':
      return `${live.corrections} corrections`;
    case 'snapshot':
    case 'plain':
      return `${live.hitches} hitches`;
  }
}

function what({ strategy, codec, hz, latency, loss }: Settings): string {
  return `${strategy === 'snapshot' ? codec : strategy} at ${hz}/s, ${latency} ms one way, ${loss} % loss`;
}

/** Returns the errors of the shown instant as words. A hand's screen shows no single instant: its delays say more. */
function errors(live: Live): string {
  const {
    surface_error_mm: { mean, worst },
    behind_ms: behind,
  } = live;
  if (live.strategy === 'game') return handInWords(live);
  return `${measure(mean)} mm off, the worst cube ${measure(worst)} mm${behind === null ? '' : `, ${Math.round(behind)} ms behind`}`;
}
