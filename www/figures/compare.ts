// Lane A and lane B on the same motion, figure by figure.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { FirstDifference } from '../../pkg/snapshot_web';
import { type Live, lab, type Setting, type Settings } from '../lab';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { table } from '../shell/parts';
import { openReport } from './report';
import { apart } from './runs';
import './runs';
import { button } from '../shell/button';
import { tables } from '../tables';
import { figureRow, figureValue, hasB, plainText, row } from './table';

/** Ids of the compared figures. */
const COMPARED = [
  'kbps',
  'bytes_per_packet',
  'ack_kbps',
  'surface_error_mm.mean',
  'surface_error_mm.worst',
  'position_error_mm.rms',
  'position_error_mm.max',
  'orientation_error_deg.rms',
  'behind_ms',
  'hitches',
  'longest_freeze_ms',
  'packets_lost',
];

@customElement('lab-compare')
export class Compare extends LabElement {
  private differing: FirstDifference | undefined;
  /** Key of that difference: it is worked out again only when the key changes. */
  private differenceOf = '';

  protected override render() {
    return lab.b === undefined ? this.begin() : this.table(lab.b);
  }

  /** Goes to the instant at which an override that was asked for shows first, once that is known. */
  protected override updated(): void {
    const { asked } = lab;
    if (asked === undefined || lab.now.progress !== 'done' || this.differing?.packets.includes(asked.packet) !== true) return;
    lab.asked = undefined;
    const { first_difference: difference } = this.differing;
    if (difference != null) lab.seek(difference.first_tick);
  }

  /** The effect of the overrides, in words. */
  private firstDifference() {
    // Every pose of a minute is compared for it.
    if (!lab.running && lab.now.progress === 'done') {
      const of = `${lab.now.first} ${lab.now.last} ${lab.permalink.replace(/&(at|show|packet|cube|views|camera)=[^&]*/g, '')}`;
      if (of !== this.differenceOf) [this.differenceOf, this.differing] = [of, lab.ask('first_difference')];
    }
    const { packets = [], first_difference: difference } = this.differing ?? {};
    if (packets.length === 0 || lab.state.differences.length > 0) return nothing;
    const overrides = `B: ${packets.map((number) => `packet ${number} ${arrivesInB(number) ? 'arrived' : 'lost'}`).join(', ')}.`;
    if (difference === undefined) return html`${overrides}`;
    if (difference === null) return html`${overrides} Nothing is shown differently because of it.`;
    const { first_tick: first, cube, most_mm: most, again_tick: again } = difference;
    return html`${overrides}
      ${button(`At ${(first / lab.tickRate).toFixed(2)} s`, () => lab.seek(first), { kind: 'quiet' })}
      ${cube === 0 ? 'the player’s cube' : `cube ${cube}`} is the first to be shown elsewhere; at most cubes are ${measure(most)} mm apart;
      ${again === null ? 'they do not agree again yet' : `from ${(again / lab.tickRate).toFixed(2)} s on both show the same again`}.`;
  }

  private begin() {
    return html`
      <p class="lesson">A second lane, B, gets the very same motion over a network and with settings of its own; views, charts and this table then show both.
        A ready-made comparison sets sender, network and receiver of both; the world stays.</p>
      <div class="suggestions">
        ${tables().comparisons.map(({ name }, place) => button(name, () => lab.compareReady(place)))}
        ${button('Choose what differs', () => lab.compareByHand(), { kind: 'primary' })}
      </div>
    `;
  }

  /** Gives A the client's age, so that both are held against each other at one delay. */
  private asOld() {
    const { a, b: live } = lab.now;
    const { delay_ms: delay, behind_ms: behind } = a;
    if (live === undefined || behind === null) return nothing;
    const needed = Math.round(delay + live.delay_ms - behind);
    return needed < 0 || live.delay_ms === 0 ? nothing : button('Make A as old as the client', () => lab.set('delay', String(needed), 'a'));
  }

  private table(b: Settings) {
    const chosen = tables().comparisons[lab.state.comparison ?? -1];
    return html`
      ${chosen === undefined ? nothing : html`<p class="lesson point"><strong>${chosen.name}.</strong> In the first seconds of the start scene: ${chosen.point}</p>`}
      <p class="lesson">
        ${
          lab.client !== undefined
            ? html`B is what <strong>${lab.clientName}</strong> drew, at the delay that the judge found. No setting and no network of the lab changes it.`
            : lab.state.differences.length === 0
              ? lab.asked !== undefined
                ? `B: packet ${lab.asked.packet} ${lab.asked.delivered ? 'arrived' : 'lost'}.`
                : (this.differing?.packets.length ?? 0) > 0
                  ? nothing
                  : 'B is set as A is. Choose B above the settings, and change something for it.'
              : html`${lab.state.differences.map((id, i) => html`${i > 0 ? '; ' : ''}${difference(id, b)}`)}.`
        }
        ${this.firstDifference()}
        ${lab.state.has_two_motions ? html`<strong>B’s world is another one: the keys are the same, the motion is not.</strong>` : nothing}
      </p>
      <div class="suggestions">
        ${lab.client === undefined ? button('Swap A and B', () => lab.apply({ lane: 'swap' })) : nothing}
        ${lab.client === undefined ? nothing : this.asOld()}
        ${button('Copy A to B', () => lab.compareWith())}
        ${button('Drop B', () => lab.apply({ lane: 'drop_b' }))}
        ${button('Report', () => openReport(this.querySelector('lab-runs')))}
      </div>
      ${table(
        'A, B and the difference, at the instant that is shown',
        ['At this instant', 'A', 'B', 'B − A'],
        COMPARED.map((id) => compared(id, lab.now.b)),
      )}
      ${lab.client === undefined ? html`<h3>Over the run</h3><lab-runs></lab-runs>` : nothing}
    `;
  }
}

function arrivesInB(number: number): boolean {
  const { first, last } = lab.now;
  return lab.ask({ traffic: { lane: 'b', from: first, to: last } })?.packets.find((packet) => packet.number === number)?.fate !== 'lost';
}

function difference(id: string, ofB: Settings): string {
  const setting = lab.row(id);
  return `${setting?.label ?? id}: ${inWords(setting, lab.a[id])} for A, ${inWords(setting, ofB[id])} for B`;
}

function inWords(setting: Setting | undefined, text = ''): string {
  const choice = setting?.choices?.find(({ id }) => id === text);
  // A word in place of a number, as "adaptive", has no unit.
  return choice?.label ?? (text === '' || Number.isNaN(Number(text)) ? text : [text, setting?.unit].filter(Boolean).join(' '));
}

/** A figure of A and of B, and the difference. */
function compared(id: string, liveOfB: Live | undefined) {
  const [a, b] = [figureValue(lab.now.a, id), liveOfB === undefined || !hasB(id) ? undefined : figureValue(liveOfB, id)];
  const shown = (value: number | null | undefined): string => (value == null ? '–' : plainText(value, row(id).unit));
  return figureRow(id, [shown(a), shown(b), a == null || b == null ? '–' : apart(shown(a), shown(b))]);
}
