// The base of elements that draw in pixels of the page: letters keep their size at any width.

import type { PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { LabElement } from './element';

/** The least width of a drawing, px. */
const LEAST_PX = 240;

export abstract class SizedElement extends LabElement {
  /** Width of a drawing in this element, px. */
  @state() protected widthPx = 430;

  protected override begins(): readonly (() => void)[] {
    const observer = new ResizeObserver(() => this.measure());
    observer.observe(this);
    return [...super.begins(), () => observer.disconnect()];
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    this.measure();
  }

  private measure(): void {
    const width = Math.round(this.querySelector('.sized')?.getBoundingClientRect().width ?? 0);
    if (width > 0) this.widthPx = Math.max(width, LEAST_PX);
  }
}
