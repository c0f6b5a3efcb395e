// A stick and two buttons, for fingers.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { bits, touchHeld } from '../shell/keys';
import { LightElement } from '../shell/light-element';
import { styled } from '../shell/styled';

const REACH_PX = 40;
/** Nearer to the middle than this the stick is at rest. */
const REST_PX = 12;

@customElement('lab-touch')
export class Touch extends LightElement {
  private knob = { x: 0, y: 0 };

  protected override render() {
    return html`
      <div
        class="stick"
        aria-hidden="true"
        @pointerdown=${this.grab}
        @pointermove=${this.move}
        @lostpointercapture=${this.letGo}
      >
        <i ${styled({ transform: `translate(${this.knob.x}px, ${this.knob.y}px)` })}></i>
      </div>
      ${button('Blow', bits.push)} ${button('Pull', bits.pull)}
    `;
  }

  private grab(event: PointerEvent): void {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.move(event);
  }

  private move(event: PointerEvent): void {
    const stick = event.currentTarget as HTMLElement;
    if (!stick.hasPointerCapture(event.pointerId)) return;
    const box = stick.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
    const far = Math.hypot(x, y);
    const held = Math.min(1, REACH_PX / Math.max(far, 1));
    this.knob = { x: x * held, y: y * held };
    touchHeld.hold('stick', far < REST_PX ? 0 : direction(x, y));
    this.requestUpdate();
  }

  private letGo(): void {
    touchHeld.release('stick');
    this.knob = { x: 0, y: 0 };
    this.requestUpdate();
  }
}

/** Input bits of one of eight directions. An axis counts from 22.5 degrees off the other axis. */
function direction(x: number, y: number): number {
  const leans = (part: number): boolean => Math.abs(part) > Math.hypot(x, y) * Math.sin(Math.PI / 8);
  return (leans(x) ? (x < 0 ? bits.left : bits.right) : 0) | (leans(y) ? (y < 0 ? bits.up : bits.down) : 0);
}

function button(name: string, bit: number) {
  const press = (event: PointerEvent): void => {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    touchHeld.hold(name, bit);
  };
  const letGo = (): void => touchHeld.release(name);
  return html`<button type="button" @pointerdown=${press} @lostpointercapture=${letGo} @contextmenu=${prevent}>
    ${name}
  </button>`;
}

function prevent(event: Event): void {
  event.preventDefault();
}
