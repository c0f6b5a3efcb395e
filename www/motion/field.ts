// The field of a file in the settings.

import { html } from 'lit';
import { openAny } from './open';

/** A field that opens any file that it is given. */
export function fileField(id: string, label: string, accept: string, help: unknown, below?: unknown) {
  return html`<div class="control motion">
    <label for=${id}>${label}</label>
    <input type="file" id=${id} accept=${accept} aria-describedby="${id}-help" @change=${choose} />
    <p class="help" id="${id}-help">${help}</p>
    ${below}
  </div>`;
}

async function choose(event: Event): Promise<void> {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  if (file === undefined) return;
  await openAny(file);
  // The same file can then be chosen again.
  input.value = '';
}
