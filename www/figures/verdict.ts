// The verdict on a motion: what to take for it, why, and what other engines would send. Without a recording, numbers give an estimate.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Verdict, type BitsOption, type EstimateNumber, type VerdictAnswer } from '../../pkg/snapshot_web';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { isRefusal } from '../gate';
import { lab, type Change } from '../lab';
import { facts } from '../tables';
import { onFrame } from '../time/loop';
import { commandLine, enginesTable, playedTable, rungsTable, settled, summary, warningList } from './verdict-parts';

const FRAME_MS = 24;
/** Steps of an error's slider, from the finest bits to the coarsest. */
const STEPS = 200;

type Quantity = 'mm' | 'degrees';

@customElement('lab-verdict')
export class VerdictFigure extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings', 'run'];
  @state() private numbers = Object.fromEntries(facts.estimate_numbers.map(({ id, first }) => [id, first])) as Record<EstimateNumber['id'], number>;
  @state() private answer: VerdictAnswer | undefined;
  /** The motion of the answer and the motion that is being judged, in words. */
  @state() private answered = '';
  @state() private about = '';
  @state() private trouble = '';
  @state() private working = false;
  @state() private share = 0;
  @state() private copied = '';
  /** The errors that are asked for; undefined leaves the bits as they are set. */
  private wanted: { mm: number | undefined; degrees: number | undefined } = { mm: undefined, degrees: undefined };
  private verdict: Verdict | undefined;
  /** The motion and the settings that the verdict is of. */
  private ground = '';
  /** The recording that was last seen. */
  private motion = '';
  private stopWorking = (): void => {};

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWorking = onFrame(() => this.work());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWorking();
  }

  protected override render() {
    const stale = this.answer !== undefined && !this.working && this.ground !== this.groundNow();
    const { answer } = this;
    return html`
      ${
        answer === undefined
          ? html`<p class="lesson">
              What should this motion be sent with, and what would other engines send? Drop a recording of your game on the page, or begin with numbers. Every
              figure is measured on the motion: nothing is a rule of thumb.
            </p>`
          : this.head(answer)
      }
      <p class="caption" role="status">${this.said(stale)}</p>
      ${this.working ? html`<progress max="1" .value=${this.share} aria-label="The verdict’s work"></progress>` : nothing}
      <div class="verdict-ways">
        ${this.form()}
        <div class="verdict-own">
          <p><strong>${lab.motion === undefined ? 'The motion that plays here' : lab.motionName}</strong></p>
          <button type="button" class=${lab.motion === undefined ? '' : 'primary'} @click=${() => this.judge()}>Judge this motion</button>
          <button type="button" @click=${chooseFile}>Choose a recording</button>
          <p class="help">A file of rows: <a href="./motion.html">the format, recorders and an example</a>.</p>
        </div>
      </div>
      ${answer === undefined ? nothing : this.reasons(answer)}
    `;
  }

  private said(stale: boolean): string {
    if (this.trouble !== '') return this.trouble;
    if (this.working) return `Judging ${this.about} …`;
    return stale ? 'This verdict is of other settings or another motion. Judge again.' : this.copied;
  }

  private form() {
    return html`<form class="verdict-numbers" @submit=${this.estimate}>
      ${facts.estimate_numbers.map(
        ({ id, label, unit, min, max, step }) =>
          html`<label
            ><span>${label}${unit === '' ? nothing : html` <small>${unit}</small>`}</span>
            <input type="number" name=${id} inputmode="decimal" min=${min} max=${max} step=${step} required .value=${String(this.numbers[id])} @change=${this.numberChanged}
          /></label>`,
      )}
      <button class=${lab.motion === undefined ? 'primary' : ''}>Estimate</button>
    </form>`;
  }

  private numberChanged(event: Event): void {
    const { name, valueAsNumber } = event.target as HTMLInputElement;
    if (Number.isFinite(valueAsNumber)) this.numbers = { ...this.numbers, [name]: valueAsNumber };
  }

  /** The answer, above all else: beside a recording's notices there is little room. */
  private head(answer: VerdictAnswer) {
    return html`${summary(answer, this.answered)}
      <div class="verdict-take">
        <button type="button" class="primary" @click=${() => this.take()}>Use these settings here</button>
        <button type="button" @click=${() => this.copy('The link', new URL(answer.link, location.href).href)}>Copy the link</button>
        <button type="button" @click=${() => this.copy('The lines', answer.rust.join('\n'))}>Copy the lines of Rust</button>
        <button type="button" @click=${() => this.save(answer)}>Download JSON</button>
      </div>`;
  }

  private reasons(answer: VerdictAnswer) {
    return html`<div class="verdict-answer">
      ${warningList(answer.warnings)}
      <h3>Bits for an error</h3>
      <div class="verdict-errors">
        ${this.slider('mm', 'position', 'mm', answer.widths.position_options, answer.widths.position_bits)}
        ${this.slider('degrees', 'orientation', '°', answer.widths.orientation_options, answer.widths.orientation_bits)}
      </div>
      ${settled(answer.widths)}
      <h3>Bits on each rung</h3>
      ${rungsTable(answer)}
      <h3>Interpolation by p95</h3>
      ${playedTable(answer)}
      <h3>Other engines on this motion</h3>
      ${enginesTable(answer)}
      <h3>Take it into your program</h3>
      <p>
        Crate <code>snapshot-codec</code>, in this project’s source under <code>crate/codec</code>, MIT or Apache-2.0. <code>objects</code> are the states
        that both ends begin with. Its README shows sending and acknowledging. The page and the command line call the same code:
      </p>
      <div class="wide"><pre tabindex="0" aria-label="Lines of Rust for the crate"><code>${answer.rust.join('\n')}</code></pre></div>
      <div class="wide"><pre tabindex="0" aria-label="The command line"><code>${commandLine(answer, lab.motion === undefined ? undefined : lab.motionName)}</code></pre></div>
    </div>`;
  }

  /** A wanted error to drag; the bits that keep it are said at once, all else follows. */
  private slider(error: Quantity, name: string, unit: string, options: readonly BitsOption[], set: BitsOption) {
    const [least, most] = [options.at(-1)?.error_max ?? 0, options[0]?.error_max ?? 0];
    const wanted = this.wanted[error] ?? set.error_max;
    const chosen = options.find(({ error_max }) => error_max <= wanted) ?? options.at(-1) ?? set;
    // Each bit halves the error, so the slider goes by its logarithm.
    const place = most > least && least > 0 ? (STEPS * Math.log(wanted / least)) / Math.log(most / least) : 0;
    const said = `${digits(wanted)} ${unit}`;
    return html`<label>
      <span>Largest error of ${name === 'position' ? 'a position' : 'an orientation'}: <b>${said}</b></span>
      <input
        type="range"
        min="0"
        max=${STEPS}
        .value=${String(Math.round(place))}
        aria-valuetext=${said}
        ?disabled=${!(most > least && least > 0)}
        @input=${(event: Event) => {
          const at = Number((event.target as HTMLInputElement).value) / STEPS;
          this.want({ ...this.wanted, [error]: least * (most / least) ** at });
        }}
      />
      <small>${chosen.bits} bits: ${digits(chosen.error_max)} ${unit} at most, p95 ${digits(chosen.error_p95)} ${unit}</small>
    </label>`;
  }

  /** The inputs of the verdict, as a key. */
  private groundNow(): string {
    const { first, last } = lab.span;
    return this.about.startsWith('an estimate') ? JSON.stringify(lab.a.settings) : JSON.stringify([lab.a.settings, first, last, motionNow()]);
  }

  private estimate(event?: Event): void {
    event?.preventDefault();
    const { objects, moving, speed, hz, mm, degrees } = this.numbers;
    this.wanted = { mm, degrees };
    this.begin(`an estimate of ${objects} objects, ${Math.min(moving, objects)} of which move`, () => Verdict.of_numbers(lab.page, objects, moving, speed, hz, mm, degrees));
  }

  /** Judges the whole motion that the laboratory holds. */
  private judge(): void {
    // What is still to be made of the motion comes first; and it must stand still.
    if (lab.motion === undefined) lab.pause(true);
    this.wanted = { mm: undefined, degrees: undefined };
    this.begin(lab.motion === undefined ? 'the play of the last minute' : lab.motionName, () => new Verdict(lab.page));
  }

  private begin(about: string, make: () => Verdict): void {
    this.verdict?.free();
    this.verdict = undefined;
    [this.trouble, this.copied, this.about, this.share] = ['', '', about, 0];
    try {
      this.verdict = lab.gated(make());
      this.working = true;
      this.ground = this.groundNow();
    } catch (error) {
      this.working = false;
      if (!isRefusal(error)) throw error;
      this.trouble = `${error.message}.`;
    }
  }

  private want(wanted: typeof this.wanted): void {
    this.wanted = wanted;
    const { verdict } = this;
    if (verdict === undefined) return;
    lab.guard(() => verdict.want(wanted.mm, wanted.degrees));
    this.working = true;
    this.requestUpdate();
  }

  /** Begins by itself where there is something new: with an estimate on a first visit, with a recording once it plays. */
  private beginUnasked(): void {
    const motion = motionNow();
    if (lab.motion !== undefined && motion !== this.motion) {
      this.judge();
      // On a phone the notice above the views moves everything: the answer stays in sight.
      if (matchMedia('(max-width: 900px)').matches) this.scrollIntoView({ block: 'start' });
    }
    if (lab.motion === undefined && this.about === '') this.estimate();
    this.motion = motion;
  }

  private work(): void {
    if (!this.checkVisibility() || lab.failure !== undefined || lab.progress.state === 'travelling') return;
    lab.guard(() => {
      this.beginUnasked();
      const { verdict } = this;
      if (verdict === undefined || !this.working) return;
      if (this.ground !== this.groundNow()) {
        this.working = false;
        return;
      }
      const more = verdict.work(lab.page, FRAME_MS);
      this.share = verdict.share();
      if (more) return;
      this.working = false;
      this.answer = verdict.answer(lab.page);
      this.answered = this.about;
      if (this.answer === undefined) this.trouble = 'There is nothing to judge: no packet leaves or no object is there in that time.';
    });
  }

  /** Gives lane A the settings to take; the motion stays. */
  private take(): void {
    const { verdict } = this;
    if (verdict === undefined) return;
    let changes: readonly string[] = [];
    lab.guard(() => (changes = verdict.changes(lab.page)));
    for (const change of changes) {
      const [id = '', text = ''] = change.split('=');
      lab.set(id, text, 'a');
    }
    // The verdict still holds: it is of these settings now.
    this.ground = this.groundNow();
    this.copied = changes.length === 0 ? 'Lane A has these settings already.' : `Lane A now has ${changes.join(', ')}.`;
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
  return lab.motion === undefined ? '' : `${lab.motionName} ${JSON.stringify(lab.motion)}`;
}

/** Opens the chooser of the settings’ field: a recording then plays, and is judged. */
function chooseFile(): void {
  document.querySelector<HTMLInputElement>('#motion')?.click();
}

/** Two or three digits, of small numbers too. */
function digits(value: number): string {
  if (value === 0) return '0';
  return value < 1 ? value.toPrecision(2) : value < 10 ? value.toFixed(1) : value.toFixed(0);
}
