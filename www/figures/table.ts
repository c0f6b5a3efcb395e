// The table of figures: names, units and help, as Rust has them.

import { html } from 'lit';
import type { Figure } from '../../pkg/snapshot_web';
import { type Live, lab } from '../lab';
import { count, measure, rateText } from '../shell/format';
import { cells } from '../shell/parts';
import { tables } from '../tables';

let rows: ReadonlyMap<string, Figure> | undefined;

/** All rows by id, in their order. */
export function figures(): ReadonlyMap<string, Figure> {
  return (rows ??= new Map(tables().figures.map((row) => [row.id, row])));
}

/** The row of an id of ours. */
export function row(id: string): Figure {
  const found = figures().get(id);
  if (found === undefined) throw new Error(`there is no figure ${id}`);
  return found;
}

/** Figures that a client's recording does not have: it shows no packets. */
const OF_PACKETS = new Set(['kbps', 'bytes_per_packet', 'ack_kbps', 'hitches', 'packets_lost']);

/** Returns true if lane B has a figure. */
export function hasB(id: string): boolean {
  return lab.b !== undefined && (lab.client === undefined || !OF_PACKETS.has(id));
}

/** A figure of a tick: null where nothing was measured yet, undefined where the strategy has no such figure. */
export function figureValue(live: Live | undefined, id: string): number | null | undefined {
  const parts = id.split('.');
  const value = parts.reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], live);
  return typeof value === 'boolean' ? Number(value) : (value as number | null | undefined);
}

/** A heading: name and unit. */
export function heading({ name, unit_text: unit }: Figure): string {
  return unit === '' ? name : `${name}, ${unit}`;
}

/** A figure's row in a table. */
export function figureRow(id: string, values: readonly unknown[]) {
  return html`<tr title=${row(id).help}><th scope="row">${heading(row(id))}</th>${cells(...values)}</tr>`;
}

/** A value as charts and lists show it. */
export function valueText(value: number, { unit, unit_text }: Figure): string {
  if (unit === 'kbps') return rateText(value);
  if (unit === 'degrees') return `${measure(value)}°`;
  return unit_text === '' ? plainText(value, unit) : `${measure(value)} ${unit_text}`;
}

/** A value without its unit. What is counted is whole; a mean of counts may not be. */
export function plainText(value: number, unit: Figure['unit']): string {
  return unit === 'count' && Number.isInteger(value) ? count(value) : measure(value);
}
