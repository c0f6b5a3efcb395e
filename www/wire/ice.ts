// A server of a person's own for strict firewalls.

import { html } from 'lit';
import { iceServer, setIceServer } from './peer';

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
      The two machines connect directly: they ask no server. A strict firewall allows this only through a TURN server. Enter yours here, at both ends, before you connect.
    </p>
  `;
}
