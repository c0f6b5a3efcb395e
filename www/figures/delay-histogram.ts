// How long packets take, as a histogram, with the playout delay as a line to drag and the share of packets that is late.

import { html, nothing, svg } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { count, measure, percent } from '../shell/format';
import { slider } from '../shell/parts';
import { SizedElement } from '../shell/sized';
import { ofKind } from '../shell/styled';
import { isUnmade } from './drawing';
import { type Due, type LinkData, laterThan, quantile } from './link-data';

/** Places in the drawing, px. */
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [178, 36, 12, 30, 24];
const MOST_BINS = 50;
const BIN_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** A few packets that take so many times as long as nearly all others leave the scale. */
const OUTLIER = 2;
const NEARLY_ALL = 0.99;
const LABELS = 6;

interface Scale {
  binMs: number;
  endMs: number;
}

@customElement('lab-delay-histogram')
export class DelayHistogram extends SizedElement {
  @property({ attribute: false }) data: LinkData | undefined;
  /** The line is being dragged: where to, in the setting's unit, on a scale that stands. */
  @state() private dragged: { value: number; scale: Scale } | undefined;
  private isSetDue = false;

  protected override render() {
    const { data } = this;
    if (data === undefined) return nothing;
    const { due, delays } = data;
    const scale = this.dragged?.scale ?? scaleOf(data);
    const value = due === undefined ? 0 : (this.dragged?.value ?? due.delayMs / due.unitMs);
    const lineMs = due === undefined ? undefined : due.offsetMs + value * due.unitMs;
    const late = lineMs === undefined ? 0 : laterThan(delays, lineMs);
    return html`
      <div class="legend">
        <strong>How long packets take, ms</strong>
        ${
          due === undefined
            ? html`<span>nothing is shown yet</span>`
            : html`<span><i class="key solid" ${ofKind('position')}></i>in time</span>
                <span><i class="key solid" ${ofKind('warm')}></i>late: <b class="late-share">${percent(late / Math.max(delays.length, 1))}</b>, ${count(late)} of ${count(delays.length)}</span>`
        }
        ${!isUnmade() ? nothing : html`<span><i class="hatch-key"></i> still being worked out</span>`}
      </div>
      ${this.drawing(data, scale, lineMs)} ${due === undefined ? nothing : this.slider(data, due, value, late)}
    `;
  }

  private drawing({ delays }: LinkData, scale: Scale, lineMs: number | undefined) {
    const { widthPx } = this;
    const { binMs, endMs } = scale;
    const bins = Array.from({ length: Math.ceil(endMs / binMs) }, () => 0);
    let beyond = 0;
    for (const delay of delays) {
      const place = Math.floor(delay / binMs);
      if (place < bins.length) bins[place] = (bins[place] ?? 0) + 1;
      else beyond += 1;
    }
    const most = Math.max(...bins, 1);
    const x = (ms: number): number => LEFT + (ms / endMs) * (widthPx - LEFT - RIGHT);
    const floor = HEIGHT - BOTTOM;
    // A bin that the line divides is drawn in two, with a gap at its end.
    const bar = (kind: string, packets: number, from: number, to: number, end: number) => {
      const height = Math.max((packets / most) * (floor - TOP), 1);
      const width = Math.max(x(to) - x(from) - (to === end ? 0.6 : 0), 0.4);
      return to <= from ? nothing : svg`<rect class=${kind} x=${x(from)} y=${floor - height} width=${width} height=${height}></rect>`;
    };
    const every = BIN_MS.find((step) => endMs / step <= LABELS) ?? endMs;
    const line = lineMs === undefined ? undefined : Math.min(x(lineMs), widthPx - 2);
    const flips = line !== undefined && line > widthPx / 2;
    return html`<svg
      class="histogram sized delays ${this.dragged === undefined ? '' : 'dragged'} ${isUnmade() ? 'provisional' : ''}"
      viewBox="0 0 ${widthPx} ${HEIGHT}"
      role="img"
      aria-label="${summary(delays, lineMs)}"
      @pointerdown=${(event: PointerEvent) => this.grab(event, scale)}
      @pointermove=${(event: PointerEvent) => this.drag(event)}
      @pointerup=${() => this.letGo()}
      @pointercancel=${() => this.letGo()}
    >
      ${[0, 0.5, 1].map(
        (part) => svg`<path class="grid" d="M${LEFT} ${floor - part * (floor - TOP)}H${widthPx - RIGHT}" />
          <text class="end" x=${LEFT - 6} y=${floor - part * (floor - TOP) + 4}>${part * most >= 1 || part === 0 ? count(part * most) : ''}</text>`,
      )}
      ${Array.from({ length: Math.floor(endMs / every) + 1 }, (_, place) => place * every).map((ms) => svg`<text x=${x(ms)} y=${HEIGHT - 8}>${count(ms)}</text>`)}
      ${bins.map((packets, place) => {
        const [from, to] = [place * binMs, (place + 1) * binMs];
        const at = Math.min(Math.max(lineMs ?? to, from), to);
        return packets === 0 ? nothing : [bar('in-time', packets, from, at, to), bar('late', packets, at, to, to)];
      })}
      ${beyond === 0 ? nothing : svg`<text class="end beyond" x=${widthPx - RIGHT} y=${floor - 6}>${count(beyond)} beyond, up to ${measure(delays.at(-1) ?? 0)} ms ▸</text>`}
      ${
        line === undefined || lineMs === undefined
          ? nothing
          : svg`<path class="edge" d="M${line} ${TOP - 8}V${floor}" /><rect class="grip" x=${line - 6} y=${(TOP + floor) / 2 - 16} width="12" height="32" rx="4" />
            <text class="edge-name ${flips ? 'before' : ''}" x=${line + (flips ? -8 : 8)} y=${TOP - 14}>due after ${measure(lineMs)} ms</text>`
      }
    </svg>`;
  }

  private slider({ lane, delays }: LinkData, due: Due, value: number, late: number) {
    const number = lab.ask({ schema: { lane } }).find((of) => of.id === due.id)?.number;
    const shown = Math.round(value);
    const name = due.id === 'buffer' ? 'Jitter buffer' : 'Playout delay';
    const amount = due.id === 'buffer' ? `${shown} frames, ${measure(shown * due.unitMs)} ms` : `${shown} ms`;
    const set = lab.state[lane]?.[due.id];
    const special =
      this.dragged === undefined && (set === 'auto' || set === 'adaptive' || set === 'none') ? ` (${set}${set === 'adaptive' ? ' now' : ''})` : '';
    return html`<label class="due">
      <span>${name}: <strong>${amount}</strong>${special}, after the ${measure(due.offsetMs)} ms that the fastest packet took</span>
      ${slider(
        { min: number?.min ?? 0, max: number?.max ?? 0, value: shown, said: `${amount}, ${percent(late / Math.max(delays.length, 1))} of the packets late` },
        (to) => this.choose(to, scaleOf(this.data)),
        () => this.letGo(),
      )}
    </label>`;
  }

  private grab(event: PointerEvent, scale: Scale): void {
    if (this.data?.due === undefined) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.dragged = { value: this.data.due.delayMs / this.data.due.unitMs, scale };
    this.drag(event);
  }

  private drag(event: PointerEvent): void {
    const { dragged, data } = this;
    if (dragged === undefined || data?.due === undefined || (event.type === 'pointermove' && event.buttons === 0)) return;
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const ms = ((event.clientX - left - LEFT) / (width - LEFT - RIGHT)) * dragged.scale.endMs;
    this.choose(Math.round((ms - data.due.offsetMs) / data.due.unitMs), dragged.scale);
  }

  /** At most one change of the setting a frame; the line and the share follow at once. */
  private choose(value: number, scale: Scale): void {
    const { data } = this;
    if (data?.due === undefined) return;
    const { lane, due } = data;
    const { min, max } = lab.ask({ schema: { lane } }).find(({ id }) => id === due.id)?.number ?? { min: 0, max: 0 };
    this.dragged = { value: Math.min(Math.max(value, min), max), scale };
    if (this.isSetDue) return;
    this.isSetDue = true;
    requestAnimationFrame(() => {
      this.isSetDue = false;
      const to = this.dragged?.value;
      if (to !== undefined && lab.state[lane]?.[due.id] !== String(to)) lab.set(due.id, String(to), lane);
    });
  }

  private letGo(): void {
    // After the frame that sets the last value.
    requestAnimationFrame(() => requestAnimationFrame(() => (this.dragged = undefined)));
  }
}

/** Up to the line and nearly all packets, and beyond by a little. */
function scaleOf(data: LinkData | undefined): Scale {
  const { delays, due } = data ?? { delays: [], due: undefined };
  const [usual, longest] = [quantile(delays, NEARLY_ALL), delays.at(-1) ?? 0];
  const most = Math.min(longest, OUTLIER * usual);
  const reach = Math.max(1.1 * most, due === undefined ? 0 : 1.25 * (due.offsetMs + due.delayMs), 20);
  const binMs = BIN_MS.find((bin) => reach / bin <= MOST_BINS) ?? 1000;
  return { binMs, endMs: Math.ceil(reach / binMs) * binMs };
}

/** The bars in words, for people who do not see them. */
function summary(delays: readonly number[], lineMs: number | undefined): string {
  if (delays.length === 0) return 'No packet has arrived';
  const [half, p95, p99] = [0.5, 0.95, 0.99].map((share) => measure(quantile(delays, share)));
  const late = lineMs === undefined ? '' : `; ${percent(laterThan(delays, lineMs) / delays.length)} come later than ${measure(lineMs)} ms, when they are due`;
  return `${count(delays.length)} packets: half take ${half} ms or less, 95 % ${p95} ms, 99 % ${p99} ms${late}`;
}
