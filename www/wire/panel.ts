// Play together: the ways in which others come into this world, and those who are here.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { count } from '../shell/format';
import { visible } from '../shell/names';
import { Cell, table, tableRow, wide } from '../shell/parts';
import { CODE_PART } from './code';
import { NO_WEBRTC } from './door';
import { iceField, sentence } from './ice';
import { hasPeers } from './peer';
import { drawQr } from './qr';
import { type Row, type Session, session, startHosting } from './session';

const dialog = document.querySelector<HTMLDialogElement>('#together');

@customElement('lab-together')
export class Together extends LabElement {
  @state() private trouble = '';
  @state() private said = '';
  /** An invitation by code that waits for its answer. */
  @state() private invitation: { link: string; accept: (answer: string) => Promise<void> } | undefined;
  @state() private simulated = false;

  protected override render() {
    const now = session.value;
    return html`
      ${now === undefined ? this.beginning() : this.ways(now)}
      <p role="alert">${this.trouble}</p>
      <p role="status" class="said">${this.said || now?.said.value}</p>
      ${now === undefined || now.rows.value.length === 0 ? nothing : guests(now)}
      ${now === undefined ? nothing : this.network(now)}
      <div class="row end">
        ${now === undefined ? html`<span></span>` : button('End the session', () => this.end(now))}
        ${button('Close', () => dialog?.close(), { kind: 'primary' })}
      </div>
    `;
  }

  /** Two hands need two cubes. */
  private beginning() {
    if (lab.state.motion !== undefined) return html`<p>A recorded motion takes no hand. Leave it, and play together in a scene of the lab.</p>`;
    if (lab.a.rival === 'hand') return button('Share this scene', () => this.host(), { kind: 'primary' });
    return html`
      <p>Another person drives a second cube, the blue one. The scene begins anew with it.</p>
      ${button('Begin with two cubes', () => this.begin(), { kind: 'primary' })}
    `;
  }

  /** Begins the scene anew with a second cube, and shares it. */
  private begin(): void {
    lab.set('rival', 'hand', 'a');
    lab.restart();
    this.host();
  }

  /** Shares the world, where it has two cubes. */
  host(): void {
    this.trouble = this.said = '';
    if (session.value !== undefined || lab.a.rival !== 'hand' || lab.state.motion !== undefined) return;
    this.try(() => startHosting());
  }

  private ways(now: Session) {
    const link = new URL(`./join.html#room=${now.room}`, location.href).href;
    return html`
      ${hasPeers() ? nothing : html`<p>${NO_WEBRTC}</p>`}
      <div class="row">
        <a class="primary" href=${link} target="_blank" rel="noopener">In another window</a>
        ${hasPeers() ? button('By a code', () => void this.invite(now), { pressed: this.invitation !== undefined }) : nothing}
      </div>
      ${this.invitation === undefined ? nothing : this.byCode(this.invitation)}
    `;
  }

  private byCode({ link, accept }: { link: string; accept: (answer: string) => Promise<void> }) {
    return html`
      <ol class="steps">
        <li>
          <label for="invitation">${isOwnAddress() ? 'Send this link. It opens on this machine alone, where the page comes from.' : 'Send this link, or let a phone’s camera read it.'}</label>
          <div class="row"><input id="invitation" type="text" readonly .value=${link} @focus=${select} /> ${button('Copy', () => void this.copy(link), { label: 'Copy the invitation' })}</div>
          <canvas class="qr" role="img" aria-label="The same link as a QR code" hidden></canvas>
        </li>
        <li>
          <label for="answer">The guest’s page shows an answer. Paste it here.</label>
          <input id="answer" type="text" autocomplete="off" maxlength="70000" @input=${(event: Event) => void this.accept(event.target as HTMLInputElement, accept)} />
        </li>
      </ol>
    `;
  }

  private network(now: Session) {
    const skipped = now.rows.value.reduce((sum, row) => sum + row.skipped, 0);
    const buffered = now.rows.value.reduce((sum, row) => sum + row.buffered, 0);
    const toggle = (set: (on: boolean) => void) => (event: Event) => set((event.target as HTMLInputElement).checked);
    return html`<details>
      <summary>Network</summary>
      <label class="check">
        <input type="checkbox" .checked=${this.simulated} @change=${toggle((on) => {
          this.simulated = on;
          now.simulate(on);
        })} />
        Put lane A’s simulated network in front of the real one
      </label>
      <label class="check">
        <input type="checkbox" .checked=${now.guarded} @change=${toggle((on) => {
          now.guard(on);
          this.requestUpdate();
        })} />
        Skip a packet while an older one waits here
      </label>
      <p class="caption">${count(skipped)} skipped, ${count(buffered)} bytes wait. Without this, a queue grows where the network is too narrow.</p>
      ${iceField()}
    </details>`;
  }

  private async invite(now: Session): Promise<void> {
    this.invitation = undefined;
    this.trouble = '';
    this.said = 'Asking this machine for its addresses …';
    try {
      const { code, accept } = await now.invite();
      const link = new URL(`./join.html#${CODE_PART}${code}`, location.href).href;
      this.invitation = { link, accept };
      this.said = '';
      await this.updateComplete;
      const canvas = this.querySelector<HTMLCanvasElement>('.qr');
      if (canvas !== null) canvas.hidden = isOwnAddress() || !drawQr(canvas, link);
      this.querySelector<HTMLElement>('#invitation')?.focus();
    } catch (error) {
      this.said = '';
      this.trouble = sentence(error);
    }
  }

  private async accept(field: HTMLInputElement, accept: (answer: string) => Promise<void>): Promise<void> {
    const text = field.value;
    // Half a code is on its way.
    if (text.trim() === '') return;
    this.trouble = '';
    try {
      this.said = 'Connecting …';
      await accept(text);
      this.invitation = undefined;
      this.said = '';
    } catch (error) {
      this.said = '';
      this.trouble = sentence(error);
    }
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.said = 'Copied';
    } catch {
      this.said = 'The browser does not let it be copied: select the text, and copy it yourself';
    }
  }

  private end(now: Session): void {
    now.end('The host ended the session');
    this.invitation = undefined;
    this.said = 'The session has ended.';
  }

  private try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.trouble = sentence(error);
    }
  }
}

/** True if the page's address leads no other machine to it. */
function isOwnAddress(): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

function select(event: Event): void {
  (event.target as HTMLInputElement).select();
}

function guests(now: Session) {
  const names = ['Guest', 'round trip', new Cell('spare', 'loss'), 'screen age', new Cell('spare', 'corrections'), 'blue cube', 'screen'];
  return wide(
    'Guests',
    table(
      'Guests',
      names,
      now.rows.value.map((row) => guest(now, row)),
      'compared guests',
    ),
  );
}

function guest(now: Session, row: Row) {
  const { way, name, status, round_trip_ms: trip, lost_percent: lost, screen_age_ms: age, corrections, has_hand: drives } = row;
  const state = status === 'joining' ? 'joins' : row.isHidden ? 'page hidden' : row.kind === 'window' ? 'other window' : '';
  const ms = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} ms`);
  return tableRow(html`<bdi>${visible(name)}</bdi> <small>${state}</small>`, [
    ms(trip),
    new Cell('spare', `${lost.toFixed(1)} %`),
    ms(age),
    new Cell('spare', corrections ?? '–'),
    drives ? 'drives' : button('Give', () => now.give(way), { label: `Give the blue cube to ${visible(name)}` }),
    row.share === undefined
      ? html`${button('What he saw', () => now.ask(way, 'frames'), { label: `What ${visible(name)} saw` })}
          ${button('His network', () => now.ask(way, 'log'), { label: `The network of ${visible(name)} under both lanes` })}`
      : html`<progress max="1" .value=${row.share} aria-label="Frames that have come"></progress>`,
  ]);
}

/** Opens the dialog, and shares the world where it has two cubes. */
export function openTogether(): void {
  dialog?.showModal();
  dialog?.querySelector<Together>('lab-together')?.host();
}
