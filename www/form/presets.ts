// The modes of the articles' demos, a group at a time.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { onPresetKey } from '../shell/keys';
import { strategy } from '../shell/strategy';
import { tables } from '../tables';

const groups = [...new Set(tables().presets.map((preset) => preset.group))];

@customElement('lab-presets')
export class Presets extends LabElement {
  @state() private group = groups[0] ?? '';
  /** The strategy that the group was shown for. */
  private shownFor = '';

  override connectedCallback(): void {
    super.connectedCallback();
    onPresetKey((place) => {
      const preset = this.shown()[place - 1];
      if (preset !== undefined) lab.apply({ lane: { preset: { lane: lab.setting, place: preset.place } } });
    });
  }

  /** Another strategy brings its own demos to the front. */
  protected override willUpdate(): void {
    if (this.shownFor === strategy()) return;
    this.shownFor = strategy();
    const chosen = tables().presets[lab.form.preset ?? -1] ?? tables().presets.find((preset) => preset.strategy === this.shownFor);
    this.group = chosen?.group ?? this.group;
  }

  protected override render() {
    return html`
      <div class="groups" role="group" aria-label="Demos">
        ${groups.map((group) => button(group, () => (this.group = group), { pressed: group === this.group }))}
      </div>
      <ol class="modes" aria-label="Modes of the demo ${this.group}">
        ${this.shown().map(
          ({ place, name }, i) =>
            html`<li>
              <button type="button" aria-pressed=${place === lab.form.preset} aria-keyshortcuts=${i + 1} title="Key ${i + 1}" @click=${() => lab.apply({ lane: { preset: { lane: lab.setting, place } } })}>
                ${name}
              </button>
            </li>`,
        )}
      </ol>
    `;
  }

  private shown() {
    return tables()
      .presets.map((preset, place) => ({ ...preset, place }))
      .filter((preset) => preset.group === this.group);
  }
}
