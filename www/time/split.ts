// The handle between views and figures: dragged, or moved by keys. The link says where it stands, and the browser remembers it.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import { isOpen } from '../shell/desk';
import { LabElement } from '../shell/element';
import { remember, remembered } from '../shell/remember';

const KEPT_AS = 'split';
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -2, ArrowDown: 2, PageUp: -10, PageDown: 10 };
const root = document.documentElement;

@customElement('lab-split')
export class Split extends LabElement {
  @state() private dragged = false;

  override connectedCallback(): void {
    super.connectedCallback();
    const kept = lab.looking.split ?? Number(remembered(KEPT_AS));
    if (kept > 0 && !lab.looking.embed) lab.look((page) => page.split(kept));
  }

  protected override render() {
    const { split } = lab.looking;
    // Their height follows what is open.
    void isOpen('figures');
    root.toggleAttribute('data-split', split !== null);
    if (split !== null) root.style.setProperty('--split', String(split));
    return html`<div
      class="split ${this.dragged ? 'dragged' : ''}"
      role="separator"
      tabindex="0"
      aria-orientation="horizontal"
      aria-label="Height of the views"
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

  /** The views' part of the window's height. */
  private get percent(): number {
    const height = document.querySelector('.screen canvas')?.clientHeight ?? 0;
    return lab.looking.split ?? Math.min(Math.max(Math.round((100 * height) / innerHeight), 15), 75);
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
    const top = document.querySelector('.screen canvas')?.getBoundingClientRect().top;
    const time = document.querySelector('.time')?.clientHeight ?? 0;
    if (!this.dragged || top === undefined) return;
    this.set((100 * (event.clientY - top - time)) / innerHeight);
  }

  private drop(): void {
    this.dragged = false;
  }

  private set(percent: number | null): void {
    lab.look((page) => page.split(percent ?? undefined));
    const { split } = lab.looking;
    remember(KEPT_AS, split === null ? null : String(split));
  }
}
