// One cube in the last seconds: how far off it was shown, and what each packet spent on it.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Moment } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { measure } from '../shell/format';
import { DrawnElement } from './drawing';

const LENGTH_S = 2;
/** Places in the picture, CSS px: errors above, bits below. */
const ERRORS_PX = 44;
const BITS_PX = 84;

@customElement('lab-cube')
export class CubeStory extends DrawnElement {
  private moments: Moment[] = [];

  protected override render() {
    const { cube } = lab.viewState;
    this.moments = cube === null || lab.running ? [] : lab.ask({ moments: { cube, ticks: LENGTH_S * lab.tickRate } });
    if (this.moments.length === 0) return nothing;
    const errors = this.moments.map(({ error_mm: error }) => error);
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
    const spent = this.moments.flatMap(({ bits }) => (bits === null ? [] : [bits]));
    const mean = spent.reduce((sum, bits) => sum + bits, 0) / Math.max(spent.length, 1);
    const words = `${measure(rms)} mm from the original (rms), at most ${measure(Math.max(...errors))} mm; ${
      spent.length === 0 ? 'no packet tells of it' : `${measure(mean)} bits a packet, at most ${measure(Math.max(...spent))}`
    }`;
    return html`<figure class="cube-story">
      <figcaption>${cube === 0 ? 'The player’s cube' : `Cube ${cube}`} in the last ${LENGTH_S} s: ${words}.</figcaption>
      <canvas role="img" aria-label="Error above, bits of each packet below: ${words}"></canvas>
    </figure>`;
  }

  protected override draw(context: CanvasRenderingContext2D, width: number, colour: (name: string) => string): void {
    const { moments } = this;
    const each = width / (LENGTH_S * lab.tickRate);
    const x = (place: number): number => width - (moments.length - place) * each;
    const worst = Math.max(...moments.map(({ error_mm: error }) => error), 1);
    const dearest = Math.max(...moments.map(({ bits }) => bits ?? 0), 1);
    context.fillStyle = colour('--hair');
    context.fillRect(0, ERRORS_PX, width, 1);
    context.fillRect(0, BITS_PX, width, 1);
    context.fillStyle = colour('--position');
    moments.forEach(({ error_mm: error }, place) => {
      const height = (error / worst) * (ERRORS_PX - 12);
      context.fillRect(x(place), ERRORS_PX - height, Math.max(each - 0.5, 1), height);
    });
    context.fillStyle = colour('--orientation-ink');
    moments.forEach(({ bits }, place) => {
      const height = ((bits ?? 0) / dearest) * (BITS_PX - ERRORS_PX - 14);
      context.fillRect(x(place), BITS_PX - height, Math.max(each - 0.5, 1.5), height);
    });
    context.fillStyle = colour('--muted');
    context.font = '11px system-ui, sans-serif';
    context.fillText(`${measure(worst)} mm`, 2, 10);
    context.fillText(`${measure(dearest)} bits`, 2, ERRORS_PX + 13);
  }
}
