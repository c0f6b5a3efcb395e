// The numbers of a link's preset, each with its kind of evidence and its source.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type LinkNumber, type LinkPreset, link_presets } from '../../pkg/snapshot_web';
import { type Change, lab } from '../lab';
import { LabElement } from '../shell/element';
import { table, tableRow } from '../shell/parts';

const EVIDENCE: Readonly<Record<string, string>> = {
  M: 'measured',
  C: 'calibrated',
  J: 'judged',
  D: 'derived',
  A: 'assumed here',
};

@customElement('lab-link-sources')
export class LinkSources extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings'];
  private readonly presets: readonly LinkPreset[] = link_presets();

  protected override render() {
    const preset = this.presets.find(({ id }) => id === lab.shownSettings.link);
    if (preset === undefined) return nothing;
    return html`<details class="sources">
      <summary>Sources of “${preset.label}”</summary>
      ${table(`The numbers of ${preset.label}`, ['setting', 'value', 'evidence'], preset.numbers.map(row), '')}
    </details>`;
  }
}

function row({ setting, value, tag, source }: LinkNumber) {
  const row = lab.row(setting);
  const own = lab.shownSettings[setting];
  const shown = row?.choices?.find(({ id }) => id === value)?.label ?? [value, row?.unit.replace('± ', '')].join(' ');
  const isSet = own === undefined || own === value;
  return tableRow(row?.label ?? setting, [
    html`${shown}${isSet ? nothing : html` <em>(set to ${own})</em>`}`,
    html`<strong>${EVIDENCE[tag] ?? tag}</strong>: ${source}`,
  ]);
}
