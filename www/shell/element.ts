// The base of all elements of the laboratory: a hidden one is not computed.

import { lab } from '../lab';
import { isOpen } from './desk';
import { LightElement } from './light-element';

export abstract class LabElement extends LightElement {
  /** A hidden figure is not computed. Whatever opens a part of the page updates it. */
  protected override shouldUpdate(): boolean {
    const isHidden = this.closest('[hidden]') !== null;
    if (isHidden) void [isOpen('figures'), lab.viewState];
    return !isHidden;
  }
}

/** Defines an element that only renders; what it reads meanwhile says when it does so again. */
export function define(name: string, render: () => unknown): void {
  const element = class extends LabElement {
    protected override render(): unknown {
      return render();
    }
  };
  customElements.define(name, element);
}
