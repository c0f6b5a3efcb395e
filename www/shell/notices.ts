// What has to be said in words: of a link, of a refused value, of a failure.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { address } from '../links/link';
import { button } from './button';
import { define } from './element';
import { visible } from './names';

/** Most characters that are shown of a long link. */
const MOST_SHOWN = 300;

define('lab-notices', () => {
  return html`
    <div role="alert">${lab.failure === undefined ? nothing : failure(lab.failure)}</div>
    <div role="status">${lab.notices.length === 0 ? nothing : list()}</div>
  `;
});

function list() {
  return html`<div class="notice">
    <ul>
      ${[...new Set(lab.notices)].map((notice) => html`<li>${sentence(notice)}</li>`)}
    </ul>
    ${button('Dismiss', () => lab.notify([]), { kind: 'quiet' })}
  </div>`;
}

function failure(message: string) {
  const tick = lab.now.a.tick;
  const { kept } = lab.keeper;
  const link = kept === undefined ? address() : new URL(`#${kept.moment}`, location.href).href;
  return html`<div class="notice failure">
    <p>
      The laboratory has stopped at tick ${tick}: ${message}.
      ${kept === undefined ? 'This link replays it:' : `This link has what was done, up to ${kept.time_s.toFixed(1)} s:`}
      <a href=${link} @click=${(event: Event) => reload(event, link)}>${link.length > MOST_SHOWN ? `${link.slice(0, MOST_SHOWN)}…` : link}</a>
    </p>
  </div>`;
}

/** The fragment may be the present one, and going there would do nothing. */
function reload(event: Event, link: string): void {
  event.preventDefault();
  history.replaceState(null, '', link);
  location.reload();
}

/** A notice as a sentence. */
function sentence(notice: string): string {
  return visible(/[.!?…]$/.test(notice) ? notice : `${notice}.`);
}
