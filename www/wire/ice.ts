// A server of a person's own for strict firewalls, and errors as sentences.

import { html } from 'lit';
import { visible } from '../shell/names';
import { iceServer, setIceServer } from './peer';

/** Says an error as a sentence. */
export function sentence(error: unknown): string {
  const words = visible(error instanceof Error ? error.message : String(error));
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** The field for a server of one's own, and why one may need it. */
export function iceField() {
  const take = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    field.setAttribute('aria-invalid', String(!setIceServer(field.value)));
  };
  return html`
    <label class="ice" for="ice">TURN server of your own</label>
    <input id="ice" type="text" autocomplete="off" placeholder="turn:example.org:3478 user password" .value=${iceServer()} @change=${take} />
    <p class="caption">
      The two machines connect directly: no server of anybody’s is asked. A strict firewall allows this only through a TURN server. Name yours here, at both ends, before you connect.
    </p>
  `;
}
