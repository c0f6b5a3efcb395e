// Lines over time: a uPlot that follows the width of its box and the colours of the theme.

import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange, resolved } from '../shell/theme';

const HEIGHT_PX = 200;

export interface Stroke {
  name: string;
  /** The style sheet's name for it. */
  colour: string;
  dash?: number[];
  fill?: boolean;
  /** True for a filled area without a line, as in a stack. */
  solid?: boolean;
  /** A value holds until the next. */
  stepped?: boolean;
  /** Points, with no line between them. */
  points?: boolean;
}

export interface Look {
  lines: readonly Stroke[];
  /** The ends of the time axis, from the first and last time to be shown. */
  times: (first: number, last: number) => [number, number];
  /** The scale of values reaches at least this far. */
  least: number;
  /** A few values that are far above all others leave the scale. */
  clipsOutliers?: boolean;
  /** The label of a value at the right edge, in another unit. */
  beside?: ((value: number) => string) | undefined;
  /** The label on the time axis, if it shows something else. */
  across?: (value: number) => string;
  /** Drawn under the lines: given where a time stands, and the top and bottom of the lines' field, all in CSS px. */
  under?: (context: CanvasRenderingContext2D, x: (time: number) => number, top: number, bottom: number, colour: (name: string) => string) => void;
  /** Hears at which place of the data the pointer is, or the keys; undefined where at none. */
  onPlace?: (place: number | undefined) => void;
}

/** A peak this many times as high as nearly all other values does not set the scale. */
const OUTLIER = 3;
const NEARLY_ALL = 0.97;

/** The top of the scale, chosen so that an outlier does not flatten the other values, and the greatest value. */
export function scaleOf(data: uPlot.AlignedData, least: number): { top: number; most: number } {
  const values = data.slice(1).flatMap((line) => [...(line ?? [])].filter((value): value is number => typeof value === 'number' && Number.isFinite(value)));
  values.sort((a, b) => a - b);
  const most = values.at(-1) ?? 0;
  const usual = values[Math.floor((values.length - 1) * NEARLY_ALL)] ?? 0;
  const reach = most > OUTLIER * Math.max(usual, least) ? Math.max(usual, least) * 1.5 : most * 1.1;
  return { top: Math.max(least, reach), most };
}

let library: typeof uPlot | undefined;

/** Loads the chart library, when a chart is looked at. It gives the browser's language to Intl, which may not know it: `C`. */
async function load(): Promise<void> {
  const isKnown = isLanguage(navigator.language);
  if (!isKnown) Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  try {
    library = (await import('uplot')).default;
  } finally {
    if (!isKnown) Reflect.deleteProperty(navigator, 'language');
  }
}

function isLanguage(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

export class Plot {
  private isGone = false;
  private plot: uPlot | undefined;
  private data: uPlot.AlignedData = [[]];
  private readonly stopFollowing: () => void;

  constructor(
    private readonly box: HTMLElement,
    private look: Look,
  ) {
    const resized = new ResizeObserver(() => {
      // Hidden, it has no width.
      if (box.clientWidth > 0) this.plot?.setSize({ width: box.clientWidth, height: HEIGHT_PX });
    });
    resized.observe(box);
    const forget = onThemeChange(() => this.draw());
    this.stopFollowing = () => {
      resized.disconnect();
      forget();
    };
  }

  /** A column of times, and one for each line. */
  show(data: uPlot.AlignedData, look = this.look): void {
    const same = this.look === look;
    this.look = look;
    this.data = data;
    if (same && this.plot !== undefined) this.plot.setData(data);
    else this.draw();
  }

  /** Moves the pointer of the keys to a place of the data, or takes it away. */
  point(place: number | undefined): void {
    const time = place === undefined ? undefined : this.data[0][place];
    const left = time === undefined ? -10 : (this.plot?.valToPos(time, 'x') ?? -10);
    this.plot?.setCursor({ left, top: 10 });
  }

  destroy(): undefined {
    this.isGone = true;
    this.stopFollowing();
    this.plot?.destroy();
  }

  private draw(): void {
    if (library === undefined || this.isGone) {
      if (!this.isGone) void load().then(() => this.draw());
      return;
    }
    this.plot?.destroy();
    const style = getComputedStyle(this.box);
    const colour = (name: string): string => resolved(this.box, style.getPropertyValue(name).trim());
    const [ink, hair] = [colour('--muted'), colour('--hair')];
    const axis = { stroke: ink, grid: { stroke: hair, width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    const across = this.look.across ?? ((second: number): string => `${Number(second.toFixed(1))} s`);
    const { beside } = this.look;
    const right =
      beside === undefined
        ? []
        : [{ ...axis, side: 1, size: 64, grid: { show: false }, values: (_plot: uPlot, splits: number[]) => splits.map((value) => beside(value)) }];
    const options: uPlot.Options = {
      width: Math.max(this.box.clientWidth, 100),
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: this.look.onPlace !== undefined, x: true, y: false, drag: { x: false, y: false }, points: { show: false } },
      hooks: {
        drawAxes: [(plot) => this.drawUnder(plot, colour)],
        setCursor: [(plot) => this.look.onPlace?.(plot.cursor.idx ?? undefined)],
      },
      padding: [8, 16, 0, 0],
      scales: {
        x: { time: false, range: (_plot, min, max) => this.look.times(min, max) },
        y: { range: () => [0, this.top()] },
      },
      axes: [
        { ...axis, size: 32, values: (_plot, splits) => splits.map((value) => (value < 0 ? '' : across(value))), space: 70 },
        { ...axis, size: 52, values: (_plot, splits) => splits.map((value) => compact(value)) },
        ...right,
      ],
      series: [
        {},
        ...this.look.lines.map((line) => {
          const stroke = colour(line.colour);
          const dash = line.dash === undefined ? {} : { dash: line.dash };
          const filled = line.solid === true ? { fill: stroke, width: 0 } : { width: 1.5 };
          const fill = line.fill === true ? { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` } : {};
          const { stepped } = library?.paths ?? {};
          const steps = line.stepped === true && stepped !== undefined ? { paths: stepped({ align: 1 }) } : {};
          const points = line.points === true ? { paths: () => null, points: { show: true, size: 9, fill: stroke } } : { points: { show: false } };
          return { label: line.name, stroke, ...filled, ...steps, ...points, ...dash, ...fill };
        }),
      ],
    };
    this.plot = new library(options, this.data, this.box);
  }

  private top(): number {
    const { top, most } = scaleOf(this.data, this.look.least);
    return this.look.clipsOutliers === true ? top : Math.max(this.look.least, most * 1.1);
  }

  private drawUnder(plot: uPlot, colour: (name: string) => string): void {
    const { under } = this.look;
    if (under === undefined) return;
    const scale = devicePixelRatio;
    const { ctx: context, bbox } = plot;
    context.save();
    context.scale(scale, scale);
    const [left, top] = [bbox.left / scale, bbox.top / scale];
    context.beginPath();
    context.rect(left, top, bbox.width / scale, bbox.height / scale);
    context.clip();
    under(context, (time) => left + plot.valToPos(time, 'x'), top, top + bbox.height / scale, colour);
    context.restore();
  }
}

function compact(value: number): string {
  return value >= 10_000 ? `${value / 1000}k` : String(value);
}
