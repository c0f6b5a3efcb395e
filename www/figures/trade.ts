// What a kbit/s buys: settings varied over the motion that is held, and the front of the best.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { type Point, Trade } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { numberField, select, slider, table, tableRow } from '../shell/parts';
import { HeldWork, inputsKey } from './held';
import type { LineChart } from './line-chart';
import './line-chart';
import { button } from '../shell/button';
import { heading, row } from './table';

const FRAME_MS = 24;

/** The values to try of each varied setting, by its id. */
type Varied = Readonly<Record<string, readonly string[]>>;

/** Suggestions of settings to vary. */
const suggestions: readonly [string, Varied][] = [
  ['Send rate and interpolation', { hz: ['5', '10', '20', '30', '60'], interp: ['linear', 'hermite'] }],
  ['Send rate and codec', { hz: ['10', '20', '30', '60'], codec: ['changed-flags', 'arithmetic', 'predicted'] }],
  ['Bits of a position and an orientation', { pos: ['6', '7', '8', '9', '10'], rot: ['7', '9', '11'] }],
  ['Playout delay', { delay: ['50', '100', '150', '200', '250', '300', '350'] }],
];

const errors = ['position_error_mm_rms', 'position_error_mm_p95', 'orientation_error_deg_rms', 'orientation_error_deg_p95'] as const;
type ErrorAxis = (typeof errors)[number];

/** The errors that a front can be of, beside bandwidth: the first is drawn. */
const goals: readonly { name: string; axes: readonly [ErrorAxis, ...ErrorAxis[]] }[] = [
  { name: 'both errors, rms', axes: ['position_error_mm_rms', 'orientation_error_deg_rms'] },
  { name: 'both errors, p95', axes: ['position_error_mm_p95', 'orientation_error_deg_p95'] },
  { name: 'position error, rms', axes: ['position_error_mm_rms'] },
  { name: 'position error, p95', axes: ['position_error_mm_p95'] },
  { name: 'orientation error, rms', axes: ['orientation_error_deg_rms'] },
  { name: 'orientation error, p95', axes: ['orientation_error_deg_p95'] },
];
/** Steps of a limit's slider. */
const LIMIT_STEPS = 200;

@customElement('lab-trade')
export class TradeFigure extends LabElement {
  @state() private vary: Varied = suggestions[0]?.[1] ?? {};
  @state() private trouble = '';
  @state() private points: readonly Point[] = [];
  @state() private goal = 0;
  /** Allowed error of the cheapest, as a part of the way from the closest point to the farthest. Undefined is twice the least. */
  @state() private within: { mm?: number; degrees?: number } = {};
  /** Settings that follow a varied one, in sentences. */
  @state() private followed: readonly string[] = [];
  private readonly work = new HeldWork(
    () => inputsKey(lab.a),
    (trade: Trade) => {
      const more = trade.work(lab.page, FRAME_MS);
      this.readPoints();
      const idle = more ? [] : trade.changing_nothing();
      if (idle.length > 0) {
        this.trouble = `${idle.map(labelOf).join(' and ')} changed nothing here: the points are the same with each value. Leave it out, or choose another rung or interpolation.`;
        this.points = [];
      }
      return more;
    },
  );
  /** Seconds that the points are measured over. */
  private seconds = '';

  protected override begins() {
    return [this.work.follow()];
  }

  protected override render() {
    const stale = this.points.length > 0 && this.work.isStale;
    return html`
      <p class="lesson">
        The recorded motion is sent with every combination of the values below; all other settings stay${lab.b === undefined ? '' : ' as A has them'}. Left is cheaper, lower is closer to
        the truth. A point is on the Pareto front if no other beats it: as good in bandwidth and the chosen errors, and better in one by 1 % or more.
      </p>
      <form class="vary" @submit=${this.begin}>
        ${Object.entries(this.vary).map(([id, values]) => this.varied(id, values))}
        <button class="primary" ?disabled=${this.combinations === 0}>${this.work.working ? 'Begin anew' : `Try all ${this.combinations}`}</button>
        ${this.more()}
        ${!this.work.working ? nothing : button('Stop', this.work.stop)}
        ${this.points.length === 0 ? nothing : button('Download JSON', () => this.save())}
      </form>
      <div class="suggestions">
        ${suggestions.map(([name, vary]) => button(name, () => (this.vary = vary)))}
      </div>
      ${this.followed.map((words) => html`<p class="caption">${words}</p>`)}
      <p class="caption" role="status">
        ${this.trouble !== '' ? this.trouble : this.work.working ? `${this.points.length} of ${this.work.made?.point_count()} points` : stale ? 'These points are of other settings or another motion.' : ''}
      </p>
      ${
        this.points.length === 0
          ? nothing
          : html`<div class="bar-head">
                ${select(
                  'Front of bandwidth and',
                  goals.map(({ name }, place) => [place, name]),
                  this.goal,
                  this.chooseGoal,
                )}
                ${this.limits()}
              </div>
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

  private get chosenGoal() {
    return goals[this.goal] ?? (goals[0] as (typeof goals)[number]);
  }

  /** The cheapest point that is close enough, in a sentence; how close is dragged. */
  private limits() {
    const statistic = this.chosenGoal.axes[0].endsWith('p95') ? 'p95' : 'rms';
    const [mm, degrees] = [`position_error_mm_${statistic}`, `orientation_error_deg_${statistic}`] as [ErrorAxis, ErrorAxis];
    const limit = (axis: ErrorAxis, part: number | undefined): { most: number; part: number } => {
      const all = this.points.map((point) => point[axis]);
      const [least, greatest] = [Math.min(...all), Math.max(...all)];
      const most = part === undefined ? Math.min(2 * least, greatest) : least + (greatest - least) * part;
      return { most, part: greatest > least ? (most - least) / (greatest - least) : 1 };
    };
    const limits = { mm: limit(mm, this.within.mm), degrees: limit(degrees, this.within.degrees) };
    const [mostMm, mostDegrees] = [limits.mm.most, limits.degrees.most];
    const close = this.points.filter((point) => point[mm] <= mostMm && point[degrees] <= mostDegrees);
    const cheapest = close.toSorted((a, b) => a.kbps_mean - b.kbps_mean)[0];
    const drag = (label: string, said: string, key: 'mm' | 'degrees') =>
      slider({ min: 0, max: 1, step: 1 / LIMIT_STEPS, value: limits[key].part, label, said }, (to) => (this.within = { ...this.within, [key]: to }));
    const [saidMm, saidDegrees] = [`${measure(mostMm)} mm`, `${measure(mostDegrees)} degrees`];
    return html`<div class="within">
      <label>Position error, ${statistic}: at most <b>${saidMm}</b> ${drag('Largest position error', saidMm, 'mm')}</label>
      <label>Orientation error, ${statistic}: at most <b>${saidDegrees}</b> ${drag('Largest orientation error', saidDegrees, 'degrees')}</label>
      <p>
        ${
          cheapest === undefined
            ? 'No point is as close.'
            : html`Cheapest: ${button(Object.values(cheapest.settings).join(', '), () => choose(cheapest))} for <strong>${measure(cheapest.kbps_mean)} kbit/s</strong>`
        }
      </p>
    </div>`;
  }

  private readonly chooseGoal = (place: string): void => {
    this.goal = Number(place);
    this.readPoints();
  };

  private readPoints(): void {
    const trade = this.work.made;
    if (trade === undefined) return;
    lab.guard(() => (this.points = trade.points(['kbps_mean', ...this.chosenGoal.axes])));
  }

  private table() {
    const names = Object.keys(this.points[0]?.settings ?? {});
    const sorted = this.points.toSorted((a, b) => a.kbps_mean - b.kbps_mean);
    const heads = [names.map(labelOf).join(', '), 'kbit/s', 'mm rms', 'mm p95', 'degrees rms', 'degrees p95', 'delay, ms', 'on the front'];
    const rows = sorted.map((point) => {
      const isChosen = isSet(point);
      const name = button(names.map((name) => point.settings[name]).join(', '), () => choose(point), { kind: 'quiet', pressed: isChosen });
      const figures = ['kbps_mean' as const, ...errors].map((figure) => measure(point[figure]));
      return tableRow(name, [...figures, Math.round(point.playout_ms), point.on_front ? '✓' : ''], isChosen);
    });
    return html`<div class="wide">${table('Every point, cheapest first', heads, rows)}</div>`;
  }

  private frontier(): LineChart {
    const sorted = this.points.toSorted((a, b) => a.kbps_mean - b.kbps_mean);
    const { axes } = this.chosenGoal;
    const of = (kept: (point: Point) => boolean): (number | null)[] => sorted.map((point) => (kept(point) ? point[axes[0]] : null));
    // A line goes from point to point of a front of two figures: uPlot must not break it at the others. One of three is no line.
    const front = sorted.map((point) => (point.on_front && axes.length === 1 ? point[axes[0]] : undefined));
    return {
      key: '',
      title: `${words(axes[0])}, over kbit/s, mean of ${this.seconds} s`,
      label: `${words(axes[0])} over bandwidth, ${this.points.length} points`,
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
    try {
      this.work.begin(() => new Trade(lab.page, vary));
      this.points = [];
      this.trouble = '';
      this.within = {};
      this.followed = this.work.made?.followed() ?? [];
      this.seconds = ((lab.now.last - lab.now.first) / lab.tickRate).toFixed(0);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.trouble = `${error.message}.`;
    }
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

function words(axis: ErrorAxis): string {
  return heading(row(axis.replace(/_(rms|p95)$/, '.$1')));
}

function labelOf(id: string): string {
  return lab.row(id)?.label ?? id;
}

function choose(point: Point): void {
  for (const [id, text] of Object.entries(point.settings)) lab.set(id, text, 'a');
}
