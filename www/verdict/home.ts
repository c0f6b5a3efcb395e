// Take it home: the verdict's settings for a server and its clients.

import { html } from 'lit';
import type { Home } from '../../pkg/snapshot_web';
import { button } from '../shell/button';

export function homeParts(home: Home, copy: (what: string, text: string) => void) {
  const text = JSON.stringify(home, null, 2);
  return html`<h3 id="take-home">Take it home</h3>
    <p>
      A server and clients that show the same objects, with connections, joining and loss taken care of. These settings make both, by the package
      <code>snapshot-codec</code> for JavaScript (<code>cargo xtask package npm</code>). The crate <code>snapshot-replication</code> and the library for C
      (<code>cargo xtask package c</code>) name them alike. Each README has the loop around them. Packets have a few bytes more than the verdict counts.
      ${button('Copy', () => copy('The settings', text), { label: 'Copy the settings' })}
    </p>
    <div class="wide"><pre tabindex="0" aria-label="Settings for a game"><code>${text}</code></pre></div>`;
}
