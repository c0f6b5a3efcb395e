// Share, theme, help.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { LabElement } from './element';
import { type Change } from './lab';
import { address } from './link';
import { isSheetOpen, toggleSheet } from './sheet';
import { isDark, toggleTheme } from './theme';
import { tour } from './tour';

@customElement('lab-toolbar')
export class Toolbar extends LabElement {
  protected override readonly shows: readonly Change[] = [];
  @state() private said = '';

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('sheet', () => this.requestUpdate());
  }

  protected override render() {
    return html`
      <span role="status" class="said">${this.said}</span>
      <button type="button" class="for-sheet" aria-expanded=${isSheetOpen()} aria-controls="settings" @click=${() => toggleSheet()}>Settings</button>
      <button type="button" aria-pressed=${tour.step !== undefined} @click=${() => tour.toggle()}>Tour</button>
      <button type="button" class="quiet" @click=${this.theme}>${isDark() ? 'Light' : 'Dark'}</button>
      <button type="button" class="quiet" @click=${help}>Help</button>
      <button type="button" class="primary" @click=${this.share}>Share</button>
    `;
  }

  private theme(): void {
    toggleTheme();
    this.requestUpdate();
  }

  private async share(): Promise<void> {
    const link = address();
    try {
      await navigator.clipboard.writeText(link);
      this.said = 'Link copied';
    } catch {
      // Without a secure context there is no clipboard; the address bar has the same link.
      this.said = 'Copy the link from the address bar';
    }
    setTimeout(() => (this.said = ''), 4000);
  }
}

function help(): void {
  document.querySelector<HTMLDialogElement>('#help')?.showModal();
}
