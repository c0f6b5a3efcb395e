// The form, made from the schema: a group of settings, each with its native inputs.

import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { lab, type Setting } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { numberField, slider, typed } from '../shell/parts';
import { isFound, isSearched } from './search';

/** Most values of a slider: with more, a hand cannot set a single one. */
const MOST_SLIDER_STEPS = 100_000;

@customElement('lab-controls')
export class Controls extends LabElement {
  @property() group = '';
  /** The ids of the settings below the fold. */
  private folded: ReadonlySet<string> = new Set();

  protected override render() {
    // One choice is none.
    const isOpen = ({ choices, shared }: Setting): boolean => (choices === undefined || choices.length > 1) && !(lab.setting === 'b' && shared);
    const settings = lab.form.schema.filter((setting) => setting.group === this.group && isOpen(setting));
    const found = settings.filter(isFound);
    this.classList.toggle('nothing-found', found.length === 0);
    if (isSearched()) return this.controls(found);
    // What somebody has open before them stays where it is.
    if (this.querySelector('details')?.open !== true) this.folded = new Set(settings.filter((setting) => isFolded(setting)).map(({ id }) => id));
    const folded = settings.filter(({ id }) => this.folded.has(id));
    const idle = folded.filter((setting) => setting.idle).length;
    return html`${this.controls(settings.filter(({ id }) => !this.folded.has(id)))}
      ${
        folded.length === 0
          ? nothing
          : html`<details>
              <summary>${folded.length} more${idle === 0 ? '' : idle === folded.length ? ', without effect now' : `, ${idle} of them without effect now`}</summary>
              <div class="folded">${this.controls(folded)}</div>
            </details>`
      }`;
  }

  private controls(settings: readonly Setting[]) {
    return repeat(
      settings,
      ({ id }) => id,
      (setting) => this.control(setting),
    );
  }

  private control(setting: Setting) {
    const { id, label } = setting;
    const text = lab.settings[id] ?? setting.default;
    const ofB = lab.setting === 'b';
    const fact = lab.form.facts[id];
    const initial = nameOf(setting, setting.default);
    const warm = Number(text) > (setting.number?.warns_above ?? Infinity);
    const other = ofB && lab.state.differences.includes(id) ? lab.a[id] : undefined;
    const back = ofB ? other : text === setting.default || text === lab.startSettings[id] ? undefined : setting.default;
    const backTo = ofB ? `what A has, ${nameOf(setting, other)}` : initial;
    const { refused } = lab;
    return html`<div class="control ${warm ? 'warm' : ''} ${other === undefined ? '' : 'other'} ${setting.replaced ? 'replaced' : ''}">
      <label for=${id} translate="yes">${label}</label>
      ${
        back === undefined
          ? nothing
          : button('↺', () => this.reset(id, back), { kind: 'reset', label: `Reset ${label} to ${backTo}`, title: `Reset to ${backTo}` })
      }
      ${setting.choices === undefined ? this.number(setting, text) : isSwitch(setting) ? this.switch(setting, text) : this.choice(setting, text)}
      ${refused?.id === id ? html`<p class="refused" id="${id}-refused" role="alert">${refused.why}. It stays ${nameOf(setting, text)}.</p>` : nothing}
      <div class="help">
        <p id="${id}-help">${setting.replaced ? html`<strong>The recorded link replaces it.</strong> ` : fact === undefined ? nothing : html`<span class="fact">${fact}</span> `}<span translate="yes">${setting.help}</span></p>
        ${
          ofB || setting.shared
            ? nothing
            : html`<button type="button" class="compare-one" tabindex="-1" aria-label="Compare with another ${label}" @click=${() => this.compare(setting, text)}>Compare …</button>`
        }
      </div>
    </div>`;
  }

  /** Resets a setting. The control takes the focus, because the button disappears. */
  private reset(id: string, text: string): void {
    lab.set(id, text);
    this.querySelector<HTMLElement>(`[id="${id}"]`)?.focus({ preventScroll: true });
  }

  /**
   * Puts a lane B beside A, ready for another value of this setting. A switch has the opposite value at once. It is no stop of the Tab key:
   * for keys "Compare with other settings" leads to the same.
   */
  private async compare(setting: Setting, text: string): Promise<void> {
    lab.compareOne(setting.id, isSwitch(setting) ? (text === '1' ? '0' : '1') : undefined);
    await this.updateComplete;
    this.querySelector<HTMLElement>(`[id="${setting.id}"]`)?.focus({ preventScroll: true });
  }

  private switch({ id }: Setting, text: string) {
    return html`<input
      type="checkbox"
      role="switch"
      class="switch"
      id=${id}
      aria-describedby="${id}-help"
      .checked=${live(text === '1')}
      @change=${(event: Event) => lab.set(id, (event.target as HTMLInputElement).checked ? '1' : '0')}
    />`;
  }

  private choice({ id, choices }: Setting, text: string) {
    return html`<select
      id=${id}
      aria-describedby="${id}-help"
      .value=${live(text)}
      @change=${(event: Event) => lab.set(id, typed(event))}
    >
      ${choices?.map((choice) => html`<option value=${choice.id} ?selected=${choice.id === text}>${choice.label}</option>`)}
    </select>`;
  }

  private number(setting: Setting, text: string) {
    const { id, unit } = setting;
    const { min, max, step, slide, specials, marks } = setting.number ?? { min: 0, max: 0, step: 1, slide: 1, specials: [], marks: [], warns_above: null };
    const isSpecial = specials.includes(text);
    const refused = lab.refused?.id === id;
    const said = `${isSpecial ? text : `${text} ${unit}`}${lab.form.facts[id] === undefined ? '' : `, ${lab.form.facts[id]}`}`;
    const shown = isSpecial ? '' : text;
    return html`
      <span class="value ${specials.length > 1 ? 'many' : ''}">
        ${specials.map(
          (special) =>
            html`<label class="check"
              ><input
                type="checkbox"
                .checked=${live(text === special)}
                @change=${() => lab.set(id, text === special ? String(marks[1] ?? min) : special)}
              />${special === '0' ? 'off' : special}<span class="unseen">: ${setting.label}</span></label
            >`,
        )}
        ${numberField(
          {
            id,
            min,
            max,
            step,
            value: shown,
            describedBy: `${refused ? `${id}-refused ` : ''}${id}-help`,
            invalid: refused,
            placeholder: isSpecial ? '–' : undefined,
          },
          (to) => lab.set(id, to),
        )}
        <span class="unit">${unit}</span>
      </span>
      ${
        (max - min) / slide <= MOST_SLIDER_STEPS
          ? html`${slider(
              { min, max, step: slide, value: Number(isSpecial ? (effective(id) ?? min) : text), list: `${id}-marks`, label: `${setting.label}, slider`, said },
              (to) => this.drag(setting, String(to)),
              (to) => this.drop(setting, String(to)),
            )}
              <datalist id="${id}-marks">${marks.map((mark) => html`<option value=${mark}></option>`)}</datalist>`
          : nothing
      }
    `;
  }

  /** A change that would restart the world waits until the hand lets go. */
  private drag(setting: Setting, text: string): void {
    if (setting.effect !== 'motion' && setting.effect !== 'world') this.drop(setting, text);
  }

  private drop({ id }: Setting, text: string): void {
    lab.soon(id, () => lab.settings[id] !== text && lab.set(id, text));
  }
}

/** Returns true for a setting without effect, and for a seldom setting with its first value. Values that only B has stay in sight. */
function isFolded({ id, default: initial, idle, seldom }: Setting): boolean {
  if (lab.refused?.id === id || (lab.setting === 'b' && lab.state.differences.includes(id))) return false;
  const text = lab.settings[id];
  return idle || (seldom && (text === initial || text === lab.startSettings[id]));
}

/** The number that an automatic value comes to, which its fact begins with. */
function effective(id: string): string | undefined {
  return /^[\d.]+/.exec(lab.form.facts[id] ?? '')?.[0];
}

function nameOf({ choices }: Setting, text = ''): string {
  return choices?.find(({ id }) => id === text)?.label ?? text;
}

/** Off or on. */
function isSwitch({ choices }: Setting): boolean {
  return choices?.map(({ id }) => id).join() === '0,1';
}
