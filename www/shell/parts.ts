// Parts of the page that many elements render.

import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

/** The text of the field that an event is about. */
export function typed(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement).value;
}

/** Number as links write it, of a typed one. A comma is a decimal point, unless three digits behind it may be thousands: that stays as typed. */
export function decimal(text: string): string {
  const plain = text.trim();
  return /^[-+]?\d*,\d*$/.test(plain) && !/^[-+]?[1-9]\d{0,2},\d{3}$/.test(plain) ? plain.replace(',', '.') : plain;
}

interface NumberField {
  value: string;
  min: number;
  max: number;
  step?: number;
  id?: string;
  describedBy?: string;
  invalid?: boolean;
  placeholder?: string | undefined;
}

/** Field for a number. The browser's own drops a comma in silence, and a wheel over it changes it. */
export function numberField({ value, min, max, step = 1, id, describedBy, invalid = false, placeholder }: NumberField, set: (text: string) => void) {
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowUp: step, ArrowDown: -step }[event.key];
    const now = Number(decimal(typed(event)));
    if (by === undefined || !Number.isFinite(now)) return;
    event.preventDefault();
    const next = min + Math.round((now - min + by) / step) * step;
    set(String(Number(Math.min(Math.max(next, min), max).toPrecision(12))));
  };
  return html`<input
    type="text"
    role="spinbutton"
    inputmode="decimal"
    autocomplete="off"
    id=${id ?? nothing}
    aria-valuemin=${min}
    aria-valuemax=${max}
    aria-valuenow=${value === '' ? nothing : value}
    aria-describedby=${describedBy ?? nothing}
    aria-invalid=${invalid ? 'true' : nothing}
    placeholder=${placeholder ?? nothing}
    .value=${live(value)}
    @keydown=${press}
    @change=${(event: Event) => typed(event).trim() !== '' && set(decimal(typed(event)))}
  />`;
}

/** Words of the focused part that changes by itself, by its id, and the time and the cause of them. */
const spoken = new Map<string, { words: string; cause: unknown; at: number }>();

/** Words for those who hear the page: of a part that changes by itself at most once a second, and at once where the cause is another. */
export function speak(id: string, words: string, cause: unknown): string {
  const [last, at] = [spoken.get(id), performance.now()];
  if (last !== undefined && last.cause === cause && at - last.at < 1000) return last.words;
  spoken.set(id, { words, cause, at });
  return words;
}

interface Slider {
  min: number;
  max: number;
  step?: number;
  value: number;
  id?: string;
  /** Its name and its value for those who hear the page. */
  label?: string;
  said?: string;
  /** Id of the list of marked values. */
  list?: string;
  disabled?: boolean;
}

/** A slider. `move` hears each value on the way, `drop` the one at which the hand lets go. */
export function slider(
  { min, max, step = 1, value, id, label, said, list, disabled = false }: Slider,
  move: (value: number) => void,
  drop: (value: number) => void = () => {},
) {
  return html`<input
    type="range"
    min=${min}
    max=${max}
    step=${step}
    id=${id ?? nothing}
    list=${list ?? nothing}
    aria-label=${label ?? nothing}
    aria-valuetext=${said ?? nothing}
    ?disabled=${disabled}
    .value=${live(String(value))}
    @input=${(event: Event) => move(Number(typed(event)))}
    @change=${(event: Event) => drop(Number(typed(event)))}
  />`;
}

/** A cell, or the head of a column, with a class: `spare` where a narrow figure leaves it out. */
export class Cell {
  constructor(
    readonly kind: string,
    readonly value: unknown,
  ) {}
}

/** The heads of a table's columns. A corner without words is no head. */
export function head(...names: readonly unknown[]) {
  return html`<thead>
    <tr>
      ${names.map((name) => (name === '' ? html`<td></td>` : html`<th scope="col" class=${kindOf(name)}>${name instanceof Cell ? name.value : name}</th>`))}
    </tr>
  </thead>`;
}

/** The cells of a row, behind its head. */
export function cells(...values: readonly unknown[]) {
  return values.map((value) => html`<td class=${kindOf(value)}>${value instanceof Cell ? value.value : value}</td>`);
}

function kindOf(value: unknown): unknown {
  return value instanceof Cell ? value.kind : nothing;
}

/** A row of a table, behind its head. */
export function tableRow(name: unknown, values: readonly unknown[], isChosen = false) {
  return html`<tr class=${isChosen ? 'chosen' : ''}><th scope="row">${name}</th>${cells(...values)}</tr>`;
}

/** A table whose caption is for those who hear the page. */
export function table(caption: string, names: readonly unknown[], rows: unknown, kind = 'compared') {
  return html`<table class=${kind}><caption class="unseen">${caption}</caption>${head(...names)}<tbody>${rows}</tbody></table>`;
}

/** A part that scrolls by itself, by keys too, where it is wider than the page. */
export function wide(name: string, part: unknown) {
  return html`<div class="wide" role="group" tabindex="0" aria-label=${name}>${part}</div>`;
}

/** A choice of one, behind its name. */
export function select(
  name: string,
  choices: readonly (readonly [value: string | number, label: string | number])[],
  chosen: string | number,
  choose: (value: string) => void,
  kind = 'window',
) {
  return html`<label class=${kind}
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
