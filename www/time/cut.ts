// The network, cut for as long as a button is held or for a burst.

import { html } from 'lit';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { bits, touchHeld } from '../shell/keys';

/** The article's bursts, s. */
const SHORT_S = 0.25;
const LONG_S = 2;

define('lab-cut', () => {
  return html`
    <span id="cut-name" class=${lab.now.is_cut ? 'cutting' : ''}><span class="unseen">Cut the network</span><span aria-hidden="true">Cut</span></span>
    <div class="buttons" role="group" aria-labelledby="cut-name">
      <button
        type="button"
        class="hold"
        aria-label="while held"
        @pointerdown=${grab}
        @lostpointercapture=${letGo}
        @keydown=${(event: KeyboardEvent) => isPress(event) && hold()}
        @keyup=${letGo}
        @blur=${letGo}
        @contextmenu=${(event: Event) => event.preventDefault()}
      >
        hold
      </button>
      ${button('¼ s', () => cutFor(SHORT_S), { label: 'for ¼ s' })}
      ${button('2 s', () => cutFor(LONG_S), { label: 'for 2 s' })}
    </div>
    <span role="status" class="unseen is-cut">${lab.now.is_cut ? 'No packet gets through.' : ''}</span>
  `;
});

function cutFor(seconds: number): void {
  lab.apply({ time: { cut_for: { ticks: Math.round(seconds * lab.tickRate) } } });
}

function grab(event: PointerEvent): void {
  if (event.button !== 0) return;
  (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  hold();
}

function hold(): void {
  touchHeld.hold('cut', bits.cut);
}

function letGo(): void {
  touchHeld.release('cut');
}

function isPress({ key }: KeyboardEvent): boolean {
  return key === ' ' || key === 'Enter';
}
