// The numbers of a link's preset, each with its kind of evidence and its source.

import { html, nothing } from 'lit';
import type { LinkNumber } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { define } from '../shell/element';
import { table, tableRow } from '../shell/parts';
import { tables } from '../tables';

define('lab-link-sources', () => {
  const preset = tables().link_presets.find(({ id }) => id === lab.settings.link);
  if (preset === undefined) return nothing;
  return html`<details class="sources">
    <summary>Sources of “${preset.label}”</summary>
    ${table(`The numbers of ${preset.label}`, ['setting', 'value', 'evidence'], preset.numbers.map(row), '')}
  </details>`;
});

function row({ setting, value, evidence, source }: LinkNumber) {
  const row = lab.row(setting);
  const own = lab.settings[setting];
  const shown = row?.choices?.find(({ id }) => id === value)?.label ?? [value, row?.unit.replace('± ', '')].join(' ');
  const isSet = own === undefined || own === value;
  return tableRow(row?.label ?? setting, [html`${shown}${isSet ? nothing : html` <em>(set to ${own})</em>`}`, html`<strong>${evidence}</strong>: ${source}`]);
}
