// What a kbit/s buys: settings varied over the motion that is held, and the front of the best.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Trade, type Point } from '../../pkg/snapshot_web';
import { download } from '../download';
import { LabElement } from '../element';
import { measure } from '../format';
import { lab, type Change } from '../lab';
import { onFrame } from '../loop';
import { Plot } from './plot';

const FRAME_MS = 24;

/** What to vary to begin with. */
const suggestions: readonly [string, string[]][] = [
  ['Send rate and interpolation', ['hz=5,10,20,30,60', 'interp=linear,hermite']],
  ['Send rate and codec', ['hz=10,20,30,60', 'codec=changed-flags,arithmetic,predicted']],
  ['Bits of a position and an orientation', ['pos=6,7,8,9,10', 'rot=7,9,11']],
  ['Playout delay', ['delay=50,100,150,200,250,300,350']],
];

@customElement('lab-trade')
export class TradeFigure extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings', 'run'];
  @state() private vary = suggestions[0]?.[1].join(' ') ?? '';
  @state() private trouble = '';
  @state() private points: readonly Point[] = [];
  private trade: Trade | undefined;
  private of = 0;
  /** The settings and the tape that the points are of. */
  private ground = '';
  private plot: Plot | undefined;
  private stopWorking = (): void => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWorking = onFrame(() => this.work());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWorking();
  }

  protected override render() {
    const stale = this.points.length > 0 && this.ground !== groundNow();
    return html`
      <p class="lesson">
        The motion that is kept is sent with every combination of the values below; all other settings are lane A’s. Left is cheaper, lower is closer to
        the truth. No point is both cheaper and closer than one on the line, the Pareto front.
      </p>
      <form class="vary" @submit=${this.begin}>
        <label for="vary">Vary</label>
        <input id="vary" spellcheck="false" autocomplete="off" .value=${this.vary} @input=${(event: Event) => (this.vary = (event.target as HTMLInputElement).value)} />
        <button class="primary">${this.trade === undefined ? 'Try them all' : 'Begin anew'}</button>
        ${this.trade === undefined ? nothing : html`<button type="button" @click=${() => this.end()}>Stop</button>`}
        ${this.points.length === 0 ? nothing : html`<button type="button" @click=${() => this.save()}>Download JSON</button>`}
      </form>
      <div class="suggestions">
        ${suggestions.map(([name, vary]) => html`<button type="button" @click=${() => (this.vary = vary.join(' '))}>${name}</button>`)}
      </div>
      <p class="caption" role="status">
        ${this.trouble !== '' ? this.trouble : this.trade !== undefined ? `${this.points.length} of ${this.of} points` : stale ? 'These points are of other settings or another motion.' : ''}
      </p>
      ${
        this.points.length === 0
          ? nothing
          : html`<div class="legend">
              <strong>Position error, mm rms, over kbit/s</strong>
              <span><i class="dot position"></i>on the front</span><span><i class="dot line-soft"></i>beaten</span><span><i class="dot accent"></i>as A is set</span>
            </div>`
      }
      <div class="plot" role="img" aria-label="Position error over bandwidth, ${this.points.length} points"></div>
      ${this.points.length === 0 ? nothing : this.table()}
    `;
  }

  private table() {
    const names = Object.keys(this.points[0]?.settings ?? {});
    const sorted = this.points.toSorted((a, b) => a.kbps_mean - b.kbps_mean);
    return html`<div class="wide">
      <table class="compared">
        <caption class="unseen">Every point, cheapest first</caption>
        <thead>
          <tr>
            <th scope="col">${names.map((name) => labelOf(name)).join(', ')}</th>
            <th scope="col">kbit/s</th>
            <th scope="col">error, mm rms</th>
            <th scope="col">delay, ms</th>
            <th scope="col">on the front</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map((point) => {
            const chosen = isSet(point);
            return html`<tr class=${chosen ? 'chosen' : ''}>
              <th scope="row">
                <button type="button" class="quiet" aria-pressed=${chosen} @click=${() => choose(point)}>${names.map((name) => point.settings[name]).join(', ')}</button>
              </th>
              <td>${measure(point.kbps_mean)}</td>
              <td>${measure(point.position_error_mm_rms)}</td>
              <td>${Math.round(point.delay_ms)}</td>
              <td>${point.on_front ? '✓' : ''}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  protected override updated(): void {
    const box = this.querySelector<HTMLElement>('.plot');
    if (box === null || this.points.length === 0) return;
    const sorted = this.points.toSorted((a, b) => a.kbps_mean - b.kbps_mean);
    const of = (kept: (point: Point) => boolean): (number | null)[] => sorted.map((point) => (kept(point) ? point.position_error_mm_rms : null));
    this.plot ??= new Plot(box, {
      lines: [
        { name: 'beaten', colour: '--line-soft', points: true },
        { name: 'the front', colour: '--position' },
        { name: 'on the front', colour: '--position', points: true },
        { name: 'as A is set', colour: '--accent', points: true },
      ],
      least: 1,
      times: (_first, last) => [0, last * 1.05],
      across: (kbps) => `${measure(kbps)} kbit/s`,
    });
    // A line goes from point to point of the front: uPlot must not break it at the others.
    const front = sorted.map((point) => (point.on_front ? point.position_error_mm_rms : undefined));
    this.plot.show([sorted.map((point) => point.kbps_mean), of((point) => !point.on_front), front, of((point) => point.on_front), of(isSet)]);
  }

  private begin(event: Event): void {
    event.preventDefault();
    this.end();
    // What is still to be made of the motion comes first; and it must stand still.
    lab.pause(true);
    try {
      this.trade = new Trade(lab.page, this.vary.split(/[\s&]+/).filter((part) => part !== ''));
      this.of = this.trade.of();
      this.points = [];
      this.trouble = '';
      this.ground = groundNow();
    } catch (error) {
      this.trouble = error instanceof Error ? `${error.message}.` : String(error);
    }
    this.requestUpdate();
  }

  private end(): void {
    this.trade?.free();
    this.trade = undefined;
    this.requestUpdate();
  }

  private work(): void {
    const { trade } = this;
    if (trade === undefined || lab.failure !== undefined || lab.progress.state !== 'done') return;
    if (this.ground !== groundNow()) {
      this.end();
      return;
    }
    lab.guard(() => {
      const more = trade.work(lab.page, FRAME_MS);
      const points = trade.points();
      if (points.length > this.points.length) this.points = points;
      if (!more) this.end();
    });
  }

  private save(): void {
    download('trade.json', new Blob([JSON.stringify({ link: location.href, points: this.points }, null, 2)], { type: 'application/json' }));
  }
}

/** What the points depend on. */
function groundNow(): string {
  const { first, last } = lab.span;
  return JSON.stringify([lab.a.settings, first, last]);
}

/** Whether A is set so. */
function isSet({ settings }: Point): boolean {
  return Object.entries(settings).every(([id, text]) => lab.a.settings[id] === text);
}

function labelOf(id: string): string {
  return lab.schemaOfAll.find((setting) => setting.id === id)?.label ?? id;
}

function choose(point: Point): void {
  for (const [id, text] of Object.entries(point.settings)) lab.set(id, text, 'a');
}
