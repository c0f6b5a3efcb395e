// The selected cube: its figures, over the views.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { measure } from '../shell/format';

define('lab-picked', () => {
  const { cube, packet } = lab.viewState;
  if (cube === null) return nothing;
  const values = ['error', 'bits'].map((name) => lab.numbers({ overlay: { lane: 'a', name } })[cube]);
  const [error, bits] = values;
  return html`<p class="picked">
    <strong>${cube === 0 ? 'The player’s cube' : `Cube ${cube}`}</strong>
    <span
      >${error === undefined ? 'not shown yet' : html`${measure(error)} mm from the original`}${
        bits === undefined ? nothing : html`, ${bits === 0 ? 'no bits' : `${bits.toFixed(bits < 10 ? 1 : 0)} bits`} a packet`
      }</span
    >
    ${button('Its bits', open, { kind: 'quiet' })}
    ${button('×', () => lab.lookAt(packet ?? undefined, undefined), { kind: 'quiet', label: 'Look at no cube' })}
  </p>`;
});

function open(): void {
  if (lab.running) lab.pause(true);
  lab.show('packets');
}
