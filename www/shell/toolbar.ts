// Share, theme, help.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Change, lab } from '../lab';
import { openShare } from '../links/share';
import { tour } from '../tour/tour';
import { LabElement } from './element';
import { isSheetOpen, toggleSheet } from './sheet';
import { isDark, toggleTheme } from './theme';

@customElement('lab-toolbar')
export class Toolbar extends LabElement {
  protected override readonly shows: readonly Change[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('sheet', () => this.requestUpdate());
  }

  protected override render() {
    return html`
      <button type="button" class="for-sheet" aria-expanded=${isSheetOpen()} aria-controls="settings" @click=${() => toggleSheet()}>Settings</button>
      <button type="button" @click=${yourGame}>Your game</button>
      <button type="button" aria-pressed=${tour.step !== undefined} @click=${() => tour.toggle()}>Tour</button>
      <button type="button" class="quiet" @click=${this.theme}>${isDark() ? 'Light' : 'Dark'}</button>
      <button type="button" class="quiet" @click=${help}>Help</button>
      <button type="button" class="primary" @click=${openShare}>Share</button>
    `;
  }

  private theme(): void {
    toggleTheme();
    this.requestUpdate();
  }
}

/** From the first screen to what this is for: settings for a game of one’s own. */
function yourGame(): void {
  lab.show('verdict');
  // Where figures are below the views, as on a phone, they may be out of sight.
  if (matchMedia('(max-width: 900px)').matches) document.querySelector('#figure-verdict')?.scrollIntoView({ block: 'start' });
}

function help(): void {
  document.querySelector<HTMLDialogElement>('#help')?.showModal();
}
