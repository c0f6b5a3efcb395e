// A named number, as in a list of them.

import { html, nothing } from 'lit';

export function figure(name: string, value: string, note?: string) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === undefined ? nothing : html` <small>${note}</small>`}</dd>
  </div>`;
}
