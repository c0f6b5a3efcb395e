// The sentence over the controls: what this is for, and one thing for a hand to do.

import { html, nothing } from 'lit';
import { kindBits, sum } from '../figures/bits';
import { lab } from '../lab';
import { define } from '../shell/element';
import { percent } from '../shell/format';
import { wordsOf } from '../shell/strategy';
import { hasMoved } from './hand';

define('lab-sentence', () => {
  // The share is that of the bar below: of the mean packet of the last second.
  const rows = kindBits(() => true);
  const share =
    sum(rows, (row) => row.bits) /
    Math.max(
      sum(rows, (row) => row.rung0),
      1,
    );
  const isSmall = share > 0 && share < 0.5;
  return html`<p>${isSmall ? `Each packet: ${percent(share)} of its uncompressed size.` : `The same motion, ${wordsOf().view_inside}.`} <strong>${nudge()}</strong></p>`;
});

/** The first hand is led to a control, and then to the cube. */
function nudge() {
  if (!hasMoved.value && Number(lab.a.hz) > 1) return 'Drag Send rate to 1.';
  if (lab.state.motion !== undefined) return nothing;
  const said = (by: string): string => `${lab.running ? 'Drive' : 'Press Play. Drive'} the big red cube with ${by}.`;
  return html`<span class="for-keys">${said('the arrow keys')}</span><span class="for-touch">${said('the stick')}</span>`;
}
