// The real path to the guest, beside the simulated link of a lane.

import { html, nothing } from 'lit';
import { type LinkData, quantile } from '../figures/link-data';
import { count, measure, percent, rateText } from '../shell/format';
import { Cell, table, tableRow, wide } from '../shell/parts';
import { type HostsGuest, session } from './session';

/** A figure that is not there. */
const NONE = '–';
const SPARE = ['with headers', 'snapshots equal', 'waits here', 'skipped'].map((head) => new Cell('spare', head));
const HEADS = ['', 'round trip', 'half within', '95 % within', 'lost', 'sent', ...SPARE];

/** The table of both, while a guest is here. */
export function measuredBeside(data: LinkData) {
  const guest = session.value?.guest.value;
  if (guest === undefined) return nothing;
  return html`
    <h3>Measured beside simulated</h3>
    ${wide('Measured beside simulated', table('Measured beside simulated', HEADS, [measured(guest), simulated(data)], 'compared measured'))}
    <p class="caption">Times to the guest are one way: half of the least round trip, and how much later than the fastest snapshot of 10 s the others come. Headers are those of SCTP, DTLS, UDP and IPv4, without acknowledgements of SCTP. A snapshot is equal if the hash that the guest reports is that of the sent one.</p>
  `;
}

function measured(guest: HostsGuest) {
  const { kind, round_trip_ms: trip, one_way_ms: delays, lost_percent: lost, kbps, compared, mismatches } = guest;
  // Between two windows no headers are added.
  const isNetwork = kind !== 'window';
  const [half, most] = delays ?? [null, null];
  const spare = [
    isNetwork ? rateText(guest.kbps_with_headers) : NONE,
    `${count(compared - mismatches)} of ${count(compared)}`,
    `${count(guest.buffered)} B`,
    count(guest.skipped),
  ];
  return tableRow(html`Guest <small>${isNetwork ? 'measured' : 'other window'}</small>`, [
    ms(trip),
    ms(half),
    ms(most),
    `${lost.toFixed(1)} %`,
    rateText(kbps),
    ...spare.map((text) => new Cell('spare', text)),
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
    ...SPARE.map(() => new Cell('spare', NONE)),
  ]);
}

function ms(value: number | null | undefined): string {
  return value == null ? NONE : `${measure(value)} ms`;
}
