// What a kbit/s buys: settings varied over the motion that is held, and the front of the best.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Point } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { numberField, select, slider, table, tableRow } from '../shell/parts';
import { HeldQuestion } from './held';
import type { LineChart } from './line-chart';
import './line-chart';
import { button } from '../shell/button';
import { heading, row } from './table';

/** The values to try of each varied setting, by its id. */
type Varied = Readonly<Record<string, readonly string[]>>;

/** Suggestions of settings to vary. */
const suggestions: readonly [string, Varied][] = [
  ['Send rate and interpolation', { hz: ['5', '10', '20', '30', '60'], interp: ['linear', 'hermite'] }],
  ['Send rate and codec', { hz: ['10', '20', '30', '60'], codec: ['changed-flags', 'arithmetic', 'predicted'] }],
  ['Bits of a position and an orientation', { pos: ['6', '7', '8', '9', '10'], rot: ['7', '9', '11'] }],
  ['Playout delay', { delay: ['50', '100', '150', '200', '250', '300', '350'] }],
];

/** Steps of a limit's slider. */
const LIMIT_STEPS = 200;

@customElement('lab-trade')
export class TradeFigure extends LabElement {
  @state() private vary: Varied = suggestions[0]?.[1] ?? {};
  /** Allowed error of the cheapest, as a part of the way from the closest point to the farthest. Undefined is twice the least. */
  @state() private within: number | undefined;
  private readonly question = new HeldQuestion('trade', { trade: { vary: [] } });
  /** Seconds that the points are measured over. */
  private seconds = '';

  protected override begins() {
    return [this.question.follow()];
  }

  /** The points that are measured so far; none where a varied setting changed nothing. */
  private get points(): readonly Point[] {
    const { points, changing_nothing: idle } = this.question.answer ?? { points: [], changing_nothing: [] };
    return idle.length > 0 ? [] : points;
  }

  protected override render() {
    const { answer, working, stop } = this.question;
    return html`
      <p class="lesson">
        The recorded motion is sent with every combination of the values below; all other settings stay${lab.b === undefined ? '' : ' as A has them'}. Left is cheaper, lower is closer to
        the truth. A point is on the Pareto front if no other beats it: as good in bandwidth and error, and better in one by 1 % or more.
      </p>
      <form class="vary" @submit=${this.begin}>
        ${Object.entries(this.vary).map(([id, values]) => this.varied(id, values))}
        <button class="primary" ?disabled=${this.combinations === 0}>${working ? 'Begin anew' : `Try all ${this.combinations}`}</button>
        ${this.more()}
        ${working ? button('Stop', stop) : nothing}
        ${this.points.length === 0 ? nothing : button('Download JSON', () => this.save())}
      </form>
      <div class="suggestions">
        ${suggestions.map(([name, vary]) => button(name, () => (this.vary = vary)))}
      </div>
      ${(answer?.followed ?? []).map((words) => html`<p class="caption">${words}</p>`)}
      <p class="caption" role="status">
        ${this.said()}
      </p>
      ${
        this.points.length === 0
          ? nothing
          : html`<div class="bar-head">${this.cheapest()}</div>
              <lab-line-chart .chart=${this.frontier()}></lab-line-chart>`
      }
      ${this.points.length === 0 ? nothing : this.table()}
    `;
  }

  private get combinations(): number {
    const all = Object.values(this.vary);
    return all.length === 0 ? 0 : all.reduce((product, values) => product * values.length, 1);
  }

  /** A varied setting: a chip for each value, pressed if it is tried, and a field for one more. */
  private varied(id: string, tried: readonly string[]) {
    const { label = id, number } = lab.row(id) ?? {};
    const set = (values: readonly string[]): void => void (this.vary = { ...this.vary, [id]: values });
    const chip = (value: string) =>
      button(value, () => set(tried.includes(value) ? tried.filter((other) => other !== value) : [...tried, value]), {
        kind: 'chip',
        pressed: tried.includes(value),
      });
    const leave = (): void => void (this.vary = Object.fromEntries(Object.entries(this.vary).filter(([other]) => other !== id)));
    return html`<div class="axis" role="group" aria-label=${label}>
      <span class="name">${label}</span>
      <span class="chips">${valuesOf(id, tried).map(chip)}</span>
      ${
        number === undefined
          ? nothing
          : html`<label><span class="unseen">Another value of ${label}</span>${numberField({ ...number, value: '', placeholder: 'other' }, (value) => set([...new Set([...tried, value])]))}</label>`
      }
      ${button('✕', leave, { kind: 'quiet', label: `Leave out ${label}` })}
    </div>`;
  }

  /** The settings that can be varied, too. */
  private more() {
    const open = lab.form.schema.filter(({ id, shared, idle }) => !shared && !idle && !(id in this.vary) && valuesOf(id, []).length > 1);
    const add = (id: string): void => void (this.vary = { ...this.vary, [id]: valuesOf(id, []) });
    const choices = [['', '+'] as const, ...open.map(({ id, label }) => [id, label] as const)];
    return select('Vary also', choices, '', add);
  }

  /** The cheapest point that is close enough, in a sentence; how close is dragged. */
  private cheapest() {
    const all = this.points.map((point) => point.surface_error_mm_p95);
    const [least, greatest] = [Math.min(...all), Math.max(...all)];
    const most = this.within === undefined ? Math.min(2 * least, greatest) : least + (greatest - least) * this.within;
    const close = this.points.filter((point) => point.surface_error_mm_p95 <= most);
    const best = close.toSorted((a, b) => a.kbps_mean - b.kbps_mean)[0];
    const value = greatest > least ? (most - least) / (greatest - least) : 1;
    const said = `${measure(most)} mm`;
    const drag = slider({ min: 0, max: 1, step: 1 / LIMIT_STEPS, value, label: 'Largest surface error', said }, (to) => (this.within = to));
    return html`<div class="within">
      <label>Surface error, p95: at most <b>${said}</b> ${drag}</label>
      <p>
        ${
          best === undefined
            ? 'No point is as close.'
            : html`Cheapest: ${button(Object.values(best.settings).join(', '), () => choose(best))} for <strong>${measure(best.kbps_mean)} kbit/s</strong>`
        }
      </p>
    </div>`;
  }

  private table() {
    const names = Object.keys(this.points[0]?.settings ?? {});
    const sorted = this.points.toSorted((a, b) => a.kbps_mean - b.kbps_mean);
    const heads = [names.map(labelOf).join(', '), 'kbit/s', 'surface error, mm', 'p95', 'delay, ms', 'on the front'];
    const rows = sorted.map((point) => {
      const isChosen = isSet(point);
      const name = button(names.map((name) => point.settings[name]).join(', '), () => choose(point), { kind: 'quiet', pressed: isChosen });
      const figures = [point.kbps_mean, point.surface_error_mm_mean, point.surface_error_mm_p95].map((figure) => measure(figure));
      return tableRow(name, [...figures, Math.round(point.playout_ms), point.on_front ? '✓' : ''], isChosen);
    });
    return html`<div class="wide">${table('Every point, cheapest first', heads, rows)}</div>`;
  }

  private frontier(): LineChart {
    const sorted = this.points.toSorted((a, b) => a.kbps_mean - b.kbps_mean);
    const of = (kept: (point: Point) => boolean): (number | null)[] => sorted.map((point) => (kept(point) ? point.surface_error_mm_p95 : null));
    // A line goes from point to point of the front: uPlot must not break it at the others.
    const front = sorted.map((point) => (point.on_front ? point.surface_error_mm_p95 : undefined));
    const error = heading(row('surface_error_mm.p95'));
    return {
      key: '',
      title: `${error}, over kbit/s, mean of ${this.seconds} s`,
      label: `${error} over bandwidth, ${this.points.length} points`,
      lines: [
        { name: 'beaten', colour: '--line-soft', points: true },
        { name: 'the front', colour: '--position', isUnnamed: true },
        { name: 'on the front', colour: '--position', points: true },
        { name: 'as A is set', colour: '--ink', points: true },
      ],
      look: { least: 1, times: (_first, last) => [0, last * 1.05], across: (kbps) => `${measure(kbps)} kbit/s` },
      data: [sorted.map((point) => point.kbps_mean), of((point) => !point.on_front), front, of((point) => point.on_front), of(isSet)],
    };
  }

  private begin(event: Event): void {
    event.preventDefault();
    const vary = Object.entries(this.vary).map(([id, values]) => `${id}=${values.join(',')}`);
    lab.pause(true);
    this.within = this.question.answer = undefined;
    this.seconds = ((lab.now.last - lab.now.first) / lab.tickRate).toFixed(0);
    this.question.ask({ trade: { vary } });
  }

  private said(): string {
    const { answer, trouble, working, isStale } = this.question;
    const idle = answer?.changing_nothing ?? [];
    if (idle.length > 0)
      return `${idle.map(labelOf).join(' and ')} changed nothing here: the points are the same with each value. Leave it out, or choose another rung or interpolation.`;
    if (trouble !== '') return trouble;
    if (working) return answer === undefined ? 'Begins …' : `${answer.points.length} of ${answer.point_count} points`;
    if (answer !== undefined && answer.points.length < answer.point_count) return `Stopped after ${answer.points.length} of ${answer.point_count} points.`;
    return isStale && this.points.length > 0 ? 'These points are of other settings or another motion.' : '';
  }

  private save(): void {
    download('trade.json', new Blob([JSON.stringify({ link: location.href, points: this.points }, null, 2)], { type: 'application/json' }));
  }
}

/** The values of a setting that are offered: its choices, or the marks of its slider, and the tried ones. */
function valuesOf(id: string, tried: readonly string[]): readonly string[] {
  const { choices, number } = lab.row(id) ?? {};
  if (choices !== undefined) return choices.map((choice) => choice.id);
  const all = [...new Set([...(number?.marks.map(String) ?? []), ...tried])];
  return all.toSorted((a, b) => Number(a) - Number(b));
}

/** Returns true if A has a point's settings. */
function isSet({ settings }: Point): boolean {
  return Object.entries(settings).every(([id, text]) => lab.a[id] === text);
}

function labelOf(id: string): string {
  return lab.row(id)?.label ?? id;
}

function choose(point: Point): void {
  for (const [id, text] of Object.entries(point.settings)) lab.set(id, text, 'a');
}
