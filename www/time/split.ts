// The handle between a figure and the views beside it: dragged, or moved by keys. The link says where it stands, and the browser remembers it.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { isOpen } from '../shell/desk';
import { LabElement } from '../shell/element';
import { remember, remembered } from '../shell/remember';

const KEPT_AS = 'split';
const STEPS: Readonly<Record<string, number>> = { ArrowRight: -2, ArrowLeft: 2, PageDown: -10, PageUp: 10 };
const root = document.documentElement;

@customElement('lab-split')
export class Split extends LabElement {
  @state() private dragged = false;

  override connectedCallback(): void {
    super.connectedCallback();
    const kept = lab.viewState.split ?? Number(remembered(KEPT_AS));
    if (kept > 0 && !lab.viewState.embed) lab.apply({ look: { split: { percent: kept } } });
  }

  protected override render() {
    const { split } = lab.viewState;
    // Their width follows what is open.
    void isOpen('figures');
    root.toggleAttribute('data-split', split !== null);
    if (split !== null) root.style.setProperty('--split', String(split));
    return html`<div
      class="split ${this.dragged ? 'dragged' : ''}"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label="Width of the views"
      aria-valuemin="15"
      aria-valuemax="75"
      aria-valuenow=${this.percent}
      aria-valuetext="Views ${this.percent} % of the window"
      title="Drag to divide views and figures; double click for the usual"
      @keydown=${this.step}
      @pointerdown=${this.grab}
      @pointermove=${this.drag}
      @pointerup=${this.drop}
      @pointercancel=${this.drop}
      @dblclick=${() => this.set(null)}
    ></div>`;
  }

  /** The views' part of the window's width. */
  private get percent(): number {
    const width = document.querySelector('.screen canvas')?.clientWidth ?? 0;
    return lab.viewState.split ?? Math.min(Math.max(Math.round((100 * width) / innerWidth), 15), 75);
  }

  private step(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    if (by === undefined && event.key !== 'Home') return;
    event.preventDefault();
    this.set(by === undefined ? null : this.percent + by);
  }

  private grab(event: PointerEvent): void {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.dragged = true;
  }

  private drag(event: PointerEvent): void {
    const right = document.querySelector('.stage')?.getBoundingClientRect().right;
    if (!this.dragged || right === undefined) return;
    this.set((100 * (right - event.clientX)) / innerWidth);
  }

  private drop(): void {
    this.dragged = false;
  }

  private set(percent: number | null): void {
    lab.apply({ look: { split: { percent: percent ?? undefined } } });
    const { split } = lab.viewState;
    remember(KEPT_AS, split === null ? null : String(split));
  }
}
