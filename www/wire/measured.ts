// The real way to each guest, beside the simulated link of a lane.

import { html, nothing } from 'lit';
import { type LinkData, quantile } from '../figures/link-data';
import { count, measure, percent, rateText } from '../shell/format';
import { visible } from '../shell/names';
import { Cell, table, tableRow, wide } from '../shell/parts';
import { type Row, session } from './session';

const HEADS = [
  '',
  'round trip',
  'half within',
  '95 % within',
  'lost',
  'sent',
  new Cell('spare', 'with headers'),
  new Cell('spare', 'waits here'),
  new Cell('spare', 'skipped'),
];
const NONE = '–';

/** The table of both, while guests are here. */
export function measuredBeside(data: LinkData) {
  const guests = session.value?.rows.value ?? [];
  if (guests.length === 0) return nothing;
  return html`
    <h3>Measured beside simulated</h3>
    ${wide('Measured beside simulated', table('Measured beside simulated', HEADS, [...guests.map(measured), simulated(data)], 'compared measured'))}
    <p class="caption">
      Times to a guest are one way: half of the least round trip, and how much later than the fastest snapshot of 10 s the others come.
      Headers are those of SCTP, DTLS, UDP and IPv4, without acknowledgements of SCTP.
    </p>
  `;
}

function measured({ name, kind, round_trip_ms: trip, way_ms: way, lost_percent: lost, kbps, kbps_with_headers: whole, buffered, skipped }: Row) {
  const [half, most] = way ?? [null, null];
  return tableRow(html`<bdi>${visible(name)}</bdi> <small>${kind === 'window' ? 'other window' : 'measured'}</small>`, [
    ms(trip),
    ms(half),
    ms(most),
    `${lost.toFixed(1)} %`,
    rateText(kbps),
    new Cell('spare', kind === 'window' ? NONE : rateText(whole)),
    new Cell('spare', `${count(buffered)} B`),
    new Cell('spare', count(skipped)),
  ]);
}

function simulated({ lane, delays, packets, lost, rates }: LinkData) {
  const { offered } = rates;
  const mean = offered.reduce((sum, rate) => sum + rate, 0) / Math.max(offered.length, 1);
  const within = (share: number): string => (delays.length === 0 ? NONE : ms(quantile(delays, share)));
  const spare = (text: string): Cell => new Cell('spare', text);
  return tableRow(html`Lane ${lane.toUpperCase()} <small>simulated</small>`, [
    NONE,
    within(0.5),
    within(0.95),
    percent(lost / Math.max(packets.length, 1)),
    rateText(mean),
    spare(NONE),
    spare(NONE),
    spare(NONE),
  ]);
}

function ms(value: number | null | undefined): string {
  return value == null ? NONE : `${measure(value)} ms`;
}
