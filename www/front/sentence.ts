// The one sentence over the controls: what is left, what is right, and what a hand can do.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Change, lab } from '../lab';
import { LabElement } from '../shell/element';
import { strategy } from '../shell/strategy';

/** The right view, by strategy. */
const right = {
  snapshot: 'the same, rebuilt from packets',
  sync: 'a second simulation, which packets correct',
  lockstep: 'a second simulation, from the keys alone',
};

@customElement('lab-sentence')
export class Sentence extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings', 'run'];

  protected override render() {
    const place = (across: string, above: string) => html`<span class="across">${across}</span><span class="above">${above}</span>`;
    const original = lab.motion === undefined ? 'the simulation' : 'your motion';
    return html`<p>${place('Left', 'Above')}: ${original}. ${place('Right', 'Below')}: ${right[strategy()]}. ${lab.motion === undefined ? this.hand() : nothing}</p>`;
  }

  private hand() {
    return html`<strong
      >${lab.running ? 'Drive' : 'Press Play, then drive'} the red cube with the <span class="for-keys">arrow keys</span><span class="for-touch">stick</span>.</strong
    >`;
  }
}
