// The measured path to a guest as cells of a table: all that a host knows of it, be it a page or a program.

import type { GuestRow } from '../../pkg/snapshot_web';
import { count, measure, rateText } from '../shell/format';
import { Cell } from '../shell/parts';

/** A figure that is not there. */
export const NONE = '–';

export const PATH_HEADS = ['round trip', 'half within', '95 % within', 'lost', 'sent', new Cell('spare', 'with headers'), new Cell('spare', 'snapshots equal')];

export const PATH_WORDS =
  'Times to a guest are one way: half of the least round trip, and how much later than the fastest snapshot of 10 s the others come. Headers are those of SCTP, DTLS, UDP and IPv4, without acknowledgements of SCTP. A snapshot is equal if the hash that the guest reports is that of the sent one.';

/** Writes the cells of a guest. Between two windows no headers are added. */
export function pathCells(
  { round_trip_ms: trip, one_way_ms: delays, lost_percent: lost, kbps, kbps_with_headers: whole, compared, mismatches }: GuestRow,
  isNetwork = true,
) {
  const [half, most] = delays ?? [null, null];
  return [
    ms(trip),
    ms(half),
    ms(most),
    `${lost.toFixed(1)} %`,
    rateText(kbps),
    new Cell('spare', isNetwork ? rateText(whole) : NONE),
    new Cell('spare', `${count(compared - mismatches)} of ${count(compared)}`),
  ];
}

export function ms(value: number | null | undefined): string {
  return value == null ? NONE : `${measure(value)} ms`;
}
