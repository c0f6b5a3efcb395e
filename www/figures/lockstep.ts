// Whether both sides still simulate the same, and what it costs to wait for every input.

import { html, nothing } from 'lit';
import type { LockstepLive } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { define } from '../shell/element';
import { count, measure } from '../shell/format';
import { figure } from './figure';

define('lab-lockstep', () => {
  const live = lab.now.a;
  if (live.strategy !== 'lockstep') return nothing;
  return html`
    ${verdict(live)}
    <dl class="counters">
      ${figure('stalls a minute', measure(live.stalls_per_minute), `${count(live.stalls)} so far`)}
      ${figure('stalled a minute', `${measure(live.stalled_ms_per_minute)} ms`, 'the right side waited for an input')}
      ${figure('catch-up steps', count(live.catch_up_steps), 'frames simulated beyond one a tick, after a stall')}
      ${figure('inputs waiting', count(live.inputs_waiting), 'arrived, and not due yet')}
      ${figure('inputs a packet', measure(live.inputs_per_packet), 'all that is not acknowledged yet')}
      ${
        lab.a.transport === 'tcp'
          ? figure('retransmissions', count(live.retransmissions), 'of what the stream lost, while all behind it waits')
          : figure('window full', count(live.window_full_ticks), 'ticks with more unacknowledged inputs than a packet holds')
      }
    </dl>
  `;
});

function verdict({ first_desync_frame: first, frames_checked: checked, given_up: givenUp }: LockstepLive) {
  const [colour, words, more] =
    first !== null
      ? ['broken', 'Out of sync', html`since frame ${count(first)}. Nothing brings it back.`]
      : checked === 0
        ? ['', 'Nothing compared yet', html`until the first input arrives.`]
        : ['sound', 'In sync', html`for ${count(checked)} frames, every bit of the physics compared.`];
  // A screen reader is told when the words change, not whenever the number does.
  return html`<p class="verdict ${colour}"><strong role="status">${words}</strong> <span>${more}</span></p>
    ${givenUp ? html`<p class="verdict broken"><strong role="status">Given up</strong> <span>because more inputs wait than can be numbered.</span></p>` : nothing}`;
}
