// Bytes a packet over the time of the capture, a line for each codec that is ticked.

import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ChallengeVerdict } from '../../pkg/snapshot_web';
import { Plot } from '../figures/plot';
import type { Change } from '../lab';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { ofKind } from '../shell/styled';
import { key } from './table';

/** From one point of a curve to the next. */
const POINT_S = 0.1;

@customElement('lab-curves')
export class Curves extends LabElement {
  protected override readonly shows: readonly Change[] = [];
  @property({ attribute: false }) verdicts: readonly ChallengeVerdict[] = [];
  /** Length of the whole capture. */
  @property({ attribute: false }) seconds = 0;
  private plot: Plot | undefined;
  private drawn = '';

  protected override render() {
    const now = this.verdicts.map((verdict) => `${verdict.label}: ${measure(verdict.bytes_per_packet_mean)}`).join('; ');
    return html`
      <div class="legend">
        <strong>Bytes a packet over time</strong>
        ${this.verdicts.map(
          (verdict) => html`<span><i class="key ${verdict.class === 'strict' ? 'dashed' : ''}" ${ofKind(`codec-${verdict.codec}`)}></i>${verdict.label}</span>`,
        )}
      </div>
      <div class="plot" role="img" aria-label="Bytes a packet over ${this.seconds.toFixed(0)} seconds; means: ${now}"></div>
    `;
  }

  protected override updated(): void {
    const box = this.querySelector<HTMLElement>('.plot');
    if (box === null) return;
    const drawn = `${this.seconds} ${this.verdicts.map(key).join(' ')}`;
    const look = {
      least: 10,
      lines: this.verdicts.map(({ label, codec, class: of }) => ({ name: label, colour: `--codec-${codec}`, ...(of === 'strict' ? { dash: [5, 4] } : {}) })),
      times: (): [number, number] => [0, this.seconds],
    };
    this.plot ??= new Plot(box, look);
    const points = this.verdicts[0]?.curve.length ?? 0;
    const times = Array.from({ length: points }, (_, point) => (point + 0.5) * POINT_S);
    const data: [number[], ...number[][]] = [times, ...this.verdicts.map(({ curve }) => curve)];
    // A plot's lines are fixed once it is made.
    if (drawn === this.drawn) this.plot.show(data);
    else this.plot.show(data, look);
    this.drawn = drawn;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.plot = this.plot?.destroy();
  }
}
