// A guest's page: its own screen of the host's world, three choices that are its own, and its figures.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { type SettingChoice, Views } from '../../pkg/snapshot_web';
import { button } from '../shell/button';
import { count, duration, rateText } from '../shell/format';
import { driveBits, keysHeld, lettersAt, onKeysUsed, touchHeld } from '../shell/keys';
import { LightElement } from '../shell/light-element';
import { select } from '../shell/parts';
import { save } from '../shell/save';
import { onThemeChange } from '../shell/theme';
import { tables } from '../tables';
import { gpu } from '../views/gpu';
import { whileHidden } from './clock';
import { CODE_PART, readCode } from './code';
import { counters, wholeMs } from './counters';
import { iceField } from './ice';
import { type Choice, Play } from './play';
import { guestsCube } from './roles';
import { codeSignalling, type Signalling, windowSignalling } from './signalling';
import { sentence } from './words';
import '../views/touch';

/** Longest side of the picture, pixels. Drawing in software takes a part of them. */
const MOST_PX = { none: 0, software: 640, hardware: 1920 } as const;
/** A frame of a screen of 60 Hz. */
const FRAME_MS = 1000 / 60;

const delays = [['', 'adaptive'] as const, ...[0, 50, 100, 150, 200, 300, 500].map((ms) => [String(ms), `${ms} ms`] as const)];

const named = (choices: readonly SettingChoice[]) => choices.map(({ id, label }) => [id, label] as const);

@customElement('lab-guest')
export class GuestElement extends LightElement {
  @state() private play: Play | undefined;
  @state() private trouble = '';
  /** Why there is no picture: the words of the play go on beside it. */
  @state() private blind = '';
  @state() private isCopied = '';
  /** The address names no host: a code leads to one. */
  @state() private asksCode = false;
  /** The answer to the code, which a person brings to the host. */
  @state() private answer = '';
  private choice: Choice = { predict: 'touch', interp: 'linear', delayMs: undefined };
  private views: Views | undefined;
  private pointer: number | undefined;
  private isReading = false;

  protected override begins() {
    const down = (event: KeyboardEvent): void => {
      const bits = driveBits(event);
      if (bits === undefined) return;
      keysHeld.hold(event.code, bits);
      event.preventDefault();
    };
    const up = ({ code }: KeyboardEvent): void => keysHeld.release(code);
    const release = (): void => {
      keysHeld.releaseAll();
      touchHeld.releaseAll();
    };
    const hide = (): void => this.play?.tellHidden(document.hidden);
    const leave = (): void => this.play?.leave();
    const listeners: readonly [EventTarget, string, (event: never) => void][] = [
      [window, 'keydown', down],
      [window, 'keyup', up],
      [window, 'blur', release],
      [window, 'pagehide', leave],
      [window, 'hashchange', () => location.reload()],
      [document, 'visibilitychange', hide],
    ];
    for (const [target, name, hear] of listeners) target.addEventListener(name, hear as EventListener);
    return [whileHidden(() => this.turn(performance.now()))];
  }

  protected override render() {
    const { play } = this;
    if (play === undefined) return this.entrance();
    return html`
      <div class="screen">
        <canvas class=${play.figures.value === undefined ? 'blank' : ''} tabindex="0" role="application" aria-label="The host’s world, as it reaches you" aria-describedby="guest-keys"></canvas>
        <p class="word" role="status">${play.said.value}</p>
      </div>
      <p class="blind" role="status">${this.blind}</p>
      <lab-touch></lab-touch>
      ${this.answer === '' || play.figures.value !== undefined || play.over.value ? nothing : this.showAnswer()}
      <div class="row own">
        ${select('Predicts', named(tables().guest_predictions), this.choice.predict, (predict) => this.choose({ predict }))}
        ${select('Interpolation', named(tables().guest_modes), this.choice.interp, (interp) => this.choose({ interp }))}
        ${select('Delay', delays, String(this.choice.delayMs ?? ''), (ms) => this.choose({ delayMs: ms === '' ? undefined : Number(ms) }))}
        ${play.figures.value === undefined ? nothing : button('Save a recording', () => this.saveRecording(play), { label: 'Save a recording, for snapshot-lab replay' })}
        ${play.over.value ? this.wayBack(play) : button('Leave', () => play.leave())}
      </div>
      ${this.figures(play)}
      <p class="caption" id="guest-keys" role="status">${guestsCube(play.plays.value)}${play.plays.value ? html` <span class="for-keys">Arrows push, Space blows, ${lettersAt('Z')} pulls.</span>` : nothing}</p>
    `;
  }

  /** A code opens one connection only, so another one is asked for. */
  private wayBack(play: Play) {
    if (play.signalling.again) return button('Join again', () => location.reload(), { kind: 'primary' });
    return button('Use another link', () => this.begin(undefined), { kind: 'primary' });
  }

  private entrance() {
    return html`<form class="entrance" @submit=${this.submitted}>
      <p>You drive the second cube in another person’s world.</p>
      ${
        this.asksCode
          ? html`<label for="code">Link or code of the host</label>
              <textarea id="code" rows="2" autocomplete="off" spellcheck="false" maxlength="70000"></textarea>`
          : nothing
      }
      <p role="alert">${this.trouble}</p>
      <button type="submit" class="primary">Join</button>
      <details><summary>A strict firewall</summary>${iceField()}</details>
    </form>`;
  }

  /** Saves all that this guest was given: snapshot-lab replay shows the same frames from it. */
  private saveRecording(play: Play): void {
    const bytes = play.guest?.ask('recording');
    if (bytes !== undefined) save('snapshot-lab-guest.recording', new Blob([bytes]));
  }

  private showAnswer() {
    return html`<div class="row answer">
      <label for="answer">Send this answer to the host.</label>
      <input id="answer" type="text" readonly .value=${this.answer} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
      ${button('Copy', () => void this.copy(), { label: 'Copy the answer' })}
      <span role="status">${this.isCopied}</span>
    </div>`;
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.answer);
      this.isCopied = 'Copied';
    } catch {
      this.isCopied = 'The browser does not let it be copied: select it, and copy it yourself';
    }
  }

  private figures({ figures, wire }: Play) {
    const now = figures.value;
    if (now === undefined) return nothing;
    const all: readonly (readonly [string, string])[] = [
      ['Round trip', wholeMs(now.round_trip_ms)],
      ['Lost to you', `${now.lost_percent.toFixed(1)} %`],
      ['Lost to the host', `${now.lost_there_percent.toFixed(1)} %`],
      ['Screen age', wholeMs(now.screen_age_ms)],
      ['Still, last minute', duration(now.still_ms)],
      ['Corrections', count(now.corrections)],
      ['Keys late', count(now.keys_late)],
      ['Keys lost', count(now.keys_lost)],
      ['To you', rateText(now.kbps_received)],
      ['To the host', rateText(now.kbps_sent)],
      ['Skipped here', count(wire?.skipped ?? 0)],
      ...(now.left_out_percent > 0 ? [['Skipped there', `${now.left_out_percent.toFixed(1)} %`] as const] : []),
    ];
    const skips = (wire?.skipped ?? 0) > 0 || now.left_out_percent > 0;
    return html`${counters(all)}
    ${skips ? html`<p class="caption">Skipped packets were left out by a page itself, because an earlier one waited there. They do not count as lost.</p>` : nothing}
    ${wire?.kind === 'window' ? html`<p class="caption">The datagrams go from window to window: no network is between them.</p>` : nothing}`;
  }

  protected override firstUpdated(): void {
    let last = performance.now();
    const frame = (now: number): void => {
      requestAnimationFrame(frame);
      this.turn(performance.now());
      this.draw((now - last) / FRAME_MS);
      last = now;
    };
    requestAnimationFrame(frame);
    onThemeChange(() => this.recolour());
    this.enter();
  }

  protected override updated(): void {
    if (this.views === undefined && this.play !== undefined) this.build();
  }

  /** Joins at once where nothing has to be asked: another window of this browser, which has the link. */
  private enter(): void {
    const hash = location.hash.slice(1);
    const room = /^room=([0-9a-f]{24})$/.exec(hash)?.[1];
    if (room !== undefined) this.begin(windowSignalling(room));
    this.asksCode = room === undefined && !hash.startsWith(CODE_PART);
  }

  private async submitted(event: Event): Promise<void> {
    event.preventDefault();
    if (this.isReading) return;
    const text = location.hash.includes(CODE_PART) ? location.hash : (this.querySelector<HTMLTextAreaElement>('#code')?.value ?? '');
    this.trouble = '';
    this.isReading = true;
    try {
      const code = await readCode(text);
      if (code.kind !== 'invitation') throw new Error('This is an answer: the host pastes it. A guest needs the host’s link');
      const show = (answer: string): void => {
        this.answer = answer;
        if (this.play !== undefined) this.play.said.value = 'Waiting for the host to take the answer …';
      };
      this.begin(codeSignalling(code, show));
    } catch (error) {
      this.trouble = sentence(error);
    }
    this.isReading = false;
  }

  /** Begins at a signalling, or asks for another link. */
  private begin(signalling: Signalling | undefined): void {
    this.views?.free();
    this.views = undefined;
    this.trouble = this.blind = this.answer = this.isCopied = '';
    if (signalling === undefined) {
      this.asksCode = true;
      history.replaceState(null, '', location.pathname);
    }
    this.play = signalling === undefined ? undefined : new Play(signalling, this.choice);
  }

  private choose(change: Partial<Choice>): void {
    this.choice = { ...this.choice, ...change };
    this.play?.choose(this.choice);
    // Arrow keys are for the cube again.
    this.querySelector<HTMLElement>('canvas')?.focus({ preventScroll: true });
    this.requestUpdate();
  }

  /** Plays a frame. A fault of ours ends in a sentence. */
  private turn(now: number): void {
    try {
      // Above 60 Hz most frames have no tick: a tap waits for the next one.
      if (this.play?.frame(now, keysHeld.bits | touchHeld.bits) === true) onKeysUsed();
    } catch (error) {
      this.play?.fail(sentence(error));
    }
  }

  private draw(frames: number): void {
    const { views, play } = this;
    if (views === undefined || play?.guest === undefined || document.hidden) return;
    this.fit();
    try {
      views.draw_guest(play.guest, frames);
    } catch (error) {
      this.play?.fail(sentence(error));
    }
  }

  private build(): void {
    const canvas = this.querySelector('canvas');
    if (canvas === null || this.views !== undefined) return;
    if (gpu() === 'none') {
      this.blind = 'This browser gives no WebGL 2, so there is nothing to see here. Your keys and the figures go on.';
      return;
    }
    this.views = new Views(canvas, gpu() === 'hardware');
    this.recolour();
    if (canvas.dataset['listens'] !== undefined) return;
    canvas.dataset['listens'] = '';
    canvas.focus({ preventScroll: true });
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointer = event.pointerId;
    });
    canvas.addEventListener('lostpointercapture', () => (this.pointer = undefined));
    canvas.addEventListener('pointermove', (event) => {
      if (event.pointerId === this.pointer) this.views?.apply({ drag: { right_px: event.movementX, down_px: event.movementY } });
    });
    canvas.addEventListener('dblclick', () => this.views?.apply('reset_camera'));
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      this.views?.apply({ zoom: { factor: Math.exp(event.deltaY * 0.001) } });
    };
    canvas.addEventListener('wheel', wheel, { passive: false });
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.views?.free();
      this.views = undefined;
      this.blind = 'The graphics card has dropped the picture. It returns as soon as the browser allows; the play goes on.';
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.blind = '';
      this.build();
    });
  }

  /** Gives the canvas as many pixels as its place has. */
  private fit(): void {
    const canvas = this.querySelector('canvas');
    if (canvas === null) return;
    const { clientWidth, clientHeight } = canvas;
    const scale = Math.min(devicePixelRatio, MOST_PX[gpu()] / Math.max(clientWidth, clientHeight, 1));
    const [width, height] = [Math.max(Math.round(clientWidth * scale), 1), Math.max(Math.round(clientHeight * scale), 1)];
    if (canvas.width === width && canvas.height === height && canvas.dataset['fits'] !== undefined) return;
    canvas.dataset['fits'] = '';
    canvas.width = width;
    canvas.height = height;
    this.views?.apply({ resize: { width_px: width, height_px: height, gap_px: 0, stacked: false } });
  }

  private recolour(): void {
    const canvas = this.querySelector('canvas');
    if (canvas === null) return;
    const [red = 255, green = 255, blue = 255] = (getComputedStyle(canvas).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    this.views?.apply({ background: { red: red / 255, green: green / 255, blue: blue / 255 } });
  }
}
