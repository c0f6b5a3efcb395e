// The real path to each guest, beside the simulated link of a lane.

import { html, nothing } from 'lit';
import { type LinkData, quantile } from '../figures/link-data';
import { count, percent, rateText } from '../shell/format';
import { visible } from '../shell/names';
import { Cell, table, tableRow, wide } from '../shell/parts';
import { ms, NONE, PATH_HEADS, PATH_WORDS, pathCells } from './path';
import { type Row, session } from './session';

const HEADS = ['', ...PATH_HEADS, new Cell('spare', 'waits here'), new Cell('spare', 'skipped')];

/** The table of both, while guests are here. */
export function measuredBeside(data: LinkData) {
  const guests = session.value?.rows.value ?? [];
  if (guests.length === 0) return nothing;
  return html`
    <h3>Measured beside simulated</h3>
    ${wide('Measured beside simulated', table('Measured beside simulated', HEADS, [...guests.map(measured), simulated(data)], 'compared measured'))}
    <p class="caption">${PATH_WORDS}</p>
  `;
}

function measured(row: Row) {
  const isNetwork = row.kind !== 'window';
  return tableRow(html`<bdi>${visible(row.name)}</bdi> <small>${isNetwork ? 'measured' : 'other window'}</small>`, [
    ...pathCells(row, isNetwork),
    new Cell('spare', `${count(row.buffered)} B`),
    new Cell('spare', count(row.skipped)),
  ]);
}

function simulated({ lane, delays, packets, lost, rates }: LinkData) {
  const { offered } = rates;
  const mean = offered.reduce((sum, rate) => sum + rate, 0) / Math.max(offered.length, 1);
  const within = (share: number): string => (delays.length === 0 ? NONE : ms(quantile(delays, share)));
  return tableRow(html`Lane ${lane.toUpperCase()} <small>simulated</small>`, [
    NONE,
    within(0.5),
    within(0.95),
    percent(lost / Math.max(packets.length, 1)),
    rateText(mean),
    ...Array.from({ length: 4 }, () => new Cell('spare', NONE)),
  ]);
}
