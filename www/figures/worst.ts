// The objects that err most at the shown instant, by position and by orientation; a click looks at one.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { lab, type Change } from '../lab';

const LISTED = 6;

@customElement('lab-worst')
export class Worst extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures', 'run', 'looking'];

  protected override render() {
    if (lab.failure !== undefined) return nothing;
    // While it runs another object errs most in each frame, and no pointer could meet it.
    if (lab.running) return html`<p class="caption">Pause to see which objects are shown farthest from the truth.</p>`;
    const [apart, turned] = [this.most('error', ' mm'), this.most('turn', '°')];
    if (apart === nothing && turned === nothing) return html`<p class="caption">At this instant every object is shown as it was.</p>`;
    return html`<p class="caption">At this instant A shows these farthest from the truth. Choose one to look at it, and at what the packets told of it.</p>
      ${apart} ${turned === nothing ? nothing : html`<p class="caption">These are turned farthest from the truth.</p>`} ${turned}
      <lab-cube></lab-cube>`;
  }

  /** Buttons of the objects whose figure is greatest. */
  private most(overlay: string, unit: string) {
    const errors = [...(lab.page.overlay('a', overlay) ?? [])].map((error, object) => ({ object, error })).filter(({ error }) => error > 0);
    const most = errors.toSorted((a, b) => b.error - a.error).slice(0, LISTED);
    if (most.length === 0) return nothing;
    return html`<div class="suggestions">
      ${most.map(
        ({ object, error }) =>
          html`<button type="button" aria-pressed=${lab.looking.cube === object} @click=${() => lab.lookAt(lab.looking.packet ?? undefined, object)}>${this.name(object)}: ${measure(error)}${unit}</button>`,
      )}
    </div>`;
  }

  private name(object: number): string {
    if (lab.motion !== undefined) return `object ${object}`;
    return object === 0 ? 'the player’s cube' : `cube ${object}`;
  }
}
