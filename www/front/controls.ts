// The four controls of the front: send rate, quantisation, interpolation and packet loss, each with one figure of what it does.

import { html, nothing, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import { handInWords } from '../figures/hand';
import { lab, type Setting } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { slider, speak } from '../shell/parts';
import { modeNamed, tables } from '../tables';
import { pixelText } from '../views/scale';
import { tellMove } from './hand';

/** Greatest value of a slider here, unless a greater one is in force. The settings' own sliders go on. */
const MOST = 60;

/** Time of the lines under the controls, and of the means beside them, s. */
const [WINDOW_S, MEAN_S] = [10, 1];
/** Values that are read for the lines, by their ids. */
const LINES = ['behind_ms', 'delay_ms', 'surface_error_mm.mean', 'bits_per_changed_cube'] as const;

/** The effect of a control, in words: its figure, and the figure's parts where there is room. */
interface Effect {
  value: string;
  rest?: string;
  title: string;
  /** The last ten seconds as a picture. */
  line: unknown;
}

/** A control with a slider. */
interface Knob {
  id: string;
  label: string;
  min: number;
  max: number;
  value: number;
  said: string;
  effect: Effect;
  set: (value: string) => void;
}

@customElement('lab-front-controls')
export class FrontControls extends LabElement {
  /** The rung that a change of quantisation has taken, and the level that it was taken for. */
  private taken: { rung: string; level: number } | undefined;

  /** Columns of the last ten seconds: times in s, then the values of the lines. */
  private columns: readonly Float64Array[] = [];

  protected override render() {
    const all = lab.numbers({ recent: { lane: lab.setting, ids: [...LINES], seconds: WINDOW_S } });
    const length = all.length / (1 + LINES.length);
    this.columns = Array.from({ length: 1 + LINES.length }, (_, place) => all.subarray(place * length, (place + 1) * length));
    return html`<div class="front-controls">
      ${lab.b === undefined ? nothing : this.lanes()}${this.rate()}${this.quantisation()}${this.interpolation()}${this.loss()}
    </div>`;
  }

  /** Lane A or B, where there are both. */
  private lanes() {
    return html`<span class="buttons" role="group" aria-label="Controls of">
      ${(['a', 'b'] as const).map((lane) => button(lane.toUpperCase(), () => lab.setFor(lane), { pressed: lane === lab.setting }))}
    </span>`;
  }

  private rate() {
    const [behind, delay] = [this.mean('behind_ms'), this.mean('delay_ms')];
    const live = lab.now[lab.setting];
    const line = this.line('behind_ms', 'ms');
    const title = 'Age of what the right view shows, mean of a second; the line is the last ten';
    if (live?.strategy === 'game') return this.ofSetting('hz', (text) => `${text}/s`, { value: handInWords(live), title, line: nothing });
    // The delay counts from the fastest packet of the last seconds. Parts of whole ms come to the whole.
    const [late, buffered] = [Math.round(behind), Math.round(delay)];
    const rest = `: ${buffered} ms of buffer and ${late - buffered} ms of the fastest packet`;
    const effect = Number.isNaN(behind) ? { value: 'nothing arrived yet' } : { value: `${late} ms late`, rest };
    return this.ofSetting('hz', (text) => `${text}/s`, { ...effect, title, line });
  }

  private quantisation() {
    const now = lab.form.quantisation;
    if (now === undefined) return nothing;
    const { level, coarsest, finest, position_step_mm: mm, orientation_step_deg: degrees, surface_error_mm: surface, needed_rung: needed } = now;
    // Orientations have two bits at least.
    const { rot } = lab.settings;
    const steps = `${measure(mm)} mm, ${measure(degrees)}° steps${Number(rot) === level ? '' : ` at ${rot} bits`}`;
    const bits = this.mean('bits_per_changed_cube');
    const rung = this.row('codec')?.choices?.find(({ id }) => id === lab.settings.codec)?.label;
    return this.knob({
      id: 'front-quantisation',
      label: 'Quantisation',
      min: coarsest,
      max: finest,
      value: level,
      said: `${level} bit${level === 1 ? '' : 's'}`,
      effect: {
        value: this.taken?.level === level && this.taken.rung === rung ? `on rung ${rung}` : `at most ${measure(surface)} mm of rounding`,
        rest: `${pixelText(surface)}${Number.isNaN(bits) ? '' : `: ${measure(bits)} bits a cube`}`,
        title: `Greatest distance between where a corner of a cube is and where its rounded pose puts it. Position and orientation: ${steps}. Settings has both apart. The line is the bits of a changed cube`,
        line: this.line('bits_per_changed_cube', 'bits'),
      },
      set: (text) => {
        // Rungs without bits send floats: the control takes the least rung that has them, and says so at this level.
        if (needed !== null) this.taken = { rung: needed, level: Number(text) };
        lab.apply({ lane: { quantise: { lane: lab.setting, level: Number(text) } } });
      },
    });
  }

  private interpolation() {
    const setting = this.row('interp');
    if (setting === undefined) return nothing;
    const chosen = lab.settings.interp;
    // Other modes are one level down, unless one is in force.
    const shown = tables().modes.filter(({ name, is_on_front }) => is_on_front || name === chosen);
    const choices = shown.flatMap(({ name }) => setting.choices?.find(({ id }) => id === name) ?? []);
    const off = this.mean('surface_error_mm.mean');
    const effect = {
      value: `${measure(off)} mm${pixelText(off)} off the original`,
      rest: this.standsByItself() ? `, ${this.stillness()}` : '',
      title: 'Greatest distance between where a corner of a red cube is and where it is shown, mean of a second; the line is the last ten',
      line: this.line('surface_error_mm.mean', 'mm'),
    };
    return html`<div class="front-control" role="group" aria-labelledby="front-interp-name">
      <span class="name" id="front-interp-name" translate="yes">${setting.label}</span>
      <span class="buttons">
        ${choices.map(({ id, label }) => button(id, () => this.choose(id), { pressed: id === chosen, title: label }))}
      </span>
      ${effectParts(effect)}
    </div>`;
  }

  private loss() {
    const value = this.standsByItself() ? lossText() : this.stillness();
    const title = 'Time in which the right view showed nothing new. Below, the last ten seconds: red stood still, grey was lost';
    return this.ofSetting('loss', (text) => `${text} %`, { value, title, line: this.marks() });
  }

  /** Without loss, or where snapshots are shown as they come, it is the way of interpolation that leaves the view standing. */
  private standsByItself(): boolean {
    const isChosen = this.row('interp') !== undefined && this.row('loss') !== undefined;
    return isChosen && (Number(lab.settings.loss) === 0 || (modeNamed(lab.settings.interp)?.is_held === true && losses() !== undefined));
  }

  /** The freezes of the last ten seconds, as times in s. */
  private freezes(): [from: number, to: number][] {
    const { time_s: end } = lab.now.a;
    const all = lab.ask({ freezes: { lane: lab.setting } }).map(({ from, to }) => [from / lab.tickRate, (to + 1) / lab.tickRate] as const);
    return all.filter(([, to]) => to > end - WINDOW_S).map(([from, to]) => [Math.max(from, end - WINDOW_S), Math.min(to, end)]);
  }

  private stillness(): string {
    const still = this.freezes().reduce((sum, [from, to]) => sum + Math.max(to - from, 0), 0);
    return `frozen ${measure(still)} of ${measure(Math.min(lab.now.a.time_s, WINDOW_S))} s`;
  }

  private column(id: (typeof LINES)[number]): Float64Array {
    return this.columns[1 + LINES.indexOf(id)] ?? new Float64Array();
  }

  /** The mean of the last second. */
  private mean(id: (typeof LINES)[number]): number {
    // A history that is not whole yet has begun to play within that second: its newest value alone is settled.
    if (lab.now.progress === 'provisional') return this.column(id).findLast((value) => !Number.isNaN(value)) ?? Number.NaN;
    const times = this.columns[0] ?? [];
    const values = this.column(id).filter((value, at) => !Number.isNaN(value) && (times[at] ?? 0) > lab.now.a.time_s - MEAN_S);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  /** The last ten seconds of a value as a line, from 0 to its greatest: at each place the least and the greatest of the ticks there. */
  private line(id: (typeof LINES)[number], unit: string) {
    const ranges: [least: number, greatest: number][] = [];
    for (const [at, value] of this.column(id).entries()) {
      if (Number.isNaN(value)) continue;
      const x = Math.round(place(this.columns[0]?.[at] ?? 0));
      const [least, greatest] = ranges[x] ?? [value, value];
      ranges[x] = [Math.min(least, value), Math.max(greatest, value)];
    }
    const most = ranges.reduce((most, [, greatest]) => Math.max(most, greatest), Number.MIN_VALUE);
    const y = (value: number): number => 15 - (14 * value) / most;
    const points = ranges.map(([least, greatest], x) => `${x},${y(least)} ${x},${y(greatest)}`);
    return picture(svg`<polyline points=${points.join(' ')} />`, points.length === 0 ? '' : `${measure(most)} ${unit}`);
  }

  /** Freezes and lost packets of the last ten seconds. */
  private marks() {
    return picture(
      svg`${(this.standsByItself() ? [] : this.freezes()).map(([from, to]) => svg`<rect class="still" x=${place(from)} y="0" width=${Math.max(place(to) - place(from), 0.6)} height="9" />`)}
        ${(losses() ?? []).map((tick) => svg`<rect x=${place(tick / lab.tickRate)} y="10" width="0.9" height="6" />`)}`,
      `${WINDOW_S} s`,
    );
  }

  private row(id: string): Setting | undefined {
    return lab.form.schema.find((setting) => setting.id === id && !setting.replaced);
  }

  private choose(mode: string): void {
    tellMove();
    lab.set('interp', mode);
  }

  private ofSetting(id: string, said: (text: string) => string, effect: Effect) {
    const setting = this.row(id);
    if (setting?.number === undefined) return nothing;
    const text = lab.settings[id] ?? setting.default;
    const { min, max } = setting.number;
    const value = Number(text);
    const range = { id: `front-${id}`, label: setting.label, min, max: Math.min(max, Math.max(MOST, value)), value };
    return this.knob({ ...range, said: said(text), effect, set: (to) => lab.set(id, to) });
  }

  private knob({ id, label, min, max, value, said, effect, set }: Knob) {
    const words = `${said}, ${effect.value}${effect.rest ?? ''}`;
    return html`<div class="front-control">
      <label class="name" for=${id} translate="yes">${label}</label>
      ${slider({ id, min, max, value, said: speak(id, words, `${lab.running} ${said}`) }, (to) => {
        tellMove();
        lab.soon(id, () => set(String(to)));
      })}
      <output for=${id}>${said}</output>
      ${effectParts(effect)}
    </div>`;
  }
}

/** Ticks of the last ten seconds at which a packet was lost. They are known of A alone. */
const losses = () => (lab.setting === 'a' ? lab.ask({ troubles: { ticks: WINDOW_S * lab.tickRate } }).lost : undefined);

function lossText(): string {
  const count = losses()?.length ?? 0;
  if (Number(lab.settings.loss) === 0) return 'nothing is lost';
  return `${count} ${count === 1 ? 'packet' : 'packets'} lost`;
}

/** The place of an instant on the lines, whose end is the shown one. */
const place = (time: number): number => 100 * (1 - (lab.now.a.time_s - time) / WINDOW_S);

function effectParts({ value, rest, title, line }: Effect) {
  return html`<span class="effect" title=${title}><b>${value}</b>${rest === undefined ? nothing : html`<span>${rest}</span>`}</span>
    ${line}`;
}

/** A picture of the last ten seconds in its box, with the top of its scale beside its top. */
function picture(parts: unknown, scale: string) {
  return html`<span class="spark" aria-hidden="true"><svg viewBox="0 0 100 16" preserveAspectRatio="none">${parts}</svg><small>${scale}</small></span>`;
}
