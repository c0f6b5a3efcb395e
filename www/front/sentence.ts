// The sentence over the controls: what this is for, and one thing for a hand to do.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { define } from '../shell/element';
import { percent } from '../shell/format';
import { wordsOf } from '../shell/strategy';
import { moved } from '../views/outlines';

define('lab-sentence', () => {
  const { kbps_mean: mean, uncompressed_kbps: all } = lab.now.a;
  const isSmall = all > 0 && mean < 0.5 * all;
  return html`<p>${isSmall ? `The same motion, ${percent(mean / all)} of the data.` : `The same motion, ${wordsOf().view_inside}.`} <strong>${nudge()}</strong></p>`;
});

/** The first hand is led to a control, and then to the cube. */
function nudge() {
  if (!moved.value && Number(lab.a.hz) > 1) return 'Drag Send rate to 1.';
  if (lab.state.motion !== undefined) return nothing;
  const said = (by: string): string => `${lab.running ? 'Drive' : 'Press Play. Drive'} the red cube: ${by}.`;
  return html`<span class="for-keys">${said('arrow keys')}</span><span class="for-touch">${said('the stick')}</span>`;
}
