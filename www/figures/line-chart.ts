// The frame of all charts: a legend with the values at the pointer or the keys, and the lines below it.

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import { LabElement } from '../shell/element';
import { ofKind } from '../shell/styled';
import { watchSight } from '../views/sight';
import { type Look, Plot, type Stroke, scaleOf } from './plot';

export interface ChartLine extends Stroke {
  /** The value in words at a place of the data, or at none. */
  textAt?: (place: number | undefined) => string | undefined;
  /** The class of its key in the legend, where dashes do not say it. */
  key?: string;
  /** The line has no name in the legend. */
  isUnnamed?: boolean;
}

export interface LineChart {
  /** Charts with equal keys have the same lines. */
  key: string;
  title: string;
  /** The name that a screen reader hears. */
  label: string;
  /** A column of times or other places, and one for each line. */
  data: AlignedData;
  lines: readonly ChartLine[];
  look: Omit<Look, 'lines' | 'onPlace'>;
  /** The words for a chart whose values are read place by place. A chart without them is a picture. */
  reading?: {
    /** Words of a place, or of none. */
    at: (place: number | undefined) => string;
    /** Words while no place is chosen. */
    otherwise: string;
    /** The first place with a value. */
    first: number;
    /** Goes to a place's instant. */
    go?: (place: number) => void;
  };
  /** Words of a peak that leaves the scale. */
  text?: (value: number) => string;
  /** Words beside the lines' names. */
  note?: unknown;
}

@customElement('lab-line-chart')
export class LineChartElement extends LabElement {
  @property({ attribute: false }) chart: LineChart | undefined;
  /** The pointer's or the keys' place in the data. */
  @state() private place: number | undefined;
  private plot: Plot | undefined;
  private look: Look | undefined;
  private key = '';
  private seen = true;

  protected override render() {
    const { chart } = this;
    if (chart === undefined) return nothing;
    const { title, label, lines, data, text, look, note, reading } = chart;
    const { top, most } = scaleOf(data, look.least);
    const last = Math.max(data[0].length - 1, 0);
    const place = this.place === undefined || this.place > last ? undefined : this.place;
    const texts = lines.map((line) => line.textAt?.(place));
    const words = lines.flatMap((line, i) => (texts[i] === undefined ? [] : [`${line.name} ${texts[i]}`]));
    return html`
      <div class="legend">
        <strong>${title}</strong>
        ${lines.map((line, i) =>
          line.isUnnamed === true
            ? nothing
            : html`<span><i class="key ${keyOf(line)}" ${ofKind(line.colour.slice(2))}></i>${line.name}${texts[i] === undefined ? nothing : html` <b>${texts[i]}</b>`}</span>`,
        )}
        ${note === undefined || note === '' ? nothing : html`<span>${note}</span>`}
        ${reading === undefined || reading.at(place) === '' ? nothing : html`<span>${reading.at(place)}</span>`}
        ${look.clipsOutliers === true && text !== undefined && most > top ? html`<span class="peak">▲ up to ${text(most)}</span>` : nothing}
      </div>
      ${
        reading === undefined
          ? html`<div class="plot" role="img" aria-label=${label}></div>`
          : html`<div
              class="plot"
              role="slider"
              tabindex="0"
              aria-label=${label}
              aria-valuemin="0"
              aria-valuemax=${last}
              aria-valuenow=${place ?? last}
              aria-valuetext=${place === undefined ? reading.otherwise : `${words.join(', ')} ${reading.at(place)}`}
              title=${reading.go === undefined ? nothing : 'Click, or press Enter, to go to that instant'}
              @keydown=${this.step}
              @click=${this.go}
              @blur=${() => this.plot?.point(undefined)}
            ></div>`
      }
    `;
  }

  protected override firstUpdated(): void {
    watchSight(this, (seen) => {
      this.seen = seen;
      this.requestUpdate();
    });
  }

  protected override updated(): void {
    const box = this.querySelector<HTMLElement>('.plot');
    const { chart } = this;
    if (box === null || chart === undefined || !this.seen) return;
    if (this.look === undefined || this.key !== chart.key) {
      this.look = {
        ...chart.look,
        lines: chart.lines,
        // Of the newest chart: a plot keeps the look that it was made with.
        times: (first, last) => this.chart?.look.times(first, last) ?? [first, last],
        under: (...drawn) => this.chart?.look.under?.(...drawn),
        beside: chart.look.beside === undefined ? undefined : (value) => this.chart?.look.beside?.(value) ?? '',
        ...(chart.reading === undefined ? {} : { onPlace: (place: number | undefined) => void (this.place = place) }),
      };
      this.key = chart.key;
    }
    this.plot ??= new Plot(box, this.look);
    this.plot.show(chart.data, this.look);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.plot = this.plot?.destroy();
  }

  private readonly go = (): void => {
    const { reading } = this.chart ?? {};
    if (reading !== undefined && this.place !== undefined && this.place >= reading.first) reading.go?.(this.place);
  };

  private step(event: KeyboardEvent): void {
    const last = (this.chart?.data[0].length ?? 1) - 1;
    const first = this.chart?.reading?.first ?? 0;
    const from = this.place ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from - 10, PageDown: from + 10, Home: first, End: last }[event.key];
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to === undefined) this.go();
    else this.plot?.point(Math.min(Math.max(to, first), last));
  }
}

function keyOf({ key, solid, points, dash }: ChartLine): string {
  return key ?? (solid === true ? 'solid' : points === true ? 'solid dot' : dash === undefined ? '' : 'dashed');
}
