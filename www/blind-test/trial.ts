// The blind test itself, over the whole window: A, B and X as often as one likes, then an answer. What X is stays in the wasm.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { type BlindTestState, Views } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { gpu } from '../views/gpu';
import { keep, keptFile } from './kept';
import { Player, Refresh } from './player';

/** Time of a frame for making pictures. */
const WORK_MS = 12;
const MINUTE_MS = 60_000;
/** Longest side of the picture, device pixels: more would cost frames. */
const MOST_PX = 1920;

type Button = 'a' | 'b' | 'x';
const buttons: readonly Button[] = ['a', 'b', 'x'];

const dialog = document.querySelector<HTMLDialogElement>('#tell');

/** Opens a test; with `anew` without the trials that are kept. */
export function openTest(id: string, anew: boolean): void {
  if (anew) keep(id, undefined);
  const trial = dialog?.querySelector<Trial>('lab-trial');
  if (dialog == null || trial == null) return;
  dialog.showModal();
  trial.begin(id);
}

@customElement('lab-trial')
export class Trial extends LabElement {
  @state() private known: BlindTestState | undefined;
  @state() private playing: Button | undefined;
  @state() private trouble = '';
  @state() private isReady = false;
  /** The canvas has a frame of the picture that plays: before the first one it has the last one of another picture. */
  @state() private isDrawn = false;
  /** Buttons that were pressed in this trial. */
  @state() private seen: readonly Button[] = [];
  @state() private dropped = 0;
  private views: Views | undefined;
  private testId = '';
  private player: Player | undefined;
  private refresh = new Refresh();
  private readonly gpu = gpu();
  /** Frames that the machine left out in this trial. */
  private drops = 0;
  private startedAt = 0;
  private wasRunning = false;
  private from = 0;

  protected override render() {
    const { known } = this;
    return html`
      <canvas class=${this.isDrawn ? '' : 'blank'} aria-label="What A, B or X shows"></canvas>
      ${this.isDrawn ? nothing : html`<p class="between" aria-hidden="true">${this.isReady ? 'Press A, B or X' : 'Making the pictures…'}</p>`}
      <div class="row">
        <p role="status">${this.words()}</p>
        ${button('Stop', () => dialog?.close(), { title: 'Stop with what is known so far' })}
      </div>
      <div class="row plays">${buttons.map((name) => this.play(name))}</div>
      <div class="row answers">
        ${this.answer('X is A', true, '1')} ${this.answer('X is B', false, '2')}
      </div>
      ${known === undefined ? nothing : html`<progress max=${known.of} value=${known.counted} aria-label="Trials"></progress>`}
    `;
  }

  private play(name: Button) {
    const isDisabled = !this.isReady || this.playing !== undefined;
    return button(name.toUpperCase(), () => this.press(name), {
      kind: 'primary',
      label: `Show ${name.toUpperCase()}`,
      pressed: this.playing === name,
      disabled: isDisabled,
    });
  }

  private answer(words: string, isA: boolean, key: string) {
    const isDisabled = !this.canAnswer;
    return button(html`${words} <kbd>${key}</kbd>`, () => this.give(isA), { label: words, disabled: isDisabled });
  }

  /** X was seen, and A or B. */
  private get canAnswer(): boolean {
    return this.isReady && this.seen.includes('x') && this.seen.length > 1;
  }

  private words(): string {
    if (this.trouble !== '') return `${this.trouble}.`;
    const { known } = this;
    if (known === undefined) return 'Playing on until there is enough to show…';
    const left = known.of - known.counted;
    const minutes = known.answer_ms === null ? '' : `, some ${Math.max(Math.round((left * known.answer_ms) / MINUTE_MS), 1)} min left`;
    const trial = `Trial ${known.counted + 1} of ${known.of}${minutes}`;
    if (!this.isReady) return `${trial}. Making the pictures…`;
    if (this.dropped > 0) return `${trial}. The machine left ${this.dropped} frames out: this trial is asked again.`;
    return `${trial}. Press A, B and X, then say which X is.`;
  }

  protected override firstUpdated(): void {
    dialog?.addEventListener('close', () => this.end());
    // A button that is disabled loses the focus, so that no key reaches the dialog.
    window.addEventListener('keydown', (event) => this.key(event));
  }

  /** Begins a test over the motion of the page, which stands still meanwhile. */
  begin(id: string): void {
    this.testId = id;
    this.trouble = '';
    this.known = undefined;
    this.isReady = false;
    this.wasRunning = lab.running;
    this.from = lab.now.at;
    lab.pause(true);
    this.refresh = new Refresh();
    this.requestUpdate();
    void this.updateComplete.then(() => {
      this.build();
      requestAnimationFrame((now) => this.frame(now));
    });
  }

  private build(): void {
    const canvas = this.querySelector('canvas');
    if (canvas === null) return;
    try {
      if (this.gpu === 'none') throw new Error('This browser gives no WebGL 2, so there is nothing to see');
      this.views ??= lab.gated(new Views(canvas, this.gpu === 'hardware'));
      const parts = getComputedStyle(canvas).backgroundColor.match(/[\d.]+/g) ?? [];
      const [red = 255, green = 255, blue = 255] = parts.map(Number);
      this.views.apply({ background: { red: red / 255, green: green / 255, blue: blue / 255 } });
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /** One frame of the display: plays on, makes pictures, or shows one. */
  private frame(now: number): void {
    if (dialog?.open !== true) return;
    requestAnimationFrame((then) => this.frame(then));
    this.refresh.add(now);
    if (this.trouble !== '') return;
    lab.guard(() => {
      try {
        if (this.known === undefined) this.start();
        else if (this.player !== undefined) this.show(now, this.player);
        else if (!this.isReady) this.prepare();
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.trouble = error.message;
      }
    });
  }

  private start(): void {
    const until = performance.now() + WORK_MS;
    while (lab.ask('ticks_until_test') > 0) {
      lab.page.tick(0, false);
      if (performance.now() > until) return;
    }
    lab.seek(this.from);
    const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
    lab.page.apply({ test: { begin: { test: this.testId, seed, trials: keptFile(this.testId) ?? '' } } });
    this.next();
  }

  /** Makes pictures of the trial for a part of a frame. */
  private prepare(): void {
    const until = performance.now() + WORK_MS;
    do {
      lab.page.apply({ test: 'prepare' });
      this.isReady = lab.ask('test_is_ready');
    } while (!this.isReady && performance.now() < until);
  }

  private next(): void {
    this.isReady = false;
    this.seen = [];
    this.drops = 0;
    this.startedAt = 0;
    this.known = lab.page.ask('test');
    if (this.known !== undefined && this.known.counted >= this.known.of) dialog?.close();
  }

  private press(name: Button): void {
    const { known } = this;
    const canvas = this.querySelector('canvas');
    if (known === undefined || canvas === null || !this.isReady) return;
    this.dropped = 0;
    if (this.startedAt === 0) this.startedAt = performance.now();
    const scale = Math.min(devicePixelRatio, MOST_PX / Math.max(canvas.clientWidth, canvas.clientHeight, 1));
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((size) => Math.round(size * scale));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width ?? 1;
      canvas.height = height ?? 1;
    }
    this.views?.apply({ resize: { width_px: canvas.width, height_px: canvas.height, gap_px: 0, stacked: false } });
    this.isDrawn = false;
    this.playing = name;
    this.player = new Player(known.frames, lab.tickMs, this.refresh.periodMs);
    if (!this.seen.includes(name)) this.seen = [...this.seen, name];
  }

  private show(now: number, player: Player): void {
    const { views, playing } = this;
    if (views === undefined || playing === undefined) return;
    const frame = player.at(now);
    if (frame === undefined) {
      // Nothing is left to be looked at closely.
      this.drops += player.drops;
      this.player = undefined;
      this.playing = undefined;
      this.isDrawn = false;
      return;
    }
    this.isDrawn = views.draw_test(lab.page, playing, frame);
  }

  private give(isA: boolean): void {
    if (this.known === undefined || !this.canAnswer) return;
    // Where no graphics card draws, frames are always late, so that the test would not end.
    const drops = this.gpu === 'software' ? 0 : this.drops + (this.player?.drops ?? 0);
    this.player = undefined;
    this.playing = undefined;
    this.isDrawn = false;
    const timeMs = performance.now() - this.startedAt;
    lab.guard(() => lab.page.apply({ test: { answer: { is_a: isA, time_ms: timeMs, drops } } }));
    this.dropped = drops;
    const file = lab.page.ask('test_file');
    if (file !== undefined) keep(this.testId, file);
    this.next();
  }

  private key(event: KeyboardEvent): void {
    if (dialog?.open !== true) return;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = buttons.find((button) => button === event.key.toLowerCase());
    if (name !== undefined && this.playing === undefined) this.press(name);
    else if (event.key === '1' || event.key === '2') this.give(event.key === '1');
  }

  private end(): void {
    this.player = undefined;
    this.playing = undefined;
    this.isDrawn = false;
    lab.guard(() => lab.page.apply({ test: 'end' }));
    this.views?.free();
    this.views = undefined;
    lab.pause(!this.wasRunning);
  }
}
