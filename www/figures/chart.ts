// A figure over time: the last half minute.

import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import type { Figure } from '../../pkg/snapshot_web';
import { lab, lanes } from '../lab';

import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { isUnmade } from './drawing';
import { goal } from './goal';
import type { ChartLine, LineChart } from './line-chart';
import './line-chart';
import type { Stroke } from './plot';
import { figureValue, hasB, heading, row, valueText } from './table';
import { drawTroubles } from './troubles';

const WINDOW_S = 30;
const BUDGET = 'budget_kbps';

interface Line extends Stroke {
  /** The id of its figure; none for the goal. */
  id?: string;
  /** True for a line of lane B. */
  ofB?: boolean;
}

interface Shown {
  /** The chart's heading, which a screen reader hears. */
  title: string;
  /** The row that its values are written by. */
  row: Figure;
  lines: Line[];
  /** The scale reaches at least this far. */
  least: number;
}

/** Charts of an error: worst cube and root mean square. */
function errors(title: string, id: string, colour: string, least: number): Shown {
  const lines = [
    { name: 'worst cube', id: `${id}.max`, colour: '--line-soft' },
    { name: 'rms', id: `${id}.rms`, colour, fill: true },
  ];
  return { title, row: row(`${id}.rms`), lines, least };
}

/** Charts by their attribute. */
const charts = {
  bandwidth: (): Shown => ({
    title: 'Bandwidth',
    row: row('kbps'),
    least: 300,
    lines: [
      { name: 'sent', id: 'kbps', colour: '--ink', fill: true },
      { name: 'goal', colour: '--warm', dash: [6, 4] },
    ],
  }),
  position: () => errors('Position error', 'position_error_mm', '--position', 10),
  divergence: () => errors('Divergence of the right simulation, before smoothing', 'divergence_mm', '--position', 10),
  orientation: () => errors('Orientation error', 'orientation_error_deg', '--orientation-ink', 2),
};

/** Lane B's line in a chart: that of its last figure. */
function lineOfB({ lines, row }: Shown): Line & { id: string } {
  const id = lines.findLast((line) => line.id !== undefined)?.id ?? row.id;
  return { name: 'B', id, ofB: true, colour: '--lane-b', dash: [2, 3] };
}

@customElement('lab-chart')
export class Chart extends LabElement {
  /** A chart's name. */
  @property() figure: keyof typeof charts = 'bandwidth';
  private of = charts.bandwidth();
  private chart: LineChart | undefined;

  protected override render() {
    return html`<lab-line-chart .chart=${this.chart}></lab-line-chart>`;
  }

  protected override willUpdate(): void {
    this.of = charts[this.figure]();
    this.chart = this.made();
  }

  private made(): LineChart {
    const { title, row, least } = this.of;
    const text = (value: number): string => valueText(value, row);
    const data = this.data();
    const times = data[0];
    const lines = this.lines.map((line, i): ChartLine => {
      if (line.id === undefined) return { ...line, name: `${goal().name}, ${measure(goal().kbps)}` };
      const values = data[i + 1];
      return { ...line, ...(line.ofB === true ? { key: 'dotted' } : {}), textAt: (place) => text(values?.[place ?? values.length - 1] ?? NaN) };
    });
    return {
      key: `${this.figure} ${this.lines.length}`,
      title: heading({ ...row, name: title }),
      label: `${title} of the last ${WINDOW_S} seconds`,
      data,
      lines,
      look: { least, times: (_first, last) => [last - WINDOW_S, last], under: drawTroubles, clipsOutliers: true },
      reading: {
        // The first place is only where the time axis begins.
        first: 1,
        at: (place) => `at ${(times[place ?? times.length - 1] ?? 0).toFixed(1)} s`,
        otherwise: `now ${text(figureValue(lab.now.a, row.id) ?? 0)}`,
        go: (place) => lab.seek(Math.round((times[place] ?? 0) * lab.tickRate)),
      },
      text,
      note: isUnmade() ? html`<i class="hatch-key"></i> still being worked out` : '',
    };
  }

  private get lines(): Line[] {
    const ofB = lineOfB(this.of);
    return hasB(ofB.id) ? [...this.of.lines, ofB] : this.of.lines;
  }

  private data(): AlignedData {
    // The goal of state synchronisation is its budget.
    const ids = this.lines.map(({ id }) => id ?? BUDGET);
    const [a, b] = lanes.map((lane) => {
      const columns = lab.numbers({ recent: { lane, ids, seconds: WINDOW_S } });
      const length = columns.length / (1 + ids.length);
      return (place: number) => [...columns.subarray(place * length, (place + 1) * length)].map((value) => (Number.isNaN(value) ? null : value));
    }) as [(place: number) => (number | null)[], (place: number) => (number | null)[]];
    const times = a(0).map((time) => time ?? 0);
    const from = (times.at(-1) ?? 0) - WINDOW_S;
    const placesOfB = new Map(b(0).map((time, place) => [time, place]));
    const values = ({ id, ofB }: Line, i: number): (number | null)[] => {
      if (id !== undefined && ofB === true) {
        const all = b(1 + i);
        return times.map((time) => all[placesOfB.get(time) ?? -1] ?? null);
      }
      // The goal stands across the whole chart, also where nothing was sent yet.
      return id !== undefined || lab.now.a.strategy === 'sync' ? a(1 + i) : times.map(() => goal().kbps);
    };
    const before = (line: Line): number | null => (line.id === undefined && lab.now.a.strategy !== 'sync' ? goal().kbps : null);
    return [[from, ...times], ...this.lines.map((line, i) => [before(line), ...values(line, i)])];
  }
}
