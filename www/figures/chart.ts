// A figure over time: the last half minute.

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import { LabElement } from '../shell/element';
import { measure, rateText } from '../shell/format';
import { goal } from './goal';
import { isSync, lab, type Change } from '../lab';
import { lanes } from '../lane';
import { watchSight } from '../views/sight';
import { isUnmade } from './drawing';
import { Plot, scaleOf, type Look, type Stroke } from './plot';
import { drawTroubles } from './troubles';

const WINDOW_S = 30;
/** Columns that the laboratory gives, and the last of them. */
const COLUMNS = 9;
const BUDGET_COLUMN = 8;

interface Line extends Stroke {
  /** Its place among the columns that the laboratory gives; none for the goal. */
  column?: number;
  /** True for a line of lane B. */
  ofB?: boolean;
}

interface Figure {
  /** The chart's heading, which a screen reader hears. */
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
      { name: 'goal', colour: '--warm', dash: [6, 4] },
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
  return { name: 'B', column, ofB: true, colour: '--lane-b', dash: [2, 3] };
}

@customElement('lab-chart')
export class Chart extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];
  @property() figure = 'bandwidth';
  private plot: Plot | undefined;
  private seen = true;
  /** The pointer's or the keys' place in the data; -1 for nowhere, and the newest value is told. */
  @state() private place = -1;
  private shown: AlignedData = [[]];
  /** With B and without it; made once, for a plot is made anew when its look is another. */
  private looks: { a: Look; both: Look } | undefined;

  protected override render() {
    const { title, unit, text, least } = this.of;
    const { top, most } = scaleOf(this.shown, least);
    const times = this.shown[0];
    const time = times[this.place];
    const told = time === undefined ? undefined : { time, values: this.shown.slice(1).map((line) => line?.[this.place]) };
    return html`
      <div class="legend">
        <strong>${title}, ${unit}</strong>
        ${this.lines.map(
          (line, i) =>
            html`<span
              ><i class="key ${line.ofB === true ? 'dotted' : line.dash ? 'dashed' : ''} ${line.colour.slice(2)}"></i>${line.column === undefined ? `${goal().name}, ${measure(goal().kbps)}` : line.name}${
                line.column === undefined || told === undefined ? nothing : html` <b>${text(told.values[i] ?? NaN)}</b>`
              }</span
            >`,
        )}
        ${!isUnmade() ? nothing : html`<span><i class="hatch-key"></i> still being worked out</span>`}
        ${told === undefined ? nothing : html`<span>at ${told.time.toFixed(1)} s</span>`}
        ${most > top ? html`<span class="beyond">▲ up to ${text(most)}</span>` : nothing}
      </div>
      <div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label="${title} of the last ${WINDOW_S} seconds"
        aria-valuemin="0"
        aria-valuemax=${Math.max(times.length - 1, 0)}
        aria-valuenow=${told === undefined ? Math.max(times.length - 1, 0) : this.place}
        aria-valuetext=${told === undefined ? `now ${text(this.now())}` : this.inWords(told, text)}
        @keydown=${this.step}
        @blur=${() => this.plot?.point(undefined)}
      ></div>
    `;
  }

  /** Updates the values beside the lines to those that the lines show. */
  protected override willUpdate(): void {
    // After a failure the wasm may answer no more.
    if (lab.failure === undefined) this.shown = this.data();
  }

  protected override firstUpdated(): void {
    const plot = this.querySelector<HTMLElement>('.plot');
    if (plot === null) return;
    const times = (_first: number, last: number): [number, number] => [last - WINDOW_S, last];
    const { lines, least } = this.of;
    const onPlace = (place: number | undefined): void => {
      this.place = place ?? -1;
    };
    const look = (lines: Line[]): Look => ({ lines, least, times, onPlace, under: drawTroubles, clipsOutliers: true });
    this.looks = { a: look(lines), both: look([...lines, lineOfB(this.of)]) };
    this.plot = new Plot(plot, this.looks.a);
    watchSight(plot, (seen) => {
      this.seen = seen;
      this.requestUpdate();
    });
  }

  protected override updated(): void {
    if (!this.seen || lab.failure !== undefined) return;
    this.plot?.show(this.shown, lab.b === undefined ? this.looks?.a : this.looks?.both);
  }

  private inWords({ time, values }: { time: number; values: readonly (number | null | undefined)[] }, text: (value: number) => string): string {
    const parts = this.lines.flatMap((line, i) => (line.column === undefined ? [] : [`${line.name} ${text(values[i] ?? NaN)}`]));
    return `${parts.join(', ')} at ${time.toFixed(1)} s`;
  }

  private step(event: KeyboardEvent): void {
    const last = this.shown[0].length - 1;
    const from = this.place < 0 ? last : this.place;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from - 10, PageDown: from + 10, Home: 1, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.plot?.point(Math.min(Math.max(to, 1), last));
  }

  private get of(): Figure {
    return figures[this.figure] ?? (figures['bandwidth'] as Figure);
  }

  private get lines(): Line[] {
    return lab.b === undefined ? this.of.lines : [...this.of.lines, lineOfB(this.of)];
  }

  private now(): number {
    const { kbps, position_error_mm: position, orientation_error_deg: orientation, divergence_mm: divergence } = lab.a.live;
    return { bandwidth: kbps, position: position.rms, orientation: orientation.rms, divergence: divergence?.rms }[this.figure] ?? 0;
  }

  private data(): AlignedData {
    const [a, b] = lanes.map((lane) => {
      const columns = lab.page.recent(lane, WINDOW_S);
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
      return isSync(lab.a.live) ? a(BUDGET_COLUMN) : times.map(() => goal().kbps);
    };
    const before = (line: Line): number | null => (line.column === undefined && !isSync(lab.a.live) ? goal().kbps : null);
    return [[from, ...times], ...this.lines.map((line) => [before(line), ...values(line)])];
  }
}
