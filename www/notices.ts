// What has to be said in words: of a link, of a refused value, of a failure.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabElement } from './element';
import { lab, type Change } from './lab';
import { address } from './link';

@customElement('lab-notices')
export class Notices extends LabElement {
  protected override readonly shows: readonly Change[] = ['notices', 'failed'];

  protected override render() {
    return html`
      <div role="alert">${lab.failure === undefined ? nothing : this.failure(lab.failure)}</div>
      <div role="status">${lab.notices.length === 0 ? nothing : this.list()}</div>
    `;
  }

  private list() {
    return html`<div class="notice">
      <ul>
        ${lab.notices.map((notice) => html`<li>${notice}.</li>`)}
      </ul>
      <button type="button" class="quiet" @click=${() => lab.notify([])}>Dismiss</button>
    </div>`;
  }

  private failure(message: string) {
    const tick = lab.a.live.tick;
    return html`<div class="notice failure">
      <p>
        The laboratory has stopped at tick ${tick}: ${message}. This link replays it, if no person drove:
        <a href=${address()} @click=${reload}>${address()}</a>
      </p>
    </div>`;
  }
}

/** The fragment may be the present one, and going there would do nothing. */
function reload(event: Event): void {
  event.preventDefault();
  history.replaceState(null, '', address());
  location.reload();
}
