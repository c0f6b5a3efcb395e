// Styles that follow figures. Lit's own styleMap writes a style attribute first, which the page's policy refuses.

import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

class Styled extends Directive {
  render(_styles: Readonly<Record<string, string>>): unknown {
    return noChange;
  }

  override update(part: ElementPart, [styles]: [Readonly<Record<string, string>>]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(styles)) style.setProperty(name, value);
    return noChange;
  }
}

/** On an element, as in `<i ${styled({ width: '10%' })}></i>`; names as in CSS. */
export const styled = directive(Styled);

/** The colour of a kind of bit, a cause or a line, by its name in the style sheet; and the colour of words on it. */
export function ofKind(name: string) {
  return styled({ '--kind': `var(--${name})`, '--on-kind': `var(--on-${name}, var(--on-most))` });
}
