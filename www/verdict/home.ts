// Take it home: a server and its client with the verdict's settings, in three languages.

import { html } from 'lit';
import type { Home } from '../../pkg/snapshot_web';
import { button } from '../shell/button';

const languages: readonly { id: keyof Home; name: string; about: string }[] = [
  { id: 'rust', name: 'Rust', about: 'Crate snapshot-replication, under crate/replication. Rung 13 needs the feature predicted.' },
  { id: 'javascript', name: 'JavaScript', about: 'Package snapshot-codec: cargo xtask package npm writes it. It runs in browsers and in Node.js.' },
  { id: 'c', name: 'C', about: 'Library and header: cargo xtask package c writes them. Rung 13 needs the feature predicted.' },
];

/** The lines of each language. */
export function homeParts(home: Home, copy: (what: string, text: string) => void) {
  return html`<h3 id="take-home">Take it home</h3>
    <p>
      A server and clients that show the same objects, with connections, joining and loss taken care of. For its connection a packet has a few bytes more than
      the verdict counts: on a test’s motion at most nine. Source is in this project, MIT or Apache-2.0; each README has the loop around these lines.
    </p>
    ${languages.map(({ id, name, about }) => lines(name, about, home[id], id === 'rust', copy))}`;
}

function lines(name: string, about: string, text: readonly string[], open: boolean, copy: (what: string, text: string) => void) {
  const all = text.join('\n');
  return html`<details ?open=${open}>
    <summary>${name}</summary>
    <p>${about} ${button('Copy', () => copy(`The lines for ${name}`, all), { label: `Copy the lines: ${name}` })}</p>
    <div class="wide"><pre tabindex="0" aria-label="Lines: ${name}"><code>${all}</code></pre></div>
  </details>`;
}
