// What became of the packets, in counts.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { define } from '../shell/element';
import { count, measure } from '../shell/format';
import { strategy, wordsOf } from '../shell/strategy';
import { figure } from './figure';
import { figureValue, row, valueText } from './table';

/** A usual limit of a packet on its whole way, and the headers below ours. */
const [USUAL_MTU, HEADERS] = [1200, 28];

/** The window of the figure; without a limit also what a usual one would make of a packet of the mean size. */
function fragments(): string {
  const { bytes_per_packet: bytes } = lab.now.a;
  const pieces = Math.ceil(bytes / (USUAL_MTU - HEADERS));
  const limit = lab.a.mtu !== '0' ? '' : `; no limit is set: at ${count(USUAL_MTU)} bytes a packet of the mean size takes ${pieces}`;
  return `over the last second${limit}`;
}

define('lab-counters', () => {
  const live = lab.now.a;
  const shown = (id: string, note?: string) => figure(row(id).name, valueText(figureValue(live, id) ?? NaN, row(id)), note);
  const note = wordsOf();
  return html`<dl class="counters">
    ${['packets_sent', 'packets_delivered', 'packets_lost', 'packets_in_flight', 'packets_duplicated'].map((id) => shown(id))}
    ${shown('packets_late', note.late)} ${shown('packets_overtaken', row('packets_overtaken').help)} ${shown('packets_awaited', row('packets_awaited').help)}
    ${shown('hitches', note.hitches)} ${shown('longest_freeze_ms')} ${shown('late_ms', row('late_ms').help)}
    ${strategy() === 'snapshot' ? shown('skipped', row('skipped').help) : nothing}
    ${shown('bytes_per_packet_mean', `without IP and UDP or TCP; ${measure(live.bytes_per_packet)} over the last second`)}
    ${shown('fragments_per_packet', fragments())} ${shown('behind_ms', 'at this instant: playout delay + latency + tick + waiting for data')}
    ${shown('decode_mismatches', note.mismatches)}
  </dl>`;
});
