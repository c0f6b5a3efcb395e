// A figure over time: the last half minute.

import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import { LabElement } from '../element';
import { measure, rateText } from '../format';
import { goal } from '../goal';
import { isSync, lab, type Change } from '../lab';
import { Plot, type Stroke } from './plot';

const WINDOW_S = 30;
/** Columns that the laboratory gives, and the last of them. */
const COLUMNS = 9;
const BUDGET_COLUMN = 8;

interface Line extends Stroke {
  /** Its place among the columns that the laboratory gives; none for the goal. */
  column?: number;
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

@customElement('lab-chart')
export class Chart extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];
  @property() figure = 'bandwidth';
  private plot: Plot | undefined;
  private seen = true;

  protected override render() {
    const { title, unit, lines, text } = this.of;
    return html`
      <div class="legend">
        <strong>${title}, ${unit}</strong>
        ${lines.map(
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
    this.plot = new Plot(plot, { lines: this.of.lines, least: this.of.least, times });
    new IntersectionObserver(([entry]) => {
      this.seen = entry?.isIntersecting ?? true;
      this.requestUpdate();
    }).observe(plot);
  }

  protected override updated(): void {
    // After a failure the wasm may answer no more.
    if (this.seen && lab.failure === undefined) this.plot?.show(this.data());
  }

  private get of(): Figure {
    return figures[this.figure] ?? (figures['bandwidth'] as Figure);
  }

  private now(): number {
    const { kbps, position_error_mm: position, orientation_error_deg: orientation, divergence_mm: divergence } = lab.live;
    return { bandwidth: kbps, position: position.rms, orientation: orientation.rms, divergence: divergence?.rms }[this.figure] ?? 0;
  }

  private data(): AlignedData {
    const columns = lab.page.recent(WINDOW_S);
    const length = columns.length / COLUMNS;
    const column = (place: number): number[] => [...columns.subarray(place * length, (place + 1) * length)];
    const times = column(0);
    const from = (times.at(-1) ?? 0) - WINDOW_S;
    return [
      [from, ...times],
      ...this.of.lines.map((line) =>
        line.column !== undefined
          ? [null, ...column(line.column)]
          : !isSync(lab.live)
            ? // The goal stands across the whole chart, also where nothing was sent yet.
              new Array<number>(length + 1).fill(goal().kbps)
            : [null, ...column(BUDGET_COLUMN)],
      ),
    ];
  }
}
