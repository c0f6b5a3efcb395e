// A figure over time: the last half minute.

import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import { LabElement } from '../element';
import { measure, rateText } from '../format';
import { goal } from '../goal';
import { isSync, lab, type Change } from '../lab';
import { Plot, type Look, type Stroke } from './plot';

const WINDOW_S = 30;
/** Columns that the laboratory gives, and the last of them. */
const COLUMNS = 9;
const BUDGET_COLUMN = 8;

interface Line extends Stroke {
  /** Its place among the columns that the laboratory gives; none for the goal. */
  column?: number;
  /** Of lane B. */
  ofB?: boolean;
}

interface Figure {
  /** What a screen reader hears, and what stands above the chart. */
  title: string;
  unit: string;
  lines: Line[];
  /** The scale reaches at least this far. */
  least: number;
  text: (value: number) => string;
}

const figures: Readonly<Record<string, Figure>> = {
  bandwidth: {
    title: 'Bandwidth',
    unit: 'kbit/s',
    least: 300,
    text: rateText,
    lines: [
      { name: 'sent', column: 1, colour: '--ink', fill: true },
      { name: 'goal', colour: '--accent', dash: [6, 4] },
    ],
  },
  position: {
    title: 'Position error',
    unit: 'mm',
    least: 10,
    text: (value) => `${measure(value)} mm`,
    lines: [
      { name: 'worst cube', column: 3, colour: '--line-soft' },
      { name: 'rms', column: 2, colour: '--position', fill: true },
    ],
  },
  divergence: {
    title: 'Divergence of the right simulation, before smoothing',
    unit: 'mm',
    least: 10,
    text: (value) => `${measure(value)} mm`,
    lines: [
      { name: 'worst cube', column: 7, colour: '--line-soft' },
      { name: 'rms', column: 6, colour: '--position', fill: true },
    ],
  },
  orientation: {
    title: 'Orientation error',
    unit: 'degrees',
    least: 2,
    text: (value) => `${measure(value)}°`,
    lines: [
      { name: 'worst cube', column: 5, colour: '--line-soft' },
      { name: 'rms', column: 4, colour: '--orientation-ink', fill: true },
    ],
  },
};

/** Lane B's line in a chart: its last one's column. */
function lineOfB({ lines }: Figure): Line {
  const column = lines.findLast((line) => line.column !== undefined)?.column ?? 0;
  return { name: 'B', column, ofB: true, colour: '--lane-b', dash: [4, 3] };
}

@customElement('lab-chart')
export class Chart extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];
  @property() figure = 'bandwidth';
  private plot: Plot | undefined;
  private seen = true;
  /** With B and without it; made once, for a plot is made anew when its look is another. */
  private looks: { a: Look; both: Look } | undefined;

  protected override render() {
    const { title, unit, text } = this.of;
    return html`
      <div class="legend">
        <strong>${title}, ${unit}</strong>
        ${this.lines.map(
          (line) =>
            html`<span><i class="key ${line.dash ? 'dashed' : ''} ${line.colour.slice(2)}"></i>${line.column === undefined ? `${goal().name}, ${measure(goal().kbps)}` : line.name}</span>`,
        )}
      </div>
      <div class="plot" role="img" aria-label="${title} of the last ${WINDOW_S} seconds, now ${text(this.now())}"></div>
    `;
  }

  protected override firstUpdated(): void {
    const plot = this.querySelector<HTMLElement>('.plot');
    if (plot === null) return;
    const times = (_first: number, last: number): [number, number] => [last - WINDOW_S, last];
    const { lines, least } = this.of;
    const look = (lines: Line[]): Look => ({ lines, least, times });
    this.looks = { a: look(lines), both: look([...lines, lineOfB(this.of)]) };
    this.plot = new Plot(plot, this.looks.a);
    new IntersectionObserver(([entry]) => {
      this.seen = entry?.isIntersecting ?? true;
      this.requestUpdate();
    }).observe(plot);
  }

  protected override updated(): void {
    // After a failure the wasm may answer no more.
    if (this.seen && lab.failure === undefined) this.plot?.show(this.data(), lab.settingsB === undefined ? this.looks?.a : this.looks?.both);
  }

  private get of(): Figure {
    return figures[this.figure] ?? (figures['bandwidth'] as Figure);
  }

  private get lines(): Line[] {
    return lab.settingsB === undefined ? this.of.lines : [...this.of.lines, lineOfB(this.of)];
  }

  private now(): number {
    const { kbps, position_error_mm: position, orientation_error_deg: orientation, divergence_mm: divergence } = lab.live;
    return { bandwidth: kbps, position: position.rms, orientation: orientation.rms, divergence: divergence?.rms }[this.figure] ?? 0;
  }

  private data(): AlignedData {
    const [a, b] = [false, true].map((ofB) => {
      const columns = lab.page.recent(WINDOW_S, ofB);
      const length = columns.length / COLUMNS;
      return (place: number): number[] => [...columns.subarray(place * length, (place + 1) * length)];
    }) as [(place: number) => number[], (place: number) => number[]];
    const times = a(0);
    const from = (times.at(-1) ?? 0) - WINDOW_S;
    const placesOfB = new Map(b(0).map((time, place) => [time, place]));
    const values = ({ column, ofB }: Line): (number | null)[] => {
      if (column !== undefined && ofB === true) {
        const all = b(column);
        return times.map((time) => all[placesOfB.get(time) ?? -1] ?? null);
      }
      if (column !== undefined) return a(column);
      // The goal stands across the whole chart, also where nothing was sent yet.
      return isSync(lab.live) ? a(BUDGET_COLUMN) : times.map(() => goal().kbps);
    };
    const before = (line: Line): number | null => (line.column === undefined && !isSync(lab.live) ? goal().kbps : null);
    return [[from, ...times], ...this.lines.map((line) => [before(line), ...values(line)])];
  }
}
