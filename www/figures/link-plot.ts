// A line chart of the figure Link, with what it shows at the pointer or the keys in its legend.

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import type { Change } from '../lab';
import { LabElement } from '../shell/element';
import { ofKind } from '../shell/styled';
import { type Look, Plot, type Stroke, scaleOf } from './plot';

export interface LinkLine extends Stroke {
  /** The value in words at a place of the data. */
  told: (place: number) => string | undefined;
}

export interface LinkChart {
  /** Charts with equal keys have the same lines. */
  key: string;
  title: string;
  data: AlignedData;
  lines: readonly LinkLine[];
  look: Omit<Look, 'lines' | 'onPlace'>;
  text: (value: number) => string;
  /** Words beside the lines' names. */
  note?: string;
}

@customElement('lab-link-plot')
export class LinkPlot extends LabElement {
  protected override readonly shows: readonly Change[] = [];
  @property({ attribute: false }) chart: LinkChart | undefined;
  /** The pointer's or the keys' place in the data; -1 for nowhere. */
  @state() private place = -1;
  private plot: Plot | undefined;
  private look: Look | undefined;
  private key = '';

  protected override render() {
    const { chart } = this;
    if (chart === undefined) return nothing;
    const { title, lines, data, text, look, note } = chart;
    const { top, most } = scaleOf(data, look.least);
    const time = data[0][this.place];
    const told = (line: LinkLine): string | undefined => (time === undefined ? undefined : line.told(this.place));
    const words = lines.flatMap((line) => (told(line) === undefined ? [] : [`${line.name} ${told(line)}`]));
    return html`
      <div class="legend">
        <strong>${title}</strong>
        ${lines.map(
          (line) =>
            html`<span
              ><i class="key ${line.solid === true ? 'solid' : line.dash ? 'dashed' : ''}" ${ofKind(line.colour.slice(2))}></i>${line.name}${
                told(line) === undefined ? nothing : html` <b>${told(line)}</b>`
              }</span
            >`,
        )}
        ${note === undefined || note === '' ? nothing : html`<span>${note}</span>`}
        ${time === undefined ? nothing : html`<span>at ${time.toFixed(2)} s</span>`}
        ${look.clipsOutliers === true && most > top ? html`<span class="beyond">▲ up to ${text(most)}</span>` : nothing}
      </div>
      <div
        class="plot"
        role="slider"
        tabindex="0"
        aria-label="${title}, over time"
        aria-valuemin="0"
        aria-valuemax=${Math.max(data[0].length - 1, 0)}
        aria-valuenow=${time === undefined ? Math.max(data[0].length - 1, 0) : this.place}
        aria-valuetext=${time === undefined ? `at most ${text(most)}` : `${words.join(', ')} at ${time.toFixed(2)} s`}
        @keydown=${this.step}
        @blur=${() => this.plot?.point(undefined)}
      ></div>
    `;
  }

  protected override updated(): void {
    const box = this.querySelector<HTMLElement>('.plot');
    const { chart } = this;
    if (box === null || chart === undefined) return;
    if (this.look === undefined || this.key !== chart.key) {
      this.look = {
        ...chart.look,
        lines: chart.lines,
        // Of the newest chart: a plot keeps the look that it was made with.
        times: (first, last) => this.chart?.look.times(first, last) ?? [first, last],
        under: (...drawn) => this.chart?.look.under?.(...drawn),
        beside: chart.look.beside === undefined ? undefined : (value) => this.chart?.look.beside?.(value) ?? '',
        onPlace: (place) => (this.place = place ?? -1),
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

  private step(event: KeyboardEvent): void {
    const last = (this.chart?.data[0].length ?? 1) - 1;
    const from = this.place < 0 ? last : this.place;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from - 10, PageDown: from + 10, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.plot?.point(Math.min(Math.max(to, 0), last));
  }
}
