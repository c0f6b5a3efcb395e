// The objects that A shows farthest from the truth at the shown instant; a click looks at one.

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
    const errors = [...(lab.page.overlay('a', 'error') ?? [])].map((mm, object) => ({ object, mm })).filter(({ mm }) => mm > 0);
    const worst = errors.toSorted((a, b) => b.mm - a.mm).slice(0, LISTED);
    if (worst.length === 0) return html`<p class="caption">At this instant every object is shown where it was.</p>`;
    return html`<p class="caption">At this instant A shows these farthest from the truth. Choose one to look at it, and at what the packets told of it.</p>
      <div class="suggestions">
        ${worst.map(
          ({ object, mm }) =>
            html`<button type="button" aria-pressed=${lab.looking.cube === object} @click=${() => lab.lookAt(lab.looking.packet ?? undefined, object)}>${this.name(object)}: ${measure(mm)} mm</button>`,
        )}
      </div>
      <lab-cube></lab-cube>`;
  }

  private name(object: number): string {
    if (lab.motion !== undefined) return `object ${object}`;
    return object === 0 ? 'the player’s cube' : `cube ${object}`;
  }
}
