// The four controls of the front: send rate, quantisation, interpolation and packet loss, each with one figure of what it does.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { lab, type Setting } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { slider, speak } from '../shell/parts';
import { tables } from '../tables';
import { showOutlines } from '../views/outlines';

/** Greatest value of a slider here, unless a greater one is in force. The settings' own sliders go on. */
const MOST = 60;

/** A control with a slider. */
interface Knob {
  id: string;
  label: string;
  min: number;
  max: number;
  value: number;
  said: string;
  effect: string;
  title: string;
  set: (value: string) => void;
}

@customElement('lab-wish')
export class Wish extends LabElement {
  /** The rung that a change of quantisation has taken, and the level that it was taken for. */
  private taken: { rung: string; level: number } | undefined;

  protected override render() {
    return html`<div class="wishes">
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
    const behind = lab.now[lab.setting]?.behind_ms ?? null;
    const age = behind === null ? 'nothing arrived yet' : `${Math.round(behind)} ms behind`;
    return this.ofSetting('hz', (text) => `${text}/s`, age, 'Age of what the right view shows');
  }

  private quantisation() {
    const now = lab.form.quantisation;
    if (now === undefined) return nothing;
    const { level, coarsest, finest, position_step_mm: mm, orientation_step_deg: degrees, needed_rung: needed } = now;
    // Orientations have two bits at least.
    const { rot } = lab.settings;
    const steps = `${measure(mm)} mm, ${measure(degrees)}°${Number(rot) === level ? '' : ` at ${rot} bits`}`;
    const rung = this.row('codec')?.choices?.find(({ id }) => id === lab.settings.codec)?.label;
    return this.knob({
      id: 'wish-quantisation',
      label: 'Quantisation',
      min: coarsest,
      max: finest,
      value: level,
      said: `${level} bit${level === 1 ? '' : 's'}`,
      effect: this.taken?.level === level && this.taken.rung === rung ? `on rung ${rung}` : steps,
      title: `Steps of position and orientation: ${steps}. More settings has both apart`,
      set: (text) => {
        // Rungs without bits send floats: the control takes the least rung that has them, and says so at this level.
        if (needed !== null) this.taken = { rung: needed, level: Number(text) };
        lab.change((page) => page.set_quantisation(lab.setting, Number(text)));
      },
    });
  }

  private interpolation() {
    const setting = this.row('interp');
    if (setting === undefined) return nothing;
    const chosen = lab.settings.interp;
    // Other modes are one level down, unless one is in force.
    const shown = new Set([...tables().front_modes, chosen]);
    const choices = [...shown].flatMap((mode) => setting.choices?.find(({ id }) => id === mode) ?? []);
    const error = lab.now[lab.setting]?.position_error_mm.rms ?? 0;
    return html`<div class="wish" role="group" aria-labelledby="wish-interp-name">
      <span class="name" id="wish-interp-name" translate="yes">${setting.label}</span>
      <span class="buttons">
        ${choices.map(({ id, label }) => button(id, () => this.choose(id), { pressed: id === chosen, title: label }))}
      </span>
      <span class="effect" title="Distance of the red cubes from the truth of the instant that is shown, now: root mean square">${measure(error)} mm off${this.isLossless() ? `, ${this.stillness()}` : ''}</span>
    </div>`;
  }

  private loss() {
    const effect = this.isLossless() ? 'nothing is lost' : this.stillness();
    return this.ofSetting('loss', (text) => `${text} %`, effect, 'Time in which the right view showed nothing new, of the time that is held');
  }

  /** Without loss it is the way of interpolation that leaves the view standing. */
  private isLossless(): boolean {
    return this.row('interp') !== undefined && this.row('loss') !== undefined && Number(lab.settings.loss) === 0;
  }

  private stillness(): string {
    const stillMs = lab.answers.freezes(lab.setting).reduce((sum, { ms }) => sum + ms, 0);
    const { first, last } = lab.now;
    return `stood still ${measure(stillMs / 1000)} of ${measure((last - first) / lab.tickRate)} s`;
  }

  private row(id: string): Setting | undefined {
    return lab.form.schema.find((setting) => setting.id === id && !setting.replaced);
  }

  private choose(mode: string): void {
    showOutlines();
    lab.set('interp', mode);
  }

  private ofSetting(id: string, said: (text: string) => string, effect: string, title: string) {
    const setting = this.row(id);
    if (setting?.number === undefined) return nothing;
    const text = lab.settings[id] ?? setting.default;
    const { min, max } = setting.number;
    const value = Number(text);
    const range = { id: `wish-${id}`, label: setting.label, min, max: Math.min(max, Math.max(MOST, value)), value };
    return this.knob({ ...range, said: said(text), effect, title, set: (to) => lab.set(id, to) });
  }

  private knob({ id, label, min, max, value, said, effect, title, set }: Knob) {
    return html`<div class="wish">
      <label class="name" for=${id} translate="yes">${label}</label>
      ${slider({ id, min, max, value, said: speak(id, `${said}, ${effect}`, `${lab.running} ${said}`) }, (to) => {
        showOutlines();
        lab.soon(id, () => set(String(to)));
      })}
      <output for=${id}>${said}</output>
      <span class="effect" title=${title}>${effect}</span>
    </div>`;
  }
}
