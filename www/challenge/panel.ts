// The data-compression challenge: a capture goes in, and what every codec makes of it comes out.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { ChallengeVerdict, Contested } from '../../pkg/snapshot_web';
import { takeDropped } from '../motion/drop';
import { LabElement } from '../shell/element';
import { count, measure } from '../shell/format';
import { shortName } from '../shell/names';
import '../figures/line-chart';
import type { LineChart } from '../figures/line-chart';
import './recorded';
import type { Answer, Bytes, Capture } from '../motion/file-tasks';
import { start } from '../motion/file-work';
import { button } from '../shell/button';
import { key, sorted, table } from './table';

/** Number of the best that are drawn at first, beside the best that only packs bits. */
const BEST_DRAWN = 3;

/** Time between two points of a curve, s. */
const POINT_S = 0.1;

@customElement('lab-challenge')
export class Challenge extends LabElement {
  @state() private judging = false;
  /** The judged capture, in words. */
  @state() private name = '';
  @state() private said = '';
  @state() private refused = '';
  @state() private progress: Contested | undefined;
  @state() private dragged = false;
  /** The ticked codecs; the best, until a person ticks any. */
  @state() private ticked: ReadonlySet<string> | undefined;
  private end = (): void => {};

  protected override begins() {
    const noLongerTake = takeDropped({
      // While another figure is shown a file is a motion to play.
      isOpen: () => this.checkVisibility(),
      over: (is) => (this.dragged = is),
      wants: (files, file) => file === files[0],
      take: (files) => {
        this.scrollIntoView({ block: 'nearest' });
        this.take(files);
      },
    });
    return [noLongerTake, () => this.end()];
  }

  protected override render() {
    return html`
      <div class="captures ${this.dragged ? 'dragged' : ''}">
        <lab-recorded @judge=${({ detail }: CustomEvent<Bytes>) => this.judge(detail, 'your own play')}></lab-recorded>
        <div>
          <h3><label for="capture">A capture file</label></h3>
          <p class="amount" id="capture-hint">
            .bin or .bin.xz, at most two minutes. Or drop it on this page.
          </p>
          <input type="file" id="capture" accept=".bin,.xz" aria-describedby="capture-hint" @change=${this.choose} />
        </div>
      </div>
      ${this.judging ? this.bar() : nothing}
      <p role="status" class="outcome ${this.judging ? 'unseen' : ''} ${this.refused === '' ? '' : 'notice'}">${this.refused === '' ? this.said : this.refused}</p>
      ${this.progress === undefined || this.progress.judged === 0 ? nothing : this.results(this.progress)}
    `;
  }

  private bar() {
    const { judged, packets } = this.progress ?? { judged: 0, packets: 0 };
    return html`<div class="doing">
      <label for="judged">${packets > 0 ? `${count(judged)} of ${count(packets)} packets of ${this.name}` : `Reading ${this.name} …`}</label>
      ${packets > 0 ? html`<progress id="judged" max=${packets} .value=${judged}></progress>` : html`<progress id="judged"></progress>`}
      ${button('Cancel', this.cancel)}
    </div>`;
  }

  private results({ verdicts, packets, judged }: Contested) {
    const all = sorted(verdicts);
    const drawn = this.ticked ?? best(all);
    const toggle = (codec: string): void => {
      const ticked = new Set(drawn);
      if (!ticked.delete(codec)) ticked.add(codec);
      this.ticked = ticked;
    };
    return html`
      <div class="results" role="region" aria-label="Results" tabindex="0">${table(verdicts, judged === packets, drawn, toggle)}</div>
      <lab-line-chart
        .chart=${curves(
          all.filter((verdict) => drawn.has(key(verdict))),
          packets / 60,
        )}
      ></lab-line-chart>
    `;
  }

  private choose(event: Event): void {
    const input = event.target as HTMLInputElement;
    this.take([...(input.files ?? [])]);
    // The same file can then be chosen again.
    input.value = '';
  }

  private take([capture]: readonly File[]): void {
    if (capture !== undefined) this.judge(capture, shortName(capture.name));
  }

  /** Judges a capture in place of the one before. */
  private judge(capture: Capture, name: string): void {
    this.end();
    this.progress = this.ticked = undefined;
    this.refused = '';
    this.name = name;
    this.judging = true;
    this.said = `Judging ${name}.`;
    this.end = start({ judge: capture }, (answer) => this.hear(answer));
  }

  private hear(answer: Answer): void {
    if ('progress' in answer) {
      this.progress = answer.progress;
      const { judged, packets, verdicts } = answer.progress;
      if (judged < packets) return;
      const [first] = sorted(verdicts);
      const exact = verdicts.every((verdict) => verdict.lossless) ? 'each rebuilt exactly by every codec' : 'NOT each rebuilt exactly';
      this.stop(
        `Judged ${this.name}: ${count(packets)} packets, ${exact}. ` +
          `The fewest bytes: ${first?.label}, ${first?.bytes_per_packet_mean.toFixed(2)} a packet.`,
      );
    } else if ('refused' in answer) {
      this.refused = `Cannot judge ${this.name}: ${answer.refused}`;
      this.progress = undefined;
      this.stop('');
    } else this.cancel();
  }

  private cancel(): void {
    const { judged, packets } = this.progress ?? { judged: 0, packets: 0 };
    this.stop(judged > 0 ? `Cancelled: the table is of the first ${count(judged)} of ${count(packets)} packets.` : 'Cancelled.');
  }

  private stop(said: string): void {
    // The button goes; whoever was on it finds themselves where the next capture goes in.
    if (this.querySelector('.doing button') === document.activeElement) this.querySelector<HTMLElement>('#capture')?.focus();
    this.end();
    this.end = (): void => {};
    this.judging = false;
    this.said = said;
  }
}

/** The few that send the fewest bytes, and the first that only packs bits. */
function best(sorted: readonly ChallengeVerdict[]): ReadonlySet<string> {
  const packer = sorted.find((verdict) => verdict.class === null);
  return new Set([...sorted.slice(0, BEST_DRAWN), ...(packer === undefined ? [] : [packer])].map(key));
}

/** Bytes a packet over the time of the capture, a line for each codec that is ticked. */
function curves(verdicts: readonly ChallengeVerdict[], seconds: number): LineChart {
  const means = verdicts.map((verdict) => `${verdict.label}: ${measure(verdict.bytes_per_packet_mean)}`).join('; ');
  const points = verdicts[0]?.curve.length ?? 0;
  return {
    key: `${seconds} ${verdicts.map(key).join(' ')}`,
    title: 'Bytes a packet over time',
    label: `Bytes a packet over ${seconds.toFixed(0)} seconds; means: ${means}`,
    lines: verdicts.map(({ label, codec, class: of }) => ({ name: label, colour: `--codec-${codec}`, ...(of === 'strict' ? { dash: [5, 4] } : {}) })),
    look: { least: 10, times: () => [0, seconds] },
    data: [Array.from({ length: points }, (_, point) => (point + 0.5) * POINT_S), ...verdicts.map(({ curve }) => curve)],
  };
}
