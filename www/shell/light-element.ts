// The base of elements of all pages: they render into the page itself, and anew when a signal changes that they have read.

import { effect } from '@preact/signals-core';
import { LitElement, type PropertyValues } from 'lit';
import { Stopped } from '../gate';

export abstract class LightElement extends LitElement {
  private ends: readonly (() => void)[] = [];
  private forget = (): void => {};

  /** One style sheet for the page: no shadow trees. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // A browser’s translator replaces text nodes, into which figures are written. Words that never change are let out again.
    this.translate = false;
    this.ends = this.begins();
    this.requestUpdate();
  }

  /** Begins all that goes on while the element is in the page, and returns how each ends. */
  protected begins(): readonly (() => void)[] {
    return [];
  }

  /** Renders as an effect: another value of a signal that is read meanwhile requests an update. After a failure an element stays as it is. */
  protected override performUpdate(): void {
    if (!this.isUpdatePending) return;
    this.forget();
    let isFirst = true;
    this.forget = effect(() => {
      if (!isFirst) return this.requestUpdate();
      isFirst = false;
      try {
        super.performUpdate();
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      }
    });
  }

  /** Keeps the focus: if the focused part is gone, the element gets the focus, not the page's beginning. */
  protected override update(changed: PropertyValues): void {
    const held = this.contains(document.activeElement);
    super.update(changed);
    if (!held || document.activeElement !== document.body) return;
    this.tabIndex = -1;
    this.focus({ preventScroll: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
    for (const end of this.ends) end();
  }
}
