// What all elements share: they render into the page itself, and anew when the laboratory changes.

import { LitElement, type PropertyValues } from 'lit';
import { Stopped } from '../gate';
import { type Change, lab } from '../lab';

export abstract class LabElement extends LitElement {
  /** The changes that this element shows, beside another figure, packet or cube. */
  protected readonly shows: readonly Change[] = [];
  private ends: readonly (() => void)[] = [];

  /** One style sheet for the page: no shadow trees. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const update = (): void => this.requestUpdate();
    this.ends = [lab.on([...this.shows, 'looking', 'desk'], update), ...this.begins()];
  }

  /** Begins all that goes on while the element is in the page, and returns how each ends. */
  protected begins(): readonly (() => void)[] {
    return [];
  }

  /** A hidden figure is not computed; showing another figure updates everything. */
  protected override shouldUpdate(): boolean {
    return this.closest('[hidden]') === null;
  }

  /** After a failure an element stays as it is. */
  protected override performUpdate(): void {
    try {
      super.performUpdate();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
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
    for (const end of this.ends) end();
  }
}
