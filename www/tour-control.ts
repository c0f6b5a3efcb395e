// What a person tries inside the tour's prose: <tour-control setting="loss">, and <tour-players> for what a server sends in all.

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LabElement } from './element';
import { count, rateText } from './format';
import { lab, type Change } from './lab';

/** The control of a setting of lane A, here where it is spoken of. */
@customElement('tour-control')
export class TourControl extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings'];
  @property() setting = '';

  protected override render() {
    const schema = lab.schemaOfAll.find(({ id }) => id === this.setting);
    const { number } = schema ?? {};
    if (schema === undefined || number === undefined) return nothing;
    const text = lab.a.settings[schema.id] ?? schema.default;
    return html`<label>
      <span>${schema.label} <output>${text} ${schema.unit}</output></span>
      <input
        type="range"
        min=${number.min}
        max=${number.max}
        step=${number.step}
        .value=${text}
        @change=${(event: Event) => lab.set(schema.id, (event.target as HTMLInputElement).value, 'a')}
      />
    </label>`;
  }
}

/** Each player gets a copy: what A's and B's server send in all. */
@customElement('tour-players')
export class TourPlayers extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];
  @state() private players = 200;

  protected override render() {
    const all = (kbps: number): string => rateText(kbps * this.players);
    return html`<label>
        <span>Players <output>${count(this.players)}</output></span>
        <input
          type="range"
          min="1"
          max="1000"
          .value=${String(this.players)}
          @input=${(event: Event) => (this.players = Number((event.target as HTMLInputElement).value))}
        />
      </label>
      <p>
        The server sends <strong>${all(lab.a.live.kbps)}</strong> in all with A${lab.b?.live === undefined ? nothing : html`, <strong>${all(lab.b.live.kbps)}</strong> with B`}.
      </p>`;
  }
}
