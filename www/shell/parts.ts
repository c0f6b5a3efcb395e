// Parts of the page that many elements render.

import { html } from 'lit';

/** The text of the field that an event is about. */
export function typed(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement).value;
}

/** The heads of a table's columns. */
export function head(...names: readonly unknown[]) {
  return html`<thead>
    <tr>
      ${names.map((name) => html`<th scope="col">${name}</th>`)}
    </tr>
  </thead>`;
}

/** The cells of a row, behind its head. */
export function cells(...values: readonly unknown[]) {
  return values.map((value) => html`<td>${value}</td>`);
}

/** A choice of one, behind its name. */
export function select(
  name: string,
  choices: readonly (readonly [value: string | number, label: string | number])[],
  chosen: string | number,
  choose: (value: string) => void,
) {
  return html`<label class="window"
    >${name}
    <select @change=${(event: Event) => choose(typed(event))}>
      ${choices.map(([value, label]) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`)}
    </select></label
  >`;
}

/** Lengths of time that can be shown at once, s. */
const WINDOWS_S = [2, 6, 20, 60];

/** A choice of how many seconds are shown. */
export function secondsShown(chosen: number, choose: (seconds: number) => void) {
  return select(
    'Seconds',
    WINDOWS_S.map((seconds) => [seconds, seconds]),
    chosen,
    (seconds) => choose(Number(seconds)),
  );
}
