// Play together: the doors by which another person comes into this world, and the guest who is here.

import { effect } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { count } from '../shell/format';
import { CODE_PART } from './code';
import { counters, wholeMs } from './counters';
import { iceField } from './ice';
import { hasPeers } from './peer';
import { drawQr } from './qr';
import { hostsCubes } from './roles';
import { type HostSession, type HostsGuest, lapsed, type News, session, startHosting } from './session';
import { NO_WEBRTC } from './signalling';
import { FAREWELLS, sentence } from './words';

const dialog = document.querySelector<HTMLDialogElement>('#together');

@customElement('lab-together')
export class Together extends LabElement {
  /** The newest words of the dialog itself, and the news of the guest that they came after: newer news take their place. */
  @state() private told: { words: string; isTrouble: boolean; after: News | undefined } = { words: '', isTrouble: false, after: undefined };
  /** True while an invitation is being written. */
  @state() private isAsking = false;

  protected override begins() {
    return [
      ...super.begins(),
      effect(() => {
        if (lapsed.value && dialog?.open === true) queueMicrotask(() => this.host());
      }),
    ];
  }

  protected override render() {
    const now = session.value;
    const news = now?.news.value;
    const guest = now?.guest.value;
    const { words, isTrouble, after } = this.told;
    const isNewest = words !== '' && after === news;
    return html`
      ${now === undefined ? this.beginning() : guest === undefined ? this.invitations(now) : nothing}
      <p role="alert">${isNewest && isTrouble ? words : ''}</p>
      <p role="status" class="said">${isNewest ? (isTrouble ? '' : words) : news?.words}</p>
      ${now === undefined ? nothing : html`<p class="cubes" role="status">${hostsCubes(guest)}</p>`}
      ${now === undefined || guest === undefined ? nothing : here(now, guest)}
      ${now === undefined ? nothing : this.network(now)}
      <div class="row end">
        ${now === undefined ? html`<span></span>` : button('End the session', () => this.end(now))}
        ${button('Close', () => dialog?.close(), { kind: 'primary' })}
      </div>
    `;
  }

  /** Draws a new invitation for cameras, where it is short enough. */
  protected override updated(): void {
    const canvas = this.querySelector<HTMLCanvasElement>('.qr');
    const link = this.querySelector<HTMLInputElement>('#invitation')?.value ?? '';
    if (canvas === null || canvas.dataset['link'] === link) return;
    canvas.dataset['link'] = link;
    canvas.hidden = !drawQr(canvas, link);
  }

  private tell(words: string, isTrouble = false): void {
    this.told = { words, isTrouble, after: session.value?.news.value };
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

  /** Shares the world, where it has two cubes. An invitation of the world before gets a new one in its place. */
  host(): void {
    if (session.value !== undefined) return;
    const hasLapsed = lapsed.value;
    lapsed.value = false;
    this.tell('');
    const canShare = lab.a.rival === 'hand' && lab.state.motion === undefined;
    if (canShare) this.try(() => startHosting());
    const now = session.value as HostSession | undefined;
    if (!hasLapsed) return;
    if (now === undefined) this.tell('The world has changed, so the invitation of before leads nowhere.', true);
    else void this.invite(now, 'The world has changed, so the invitation of before leads nowhere. Send this one.');
  }

  private invitations(now: HostSession) {
    const link = new URL(`./join.html#room=${now.room}`, location.href).href;
    const code = now.invitations.code.value;
    return html`
      ${hasPeers() ? nothing : html`<p>${NO_WEBRTC}</p>`}
      <div class="row">
        <a class="primary" href=${link} target="_blank" rel="noopener">In another window</a>
        ${hasPeers() ? button('By a code', () => void this.invite(now), { pressed: code !== undefined || this.isAsking }) : nothing}
      </div>
      ${code === undefined ? nothing : this.byCode(now, code)}
    `;
  }

  private byCode(now: HostSession, code: string) {
    const link = new URL(`./join.html#${CODE_PART}${code}`, location.href).href;
    return html`
      <ol class="steps">
        <li>
          <label for="invitation">${isOwnAddress() ? 'Send this link. It opens on this machine alone, where the page comes from.' : 'Send this link, or let a phone’s camera read it.'}</label>
          <div class="row"><input id="invitation" type="text" readonly .value=${link} @focus=${select} /> ${button('Copy', () => void this.copy(link), { label: 'Copy the invitation' })}</div>
          ${isOwnAddress() ? nothing : html`<canvas class="qr" role="img" aria-label="The same link as a QR code" hidden></canvas>`}
        </li>
        <li>
          <label for="answer">The guest’s page shows an answer. Paste it here.</label>
          <textarea id="answer" rows="2" autocomplete="off" spellcheck="false" maxlength="70000" @input=${(event: Event) => void this.take(event.target as HTMLTextAreaElement, now)}></textarea>
        </li>
      </ol>
    `;
  }

  private network(now: HostSession) {
    const { skipped = 0, buffered = 0 } = now.guest.value ?? {};
    const toggle = (set: (on: boolean) => void) => (event: Event) => set((event.target as HTMLInputElement).checked);
    return html`<details>
      <summary>Network</summary>
      <label class="check">
        <input type="checkbox" .checked=${now.simulated.value} @change=${toggle((on) => now.simulate(on))} />
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

  private async invite(now: HostSession, why = ''): Promise<void> {
    this.isAsking = true;
    this.tell('Asking this machine for its addresses …');
    try {
      await now.invitations.invite();
      this.tell(why);
      await this.updateComplete;
      this.querySelector<HTMLElement>('#invitation')?.focus();
    } catch (error) {
      this.tell(sentence(error), true);
    }
    this.isAsking = false;
  }

  private async take(field: HTMLTextAreaElement, { invitations }: HostSession): Promise<void> {
    const text = field.value;
    if (text.trim() === '') return;
    const before = invitations.code.value;
    this.tell('Connecting …');
    try {
      await invitations.take(text);
      this.tell('');
    } catch (error) {
      this.tell(sentence(error), true);
    }
    // A text that is no whole answer may be on its way yet: it stays.
    if (invitations.code.value !== before) field.value = '';
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.tell('Copied');
    } catch {
      this.tell('The browser does not let it be copied: select the text, and copy it yourself');
    }
  }

  private end(now: HostSession): void {
    now.end(FAREWELLS.ended);
    this.tell('The session has ended.');
  }

  private try(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.tell(sentence(error), true);
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

/** The guest's figures, and what the host can do with the guest. */
function here(now: HostSession, guest: HostsGuest) {
  const { is_playing: plays, compared } = guest;
  const state = !plays ? 'joins' : guest.isHidden ? 'page hidden' : guest.kind === 'window' ? 'other window' : '';
  const figures = [
    ['Round trip', wholeMs(guest.round_trip_ms)],
    ['Lost', `${guest.lost_percent.toFixed(1)} %`],
    ['Screen age', wholeMs(guest.screen_age_ms)],
    ['Corrections', guest.corrections === null ? '–' : count(guest.corrections)],
    ['Keys late', count(guest.keys_late)],
    ['Keys lost', count(guest.keys_lost)],
    ['Snapshots equal', `${count(compared - guest.mismatches)} of ${count(compared)}`],
  ] as const;
  return html`<section class="here" aria-label="Guest">
    <h3>The guest <small>${state}</small></h3>
    ${counters(figures)}
    <div class="row">${file(now, guest.share)} ${button('Send away', () => now.sendAway())}</div>
  </section>`;
}

/** The file of the guest's page: buttons that ask for one, or the part that has come. */
function file(now: HostSession, share: number | undefined) {
  return share === undefined
    ? html`${button('The guest’s view', () => now.ask('frames'))} ${button('The guest’s network', () => now.ask('log'))}`
    : html`<progress max="1" .value=${share} aria-label="Part of the file that has come"></progress>
        ${button('Stop', () => now.giveUp(''), { label: 'Wait no longer for the file' })}`;
}

/** Opens the dialog, and shares the world where it has two cubes. */
export function openTogether(): void {
  dialog?.showModal();
  dialog?.querySelector<Together>('lab-together')?.host();
}
