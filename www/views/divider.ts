// The divider of one view: A to the left of it, B to the right, both from the same camera.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { LabElement } from '../shell/element';
import { styled } from '../shell/styled';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -100, End: 100 };

@customElement('lab-divider')
export class Divider extends LabElement {
  /** The divider's place while a hand drags it, in percent. The link follows at the release. */
  @state() private dragged: number | undefined;

  protected override render() {
    const percent = this.percent;
    return html`<div
      class="divider"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label="Divider between A and B"
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${percent}
      aria-valuetext="A left of ${percent} %, B right of it"
      ${styled({ left: `${percent}%` })}
      @keydown=${this.step}
      @pointerdown=${this.grab}
      @pointermove=${this.drag}
      @pointerup=${this.drop}
      @pointercancel=${this.drop}
    >
      <i aria-hidden="true">⇔</i>
    </div>`;
  }

  private get percent(): number {
    return this.dragged ?? lab.viewState.divider;
  }

  private step(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    lab.apply({ look: { arrange: { views: 'one', divider: within(this.percent + by) } } });
  }

  private grab(event: PointerEvent): void {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.dragged = this.percent;
  }

  private drag(event: PointerEvent): void {
    const screen = this.closest('.screen')?.getBoundingClientRect();
    if (this.dragged === undefined || screen === undefined) return;
    const percent = within(Math.round((100 * (event.clientX - screen.left)) / screen.width));
    this.dragged = percent;
    lab.guard(() => lab.page.apply({ look: { arrange: { views: 'one', divider: percent } } }));
    this.dispatchEvent(new Event('moved'));
  }

  private drop(): void {
    if (this.dragged === undefined) return;
    const percent = this.dragged;
    this.dragged = undefined;
    lab.apply({ look: { arrange: { views: 'one', divider: percent } } });
  }
}

function within(percent: number): number {
  return Math.min(Math.max(percent, 0), 100);
}
