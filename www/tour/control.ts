// What a person tries inside the tour's prose: <tour-control setting="loss">, <tour-trace> for a file of one's own network,
// <tour-test> for one's own eyes, and <tour-players> for what a server sends in all.

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Live } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { useTrace } from '../motion/network';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { count, rateText } from '../shell/format';
import { select, slider, typed } from '../shell/parts';
import { openTest } from '../tell/trial';

/** An element of a step. It renders before its answer is shown, for showing the answer changes nothing in the laboratory. */
export abstract class TourElement extends LabElement {
  protected override shouldUpdate(): boolean {
    return true;
  }
}

/** The control of a setting of lane A, here where it is spoken of. */
@customElement('tour-control')
export class TourControl extends TourElement {
  @property() setting = '';

  protected override render() {
    const schema = lab.row(this.setting);
    if (schema === undefined) return nothing;
    const { choices, number } = schema;
    const text = lab.a[schema.id] ?? schema.default;
    if (choices !== undefined)
      return select(
        schema.label,
        choices.map(({ id, label }) => [id, label] as const),
        text,
        (chosen) => lab.set(schema.id, chosen, 'a'),
      );
    if (number === undefined) return nothing;
    return html`<label>
      <span>${schema.label} <output>${text} ${schema.unit}</output></span>
      <input
        type="range"
        min=${number.min}
        max=${number.max}
        step=${number.slide}
        .value=${text}
        @change=${(event: Event) => lab.set(schema.id, typed(event), 'a')}
      />
    </label>`;
  }
}

/** The field for a person's own ping file, in the step about traces. */
@customElement('tour-trace')
export class TourTrace extends TourElement {
  protected override render() {
    return html`<label><span>A trace of your network</span> <input type="file" accept=".csv,.txt,.log" @change=${this.choose} /></label>`;
  }

  private async choose(event: Event): Promise<void> {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file !== undefined) await useTrace(file);
  }
}

/** A button that opens a blind test, in the steps about what a person sees. */
@customElement('tour-test')
export class TourTest extends TourElement {
  @property() test = '';

  protected override render() {
    return button('Test your eyes', () => openTest(this.test, false), { kind: 'primary' });
  }
}

/** Snapshots and state are sent to each player. In lockstep each player's packet has one header and the keys of all players. */
function serverKbps({ kbps, ledger_bits_per_packet: bits }: Live, strategy: string | undefined, players: number): number {
  if (strategy !== 'lockstep') return kbps * players;
  const total = Object.values(bits).reduce((sum, of) => sum + of, 0);
  const keys = total > 0 ? (bits['input'] ?? 0) / total : 0;
  return kbps * players * (1 - keys + keys * players);
}

/** Bandwidth of A's and B's server for some players: each player gets a copy. */
@customElement('tour-players')
export class TourPlayers extends TourElement {
  @state() private players = 200;

  protected override render() {
    const all = (live: Live, strategy: string | undefined): string => rateText(serverKbps(live, strategy, this.players));
    const { a, b, now } = lab;
    return html`<label>
        <span>Players <output>${count(this.players)}</output></span>
        ${slider({ min: 1, max: 1000, value: this.players }, (players) => (this.players = players))}
      </label>
      <p>
        The server sends at least <strong>${all(now.a, a.strategy)}</strong> in all with
        A${b === undefined || now.b === undefined ? nothing : html`, <strong>${all(now.b, b.strategy)}</strong> with B`}, by the last
        second. Each player is sent this one world, which one player moves; more players move more of it. In lockstep each is sent the keys of all.
      </p>`;
  }
}
