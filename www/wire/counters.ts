// Figures beside each other, as the guest's page and the host's dialog show them.

import { html } from 'lit';

/** The names of figures with their values. */
export function counters(all: readonly (readonly [name: string, value: string])[]) {
  return html`<dl class="counters">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Whole milliseconds; a dash where they are not known. */
export function wholeMs(value: number | null): string {
  return value === null ? '–' : `${Math.round(value)} ms`;
}
