// What became of the packets, in counts.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabElement } from '../shell/element';
import { count, measure } from '../shell/format';
import { lab, type Change } from '../lab';
import { strategy } from '../shell/strategy';
import { figure } from './figure';

/** Notes on a figure's meaning with each strategy. */
const notes = {
  snapshot: {
    late: 'arrived after their time to be shown',
    hitches: 'frames with nothing to interpolate towards',
    mismatches: 'decoded snapshots that differ from what was sent: never any',
  },
  sync: {
    late: 'arrived after their time in the jitter buffer',
    hitches: 'frames simulated without news: the last input holds',
    mismatches: 'decoded packets that differ from what was sent: never any',
  },
  lockstep: {
    late: 'never any: the receiver waits for each input',
    hitches: 'frames that waited for an input',
    mismatches: 'decoded inputs that differ from what was sent: never any',
  },
};

@customElement('lab-counters')
export class Counters extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];

  protected override render() {
    const live = lab.a.live;
    const note = notes[strategy()];
    return html`<dl class="counters">
      ${figure('sent', count(live.packets_sent))} ${figure('delivered', count(live.packets_delivered))}
      ${figure('lost', count(live.packets_lost))} ${figure('in flight', count(live.packets_in_flight))}
      ${figure('duplicated', count(live.packets_duplicated))} ${figure('late', count(live.packets_late), note.late)} ${figure('overtaken', count(live.packets_overtaken), 'arrived after a newer one, where packets are shown at once')}
      ${figure('too late to go on', count(live.packets_awaited), 'arrived while the right view stood still')}
      ${figure('hitches', count(live.hitches), note.hitches)} ${figure('longest freeze', `${measure(live.longest_freeze_ms)} ms`)}
      ${figure('bytes a packet', measure(live.bytes_per_packet_mean), `without IP and UDP or TCP; ${measure(live.bytes_per_packet)} over the last second`)}
      ${figure('fragments a packet', measure(live.fragments_per_packet), 'over the last second')}
      ${figure('right view is behind by', live.behind_ms === null ? '–' : `${Math.round(live.behind_ms)} ms`, 'at this instant: playout delay + latency + tick + waiting for data')}
      ${figure('mismatches', count(live.decode_mismatches), note.mismatches)}
    </dl>`;
  }
}
