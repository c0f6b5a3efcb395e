// How far the right side's simulation is from the left's, and how often each cube is put right.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { define } from '../shell/element';
import { count, measure, rateText } from '../shell/format';
import { figure } from './figure';

define('lab-sync', () => {
  const live = lab.now.a;
  if (live.strategy !== 'sync') return nothing;
  const { divergence_mm: divergence } = live;
  return html`<dl class="counters">
    ${figure('divergence, rms', `${measure(divergence.rms)} mm`, 'of the cubes that interact, before smoothing')}
    ${figure('divergence, worst cube', `${measure(divergence.max)} mm`)}
    ${figure('at rest and apart', count(live.cubes_at_rest_apart), `cubes, by up to ${measure(live.divergence_at_rest_max_mm)} mm`)}
    ${figure('pops', count(live.pops), 'updates seen as a move of over 10 cm, the fast glide of large errors after a cut included')}
    ${figure('updates a packet', measure(live.updates_per_packet))}
    ${figure('since the last update', `${measure(live.since_update_median_ms)} ms`, 'median over all cubes')}
    ${figure('waiting the longest', `${measure(live.since_update_max_ms)} ms`, 'since that cube’s last update')}
    ${figure('budget in force', rateText(live.budget_kbps), `${lab.a.budget} kbit/s are set`)}
  </dl>`;
});
