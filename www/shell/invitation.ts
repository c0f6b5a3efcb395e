// What to try, for somebody who is here for the first time: from far over the goal to far below it.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { goal } from '../figures/goal';
import { type Change, lab } from '../lab';
import { tour } from '../tour/tour';
import { LabElement } from './element';
import { strategy } from './strategy';

@customElement('lab-invitation')
export class Invitation extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures', 'settings'];
  @state() private dismissed = false;

  protected override render() {
    // The goal is of the articles' scene: a motion from elsewhere has the verdict.
    if (tour.step !== undefined || this.dismissed || strategy() !== 'snapshot' || lab.motion !== undefined || lab.looking.show === 'verdict') return nothing;
    return html`<div class="invitation">
      ${this.invite()}
      <button type="button" class="quiet" aria-label="Close this hint" @click=${() => (this.dismissed = true)}>✕</button>
    </div>`;
  }

  private invite() {
    const { kbps } = lab.a.live;
    const most = goal().kbps;
    const rungs = lab.row('codec')?.choices ?? [];
    const next = rungs[rungs.findIndex(({ id }) => id === lab.a.settings['codec']) + 1];
    if (next !== undefined && lab.setting === 'a' && (kbps > most || next.id === rungs[1]?.id)) {
      return html`<p>
          <strong>${Math.max(kbps / most, 1).toFixed(kbps > 10 * most ? 0 : 1)} times the goal</strong>
        </p>
        <button type="button" class="primary" @click=${() => lab.set('codec', next.id, 'a')}>Next step: ${next.label}</button>
        <button type="button" class="second" @click=${() => tour.open()}>Take the tour</button>`;
    }
    const other = lab.a.settings['hz'] === '10' ? '60' : '10';
    return html`<p><strong>${kbps > most ? 'Still over the goal.' : 'Below the goal.'}</strong></p>
      <button type="button" @click=${() => lab.show('ladder')}>What each step bought</button>
      <button type="button" class="second" @click=${() => lab.compareWith({ hz: other })}>${lab.a.settings['hz']} against ${other} a second</button>`;
  }
}
