// What all elements share: they render into the page itself, and anew when the laboratory changes.

import { LitElement } from 'lit';
import { lab, type Change } from './lab';

export abstract class LabElement extends LitElement {
  /** Which changes this element shows. */
  protected abstract readonly shows: readonly Change[];
  private unsubscribe = (): void => {};

  /** One style sheet for the page: no shadow trees. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unsubscribe = lab.on(this.shows, () => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unsubscribe();
  }
}
