// The verdict on a motion: the rate, the rung and the delay to take. A Worker works it out.

import { computed } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Decided, Limits, VerdictAnswer } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import type { Bytes } from '../motion/file-tasks';
import { startWorker } from '../motion/file-work';
import { openAny } from '../motion/open';
import { button } from '../shell/button';
import { narrow } from '../shell/desk';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { watched } from '../signals';
import { onFrame } from '../time/loop';
import './card';
import { exampleRecording } from './example';
import { homeParts } from './home';
import { balanceParts, enginesTable, playedTable, rungsTable, settled, summary, warningList } from './parts';
import { rateParts } from './rates';

/** The first lines of a recording with two objects. */
const FORMAT = `tick,object,x,y,z,qx,qy,qz,qw
0,1,2.50,0.40,1.00,0,0,0,1
0,2,7.25,0.40,3.10,0,0.38,0,0.92`;

@customElement('lab-verdict')
export class VerdictFigure extends LabElement {
  @state() private answer: VerdictAnswer | undefined;
  /** The motion of the answer and the motion that is being judged, in words. */
  @state() private answered = '';
  @state() private about = '';
  @state() private trouble = '';
  @state() private working = false;
  @state() private copied = '';
  private worker: ReturnType<typeof startWorker> | undefined;
  /** The motion and the settings that the verdict is of. */
  @watched private inputsKey = '';
  private readonly stale = computed(() => this.inputsKey !== this.inputsKeyNow());
  /** The recording that was last seen. */
  private motion = '';
  /** The Worker’s results since the last frame: a frame renders them once, however many messages came. */
  private pending: Decided | undefined;

  protected override begins() {
    const stopWatching = onFrame(() => {
      this.beginUnasked();
      this.applyPending();
    });
    return [stopWatching, () => this.stop()];
  }

  protected override render() {
    // An answer about another motion goes while the new one is awaited.
    const answer = this.working && this.answered !== this.about ? undefined : this.answer;
    const stale = answer !== undefined && this.stale.value;
    return html`
      ${
        answer === undefined && lab.viewState.card !== null
          ? html`<lab-verdict-card></lab-verdict-card>`
          : answer === undefined
            ? this.dropPlace()
            : this.head(answer)
      }
      <p class="caption" role="status">${this.said(stale)}</p>
      ${
        this.working
          ? html`<div class="verdict-work">
              <progress max="1" value="0" aria-label="The verdict’s work"></progress>
              ${button('Stop', () => this.stop())}
            </div>`
          : nothing
      }
      ${answer === undefined && lab.viewState.card === null ? nothing : html`<div class="verdict-own">${this.ways()}</div>`}
      ${answer === undefined ? nothing : this.reasons(answer)}
    `;
  }

  /** The place for a recording, with three lines of its format. */
  private dropPlace() {
    return html`<div class="drop-place">
      <p class="lead"><strong>Drop a recording of your game here,</strong> and see what to send.</p>
      <pre aria-label="Three lines of the format">${FORMAT}</pre>
      <div class="verdict-own">${this.ways()}</div>
    </div>`;
  }

  /** The ways to a verdict, a recording first. */
  private ways() {
    const ours = lab.state.motion === undefined;
    return html`${button(this.answer === undefined ? 'Choose a recording' : 'Another recording', chooseFile, { kind: this.answer === undefined ? 'primary' : '' })}
      ${this.answer === undefined ? button('Try the example', () => void tryExample()) : nothing}
      ${button('Judge this motion', () => this.judge(), { title: ours ? 'The cubes that play here' : lab.motionName })}
      <a href="./motion.html" target="_blank">The format, and recorders for engines</a>`;
  }

  private said(stale: boolean): string {
    if (this.trouble !== '') return this.trouble;
    if (stale) return 'The settings or the motion changed since this verdict. Judge again.';
    if (this.copied !== '') return this.copied;
    if (!this.working) return '';
    if (this.answer === undefined || this.answered !== this.about) return `Judging ${this.about} …`;
    return 'Other rates are being tried …';
  }

  /** The answer, above all else: beside a recording's notices there is little room. */
  private head(answer: VerdictAnswer) {
    const { link } = answer;
    const ways = html`<div class="verdict-take">
      ${button('Use these settings here', () => this.take(link), { kind: 'primary' })}
      ${button('Take it home', () => this.querySelector('#take-home ~ .wide')?.scrollIntoView({ block: 'nearest' }))}
      ${button('Share this verdict', () => this.copyLink(link, answer.card ?? undefined), { title: 'Copies a link to it' })}
    </div>`;
    return summary(answer, this.answered, ways);
  }

  private reasons(answer: VerdictAnswer) {
    const limit = (limits: Limits): void => {
      // The link keeps them, and the header holds the bandwidth against them.
      lab.apply({ look: { limit: { limits } } });
      this.tell();
    };
    return html`<div class="verdict-answer">
      ${warningList(answer.warnings)} ${rateParts(answer, lab.viewState.limits, limit)}
      <h3>Bits of positions and orientations</h3>
      ${balanceParts(answer.widths)} ${settled(answer.widths, answer.motion.turns)}
      <h3>Bits on each rung at ${answer.window.send_rate_hz} packets a second</h3>
      ${answer.rates === null ? nothing : html`<p>${answer.rung.why}</p>`} ${rungsTable(answer)}
      <h3>Interpolation and delay at ${answer.window.send_rate_hz} packets a second</h3>
      ${playedTable(answer)}
      <h3>Other engines on this motion</h3>
      ${enginesTable(answer)}
      ${homeParts(answer.home, (what, text) => this.copy(what, text))}
      <p>${button('Download JSON', () => this.save(answer))}</p>
    </div>`;
  }

  /** The inputs of the verdict, as a key. */
  private inputsKeyNow(): string {
    const { first, last } = lab.now;
    const trace = lab.state.trace === undefined ? '' : JSON.stringify(lab.state.trace);
    return JSON.stringify([lab.a, trace, first, last, motionNow()]);
  }

  /** Judges the whole motion that the laboratory holds. */
  private judge(): void {
    // What is still to be made of the motion comes first; and it must stand still.
    if (lab.state.motion === undefined) lab.pause(true);
    this.stop();
    [this.trouble, this.copied] = ['', ''];
    this.about = lab.state.motion === undefined ? 'your own play' : lab.motionName;
    try {
      if (lab.now.last === lab.now.first) throw new Error('There is nothing to judge: play for a moment first');
      const decide = { subject: lab.page.bytes('subject') as Bytes, limits: lab.viewState.limits };
      this.worker = startWorker({ decide }, (message) => {
        if ('refused' in message) this.refuse(message.refused);
        else if ('decided' in message) this.pending = { ...this.pending, ...message.decided };
        else this.stop();
      });
      this.working = true;
      this.inputsKey = this.inputsKeyNow();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.refuse(error.message);
    }
  }

  private applyPending(): void {
    if (this.pending === undefined) return;
    const { share, done, answer } = this.pending;
    this.pending = undefined;
    this.working = !done;
    // The share alone is no reason to render the answer again.
    const bar = this.querySelector('progress');
    if (bar !== null) bar.value = share;
    if (answer !== undefined) {
      this.answer = answer;
      this.answered = this.about;
      // What was measured here takes the place of what a link said.
      if (lab.viewState.card !== null) lab.apply({ look: 'leave_card' });
    } else if (done && this.answered !== this.about) {
      this.answer = undefined;
      this.trouble = 'There is nothing to judge: no packet leaves or no object is there in that time.';
    }
  }

  private refuse(why: string): void {
    this.stop();
    this.trouble = `${why}.`;
  }

  /** Ends the work; the answer so far stays. */
  private stop(): void {
    this.worker?.end();
    this.worker = this.pending = undefined;
    this.working = false;
  }

  /** Tells the Worker of other limits; a stopped verdict begins anew with them. */
  private tell(): void {
    this.copied = '';
    if (this.worker === undefined) {
      if (this.answer !== undefined && this.about !== '') this.judge();
      return;
    }
    this.working = true;
    this.worker.wish(lab.viewState.limits);
  }

  /** Judges a recording by itself once it plays. */
  private beginUnasked(): void {
    if (!this.checkVisibility() || lab.failure !== undefined || lab.now.progress === 'travelling') return;
    const motion = motionNow();
    if (motion === this.motion) return;
    this.motion = motion;
    if (lab.state.motion === undefined) return;
    lab.guard(() => this.judge());
    // On a phone the notice above the views moves everything: the answer stays in sight.
    if (narrow.matches) this.scrollIntoView({ block: 'start' });
  }

  /** Gives A the settings to take; the motion stays. */
  private take(link: string): void {
    let changes: readonly string[] = [];
    lab.changeWhole((apply) => {
      changes = lab.page.ask({ changes_to: { link } });
      for (const change of changes) {
        const [id = '', text = ''] = change.split('=');
        apply({ lane: { set: { lane: 'a', id, text } } });
      }
    });
    // The verdict still holds: it is of these settings now.
    this.inputsKey = this.inputsKeyNow();
    this.copied = changes.length === 0 ? 'These settings are set here already.' : `Now set here: ${changes.join(', ')}.`;
  }

  /** The link names the motion and the network that are there, and opens the verdict. Its decision is in the link, too. */
  private copyLink(link: string, card: string | undefined): void {
    let fragment = '';
    lab.guard(() => (fragment = lab.ask({ link_with: { link, figure: 'verdict', card } })));
    void this.copy('The link', new URL(`#${fragment}`, location.href).href);
  }

  private async copy(name: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = `${name} ${name.endsWith('s') ? 'are' : 'is'} copied.`;
    } catch {
      // Without a secure context there is no clipboard.
      this.copied = `The browser does not let this page copy. ${name.endsWith('s') ? 'They are' : 'It is'} below.`;
    }
  }

  private save(answer: VerdictAnswer): void {
    download('verdict.json', new Blob([JSON.stringify(answer, null, 2)], { type: 'application/json' }));
  }
}

/** The recording with its jumps, as a key; empty of our own play. */
function motionNow(): string {
  return lab.state.motion === undefined ? '' : `${lab.motionName} ${JSON.stringify(lab.state.motion)}`;
}

/** Plays the example, and so has it judged. */
async function tryExample(): Promise<void> {
  await openAny(new File([exampleRecording()], 'example.csv'));
}

/** Opens the chooser of the settings’ field: a recording then plays, and is judged. */
function chooseFile(): void {
  document.querySelector<HTMLInputElement>('#motion')?.click();
}
