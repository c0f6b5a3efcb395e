// What the cubes of the rebuilt views are coloured by: its scale, and how many cubes have which value.

import { html, nothing, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Overlay } from '../../pkg/snapshot_web';
import { type Change, lab } from '../lab';
import { LabElement } from '../shell/element';
import { count, measure } from '../shell/format';

const WIDTH = 120;
const HEIGHT = 22;
const BINS = 24;

@customElement('lab-overlay-legend')
export class OverlayLegend extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings', 'figures'];
  @property({ attribute: false }) overlay: Overlay | undefined;

  protected override render() {
    const { overlay } = this;
    if (overlay === undefined || lab.failure !== undefined) return nothing;
    const { least, most, unit, label } = overlay;
    const ofA = binned(lab.page.overlay('a', overlay.name), overlay);
    const ofB = lab.b === undefined ? undefined : binned(lab.page.overlay('b', overlay.name), overlay);
    if (ofA === undefined && ofB === undefined) return html`<span class="overlay-scale">There is no ${label} yet.</span>`;
    const above = (bins: number[] | undefined): number => (bins ?? []).slice(1).reduce((sum, cubes) => sum + cubes, 0);
    const highest = Math.max(...(ofA ?? []).slice(1), ...(ofB ?? []).slice(1), 1);
    const height = (cubes: number): number => (cubes === 0 ? 0 : Math.max((Math.log1p(cubes) / Math.log1p(highest)) * HEIGHT, 2));
    const x = (bin: number): number => ((bin - 1) / BINS) * WIDTH;
    return html`<span
      class="overlay-scale"
      role="img"
      aria-label="Cubes by ${label}, from ${measure(least)} to ${measure(most)} ${unit}: ${count(above(ofA))} above ${measure(least)} ${unit}${
        ofB === undefined ? '' : ` with A, ${count(above(ofB))} with B`
      }"
    >
      <span>≤ ${measure(least)}</span>
      <span class="overlay-bars">
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
          ${(ofA ?? []).slice(1).map((cubes, bin) => svg`<rect class="of-a" x=${x(bin + 1)} y=${HEIGHT - height(cubes)} width=${WIDTH / BINS - 0.5} height=${height(cubes)} />`)}
          ${
            ofB === undefined
              ? nothing
              : ofB
                  .slice(1)
                  .map(
                    (cubes, bin) =>
                      svg`<rect class="of-b" x=${x(bin + 1)} y=${HEIGHT - height(cubes) - 1} width=${WIDTH / BINS - 0.5} height=${cubes === 0 ? 0 : 2} />`,
                  )
          }
        </svg>
        <i></i>
      </span>
      <span>≥ ${count(most)} ${unit}</span>
    </span>`;
  }
}

/** Cubes by value: first those that are not above the scale's least, then each part of it. */
function binned(values: Float32Array | undefined, { least, most }: Overlay): number[] | undefined {
  if (values === undefined) return undefined;
  const bins = new Array<number>(BINS + 1).fill(0);
  for (const value of values) {
    const part = Math.log(value / least) / Math.log(most / least);
    const bin = value > least ? Math.min(Math.floor(part * BINS), BINS - 1) + 1 : 0;
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}
