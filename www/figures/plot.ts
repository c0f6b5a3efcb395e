// Lines over time: a uPlot that follows the width of its box and the colours of the theme.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange } from '../theme';

const HEIGHT_PX = 200;

export interface Stroke {
  name: string;
  /** The style sheet's name for it. */
  colour: string;
  dash?: number[];
  fill?: boolean;
  /** Points, with no line between them. */
  points?: boolean;
}

export interface Look {
  lines: readonly Stroke[];
  /** From what is to be shown first and last, the ends of the axis of time. */
  times: (first: number, last: number) => [number, number];
  /** The scale of values reaches at least this far. */
  least: number;
  /** What stands at the axis of time, if it is of something else. */
  across?: (value: number) => string;
}

export class Plot {
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

  destroy(): void {
    this.stopFollowing();
    this.plot?.destroy();
  }

  private draw(): void {
    this.plot?.destroy();
    const style = getComputedStyle(this.box);
    const colour = (name: string): string => resolved(this.box, style.getPropertyValue(name).trim());
    const [ink, hair] = [colour('--muted'), colour('--hair')];
    const axis = { stroke: ink, grid: { stroke: hair, width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    const across = this.look.across ?? ((second: number): string => `${Number(second.toFixed(1))} s`);
    const options: uPlot.Options = {
      width: Math.max(this.box.clientWidth, 100),
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 8, 0, 0],
      scales: {
        x: { time: false, range: (_plot, min, max) => this.look.times(min, max) },
        y: { range: (_plot, _min, max) => [0, Math.max(this.look.least, (max ?? 0) * 1.1)] },
      },
      axes: [
        { ...axis, size: 32, values: (_plot, splits) => splits.map((value) => (value < 0 ? '' : across(value))), space: 70 },
        { ...axis, size: 52, values: (_plot, splits) => splits.map((value) => compact(value)) },
      ],
      series: [
        {},
        ...this.look.lines.map((line) => {
          const stroke = colour(line.colour);
          const dash = line.dash === undefined ? {} : { dash: line.dash };
          const fill = line.fill === true ? { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` } : {};
          const points = line.points === true ? { paths: () => null, points: { show: true, size: 9, fill: stroke } } : { points: { show: false } };
          return { label: line.name, stroke, width: 1.5, ...points, ...dash, ...fill };
        }),
      ],
    };
    this.plot = new uPlot(options, this.data, this.box);
  }
}

function compact(value: number): string {
  return value >= 10_000 ? `${value / 1000}k` : String(value);
}

/** A canvas knows nothing of light-dark(): what the style sheet's colour comes to here and now. */
export function resolved(element: HTMLElement, colour: string): string {
  const before = element.style.color;
  element.style.color = colour;
  const now = getComputedStyle(element).color;
  element.style.color = before;
  return now;
}
