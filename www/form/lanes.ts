// Whose settings the form is for: lane A's or lane B's, on the same motion.

import { html, nothing } from 'lit';
import { type LaneName, lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';

define('lab-lanes', () => {
  if (lab.b === undefined) {
    return button('Compare with other settings', () => lab.compareByHand(), { kind: 'compare' });
  }
  return html`<div class="groups" role="group" aria-label="Settings of">${lane('a', 'A')} ${lane('b', 'B')}</div>
    ${lab.client === undefined ? button('Swap', () => lab.apply({ lane: 'swap' }), { kind: 'quiet' }) : nothing}
    ${button('Drop B', () => lab.apply({ lane: 'drop_b' }), { kind: 'quiet' })}
    ${
      lab.setting === 'b'
        ? html`<p class="caption">
            ${
              lab.client === undefined
                ? 'B goes with A in all that you do not set here. A and B share scene, seed and speed.'
                : `B is what ${lab.clientName} drew. Set anything here, and a lane of the lab takes its place.`
            }
          </p>`
        : nothing
    }`;
});

function lane(lane: LaneName, name: string) {
  return button(name, () => lab.setFor(lane), { pressed: lab.setting === lane });
}
