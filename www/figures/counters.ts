// What became of the packets, in counts.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabElement } from '../element';
import { count, measure } from '../format';
import { lab, type Change } from '../lab';

@customElement('lab-counters')
export class Counters extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];

  protected override render() {
    const live = lab.live;
    return html`<dl>
      ${figure('sent', count(live.packets_sent))} ${figure('delivered', count(live.packets_delivered))}
      ${figure('lost', count(live.packets_lost))} ${figure('in flight', count(live.packets_in_flight))}
      ${figure('duplicated', count(live.packets_duplicated))}
      ${figure('late', count(live.packets_late), 'arrived after their time to be shown')}
      ${figure('hitches', count(live.hitches), 'frames with nothing to interpolate towards')}
      ${figure('longest freeze', `${measure(live.longest_freeze_ms)} ms`)}
      ${figure('bytes a packet', measure(live.bytes_per_packet), 'without IP and UDP')}
      ${figure('fragments a packet', measure(live.fragments_per_packet))}
      ${figure('right view is behind by', live.behind_ms === null ? '–' : `${Math.round(live.behind_ms)} ms`, 'delay, travel and waiting for the tick')}
      ${figure('mismatches', count(live.decode_mismatches), 'decoded snapshots that differ from what was sent: never any')}
    </dl>`;
  }
}

function figure(name: string, value: string, note?: string) {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === undefined ? nothing : html`<small>${note}</small>`}</dd>
  </div>`;
}
