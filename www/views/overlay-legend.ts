// What the cubes of the rebuilt views are coloured by: its scale, and how many cubes have which value.

import { html, nothing, svg } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { Overlay } from '../../pkg/snapshot_web';
import { lab, lanes } from '../lab';

import { LabElement } from '../shell/element';
import { count, measure } from '../shell/format';

const WIDTH = 120;
const HEIGHT = 22;
const BINS = 24;

@customElement('lab-overlay-legend')
export class OverlayLegend extends LabElement {
  @property({ attribute: false }) overlay: Overlay | undefined;

  protected override render() {
    const { overlay } = this;
    if (overlay === undefined) return nothing;
    const { least, most, unit, label } = overlay;
    const [ofA, ofB] = lanes.map((lane) => binned(lab.numbers({ overlay: { lane, name: overlay.name } }), overlay)) as [number[], number[]];
    if (ofA.length + ofB.length === 0) return html`<span class="overlay-scale">There is no ${label} yet.</span>`;
    const above = (bins: number[]): number => bins.reduce((sum, cubes) => sum + cubes, 0);
    const highest = Math.max(...ofA, ...ofB, 1);
    const height = (cubes: number): number => (cubes === 0 ? 0 : Math.max((Math.log1p(cubes) / Math.log1p(highest)) * HEIGHT, 2));
    const each = WIDTH / BINS;
    return html`<span
      class="overlay-scale"
      role="img"
      aria-label="Cubes by ${label}, from ${measure(least)} to ${measure(most)} ${unit}: ${count(above(ofA))} above ${measure(least)} ${unit}${
        ofB.length === 0 ? '' : ` with A, ${count(above(ofB))} with B`
      }"
    >
      <span>≤ ${measure(least)}</span>
      <span class="overlay-bars">
        <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
          ${ofA.map((cubes, bin) => svg`<rect class="of-a" x=${bin * each} y=${HEIGHT - height(cubes)} width=${each - 0.5} height=${height(cubes)} />`)}
          ${ofB.map((cubes, bin) => svg`<rect class="of-b" x=${bin * each} y=${HEIGHT - height(cubes) - 1} width=${each - 0.5} height=${cubes === 0 ? 0 : 2} />`)}
        </svg>
        <i></i>
      </span>
      <span>≥ ${count(most)} ${unit}</span>
    </span>`;
  }
}

/** Cubes in each part of the scale, without those that are not above its least; empty where there are no values. */
function binned(values: Float64Array, { least, most }: Overlay): number[] {
  if (values.length === 0) return [];
  const bins = new Array<number>(BINS).fill(0);
  for (const value of values) {
    if (!(value > least)) continue;
    const bin = Math.min(Math.floor((Math.log(value / least) / Math.log(most / least)) * BINS), BINS - 1);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}
