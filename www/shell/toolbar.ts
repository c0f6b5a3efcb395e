// The page's actions: settings, sharing, and a menu with the rest.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { lab } from '../lab';
import { openShare } from '../links/share';
import { button } from './button';
import { choosePart, isOpen } from './desk';
import { LabElement } from './element';
import { isDark, toggleTheme } from './theme';

@customElement('lab-toolbar')
export class Toolbar extends LabElement {
  protected override render() {
    return html`
      <button type="button" class="to-settings" aria-expanded=${isOpen('settings')} aria-controls="settings" @click=${() => choosePart('settings')}>Settings</button>
      ${button('Share', openShare, { kind: 'primary' })}
      <button type="button" class="quiet" aria-label="Menu" popovertarget="menu">•••</button>
      <div id="menu" popover @click=${closeMenu}>
        ${button('Settings', () => choosePart('settings'), { kind: 'quiet for-phone' })}
        ${button(isDark() ? 'Light' : 'Dark', this.theme, { kind: 'quiet' })}
        ${button('Restart', () => lab.restart(), { kind: 'quiet' })}
        ${button('Help', help, { kind: 'quiet' })}
      </div>
    `;
  }

  private theme(): void {
    toggleTheme();
    this.requestUpdate();
  }
}

function closeMenu(event: Event): void {
  if (event.target !== event.currentTarget) (event.currentTarget as HTMLElement).hidePopover();
}

function help(): void {
  document.querySelector<HTMLDialogElement>('#help')?.showModal();
}
