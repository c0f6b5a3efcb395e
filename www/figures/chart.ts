// A figure over time: the last half minute.

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import type { Figure } from '../../pkg/snapshot_web';
import { type Change, isSync, lab } from '../lab';
import { lanes } from '../lane';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { select } from '../shell/parts';
import { ofKind } from '../shell/styled';
import { watchSight } from '../views/sight';
import { isUnmade } from './drawing';
import { goal } from './goal';
import { type Look, Plot, type Stroke, scaleOf } from './plot';
import { figures, figureValue, heading, row, valueText } from './table';
import { drawTroubles } from './troubles';

const WINDOW_S = 30;
/** The chart whose figure a person chooses. */
const CHOSEN = 'chosen';
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
const charts: Readonly<Record<string, () => Shown>> = {
  bandwidth: () => ({
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

function ofFigure(id: string): Shown {
  const found = row(id);
  return { title: found.name, row: found, least: 1, lines: [{ name: 'A', id, colour: '--ink' }] };
}

/** Lane B's line in a chart: that of its last figure. */
function lineOfB({ lines, row }: Shown): Line {
  const id = lines.findLast((line) => line.id !== undefined)?.id ?? row.id;
  return { name: 'B', id, ofB: true, colour: '--lane-b', dash: [2, 3] };
}

@customElement('lab-chart')
export class Chart extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];
  /** A chart's name, or `chosen`: then a person chooses among all figures. */
  @property() figure = 'bandwidth';
  @state() private chosen = 'behind_ms';
  private plot: Plot | undefined;
  private seen = true;
  /** The pointer's or the keys' place in the data; -1 for nowhere, and the newest value is told. */
  @state() private place = -1;
  private shown: AlignedData = [[]];
  /** Looks of the plot with B and without B. They change with the figure alone, because another look makes a new plot. */
  private looks: { a: Look; both: Look } | undefined;
  private of = ofFigure('kbps');

  protected override render() {
    const { title, row, least } = this.of;
    const text = (value: number): string => valueText(value, row);
    const { top, most } = scaleOf(this.shown, least);
    const times = this.shown[0];
    const time = times[this.place];
    const newest = this.shown.slice(1).map((line) => line?.at(-1));
    const told = time === undefined ? undefined : { time, values: this.shown.slice(1).map((line) => line?.[this.place]) };
    return html`
      ${this.figure === CHOSEN ? this.choice() : nothing}
      <div class="legend">
        <strong>${heading({ ...row, name: title })}</strong>
        ${this.lines.map(
          (line, i) =>
            html`<span
              ><i class="key ${line.ofB === true ? 'dotted' : line.dash ? 'dashed' : ''}" ${ofKind(line.colour.slice(2))}></i>${line.id === undefined ? `${goal().name}, ${measure(goal().kbps)}` : line.name}${
                line.id === undefined ? nothing : html` <b>${text((told?.values ?? newest)[i] ?? NaN)}</b>`
              }</span
            >`,
        )}
        ${!isUnmade() ? nothing : html`<span><i class="hatch-key"></i> still being worked out</span>`}
        <span class="told-at">at ${(told?.time ?? times.at(-1) ?? 0).toFixed(1)} s</span>
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
        aria-valuetext=${told === undefined ? `now ${text(figureValue(lab.a.live, row.id) ?? 0)}` : this.inWords(told, text)}
        title="Click, or press Enter, to go to that instant"
        @keydown=${this.step}
        @click=${() => this.goThere()}
        @blur=${() => this.plot?.point(undefined)}
      ></div>
      ${this.figure === CHOSEN ? html`<p class="caption">${row.help}.</p>` : nothing}
    `;
  }

  /** The figures of a tick that this strategy has. */
  private choice() {
    const has = [...figures().values()].filter(({ id, by_tick }) => by_tick && figureValue(lab.a.live, id) !== undefined);
    return select(
      'Figure',
      has.map(({ id, name }) => [id, name]),
      this.chosen,
      (id) => (this.chosen = id),
    );
  }

  /** Updates the values beside the lines to those that the lines show. */
  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    // After a failure the wasm may answer no more.
    if (lab.failure !== undefined) return;
    if (this.figure === CHOSEN && figureValue(lab.a.live, this.chosen) === undefined) this.chosen = 'kbps';
    if (this.looks === undefined || changed.has('figure') || changed.has('chosen')) this.take((charts[this.figure] ?? (() => ofFigure(this.chosen)))());
    this.shown = this.data();
  }

  protected override firstUpdated(): void {
    const plot = this.querySelector<HTMLElement>('.plot');
    if (plot === null || this.looks === undefined) return;
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

  private take(shown: Shown): void {
    this.of = shown;
    const times = (_first: number, last: number): [number, number] => [last - WINDOW_S, last];
    const onPlace = (place: number | undefined): void => {
      this.place = place ?? -1;
    };
    const look = (lines: Line[]): Look => ({ lines, least: shown.least, times, onPlace, under: drawTroubles, clipsOutliers: true });
    this.looks = { a: look(shown.lines), both: look([...shown.lines, lineOfB(shown)]) };
  }

  private inWords({ time, values }: { time: number; values: readonly (number | null | undefined)[] }, text: (value: number) => string): string {
    const parts = this.lines.flatMap((line, i) => (line.id === undefined ? [] : [`${line.name} ${text(values[i] ?? NaN)}`]));
    return `${parts.join(', ')} at ${time.toFixed(1)} s`;
  }

  /** Goes to the instant of the pointer or of the keys. */
  private goThere(): void {
    const time = this.shown[0][this.place];
    // The first place is only where the time axis begins.
    if (time !== undefined && this.place > 0) lab.seek(Math.round(time * lab.tickRate));
  }

  private step(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.goThere();
      return;
    }
    const last = this.shown[0].length - 1;
    const from = this.place < 0 ? last : this.place;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from - 10, PageDown: from + 10, Home: 1, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.plot?.point(Math.min(Math.max(to, 1), last));
  }

  private get lines(): Line[] {
    return lab.b === undefined ? this.of.lines : [...this.of.lines, lineOfB(this.of)];
  }

  private data(): AlignedData {
    // The goal of state synchronisation is its budget.
    const ids = this.lines.map(({ id }) => id ?? BUDGET);
    const [a, b] = lanes.map((lane) => {
      const columns = lab.page.recent(lane, ids, WINDOW_S);
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
      return id !== undefined || isSync(lab.a.live) ? a(1 + i) : times.map(() => goal().kbps);
    };
    const before = (line: Line): number | null => (line.id === undefined && !isSync(lab.a.live) ? goal().kbps : null);
    return [[from, ...times], ...this.lines.map((line, i) => [before(line), ...values(line, i)])];
  }
}
