// The interval of an arithmetic coder, which narrows with each answer: <tour-interval>, with the probability to drag.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { slider } from '../shell/parts';
import { styled } from '../shell/styled';
import { TourElement } from './control';

/** Number of answers, and the index of the unlikely one. */
const ANSWERS = 20;
const SURPRISE = 12;

@customElement('tour-interval')
export class TourInterval extends TourElement {
  /** Probability of the likely answer, in per cent. */
  @state() private percent = 50;

  protected override render() {
    const rows = intervals(this.percent / 100);
    const bits = -Math.log2(rows.at(-1)?.width ?? 1);
    const [likely, surprise] = [-Math.log2(this.percent / 100), -Math.log2(1 - this.percent / 100)];
    return html`<label
        ><span>The likely answer comes with <output>${this.percent} %</output></span>
        ${slider({ min: 50, max: 99, value: this.percent }, (percent) => (this.percent = percent))}</label
      >
      <div class="narrowing" aria-hidden="true">
        ${rows.map(({ low, width, surprise }) => html`<i class=${surprise ? 'surprise' : ''} ${styled({ left: `${100 * low}%`, width: `${100 * width}%` })}></i>`)}
      </div>
      <p role="status">
        A likely answer takes ${likely.toFixed(2)} bits, the surprise ${surprise.toFixed(1)}. All ${ANSWERS} take <strong>${bits.toFixed(1)} bits</strong>; flags take ${ANSWERS}.
      </p>`;
  }
}

/** The interval after each answer: the likely answer keeps the lower part. */
function intervals(probability: number): { low: number; width: number; surprise: boolean }[] {
  let [low, width] = [0, 1];
  return Array.from({ length: ANSWERS }, (_, place) => {
    const surprise = place === SURPRISE;
    if (surprise) [low, width] = [low + width * probability, width * (1 - probability)];
    else width *= probability;
    return { low, width, surprise };
  });
}
