// Whose settings the form is for: lane A's or lane B's, on the same motion.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Change, type LaneName, lab } from '../lab';
import { LabElement } from '../shell/element';

@customElement('lab-lanes')
export class Lanes extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings'];

  protected override render() {
    if (lab.b === undefined) {
      return html`<button type="button" class="compare" @click=${() => lab.compareByHand()}>Compare with other settings</button>`;
    }
    return html`<div class="groups" role="group" aria-label="Settings of">${this.lane('a', 'A')} ${this.lane('b', 'B')}</div>
      <button type="button" class="quiet" @click=${() => lab.change((page) => page.swap_a_and_b())}>Swap</button>
      <button type="button" class="quiet" @click=${() => lab.change((page) => page.drop_b())}>Drop B</button>
      ${lab.setting === 'b' ? html`<p class="caption">B goes with A in all that you do not set here. A and B share scene, seed and speed.</p>` : nothing}`;
  }

  private lane(lane: LaneName, name: string) {
    return html`<button type="button" aria-pressed=${lab.setting === lane} @click=${() => lab.setFor(lane)}>${name}</button>`;
  }
}
