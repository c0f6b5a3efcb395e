// A button: what a click does, and its words.

import { html, nothing } from 'lit';

/** Look, state and names of a button, beside its words. */
interface Traits {
  /** `primary` for the first choice, `quiet` without a frame, and names of a place's own. */
  kind?: string;
  /** In force or not; left out where a click leaves nothing in force. */
  pressed?: boolean;
  disabled?: boolean;
  /** Words for those who hear the page, where the button has a sign only. */
  label?: string;
  title?: string;
}

export function button(words: unknown, press: (event: MouseEvent) => void, { kind, pressed, disabled = false, label, title }: Traits = {}) {
  return html`<button
    type="button"
    class=${kind ?? nothing}
    aria-pressed=${pressed ?? nothing}
    aria-label=${label ?? nothing}
    title=${title ?? nothing}
    ?disabled=${disabled}
    @click=${press}
  >${words}</button>`;
}
