// The ways from the page's head: the tour, a game of one's own, sharing, and a menu with the rest.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { lab } from '../lab';
import { openShare } from '../links/share';
import { tour } from '../tour/tour';
import { button } from './button';
import { narrow } from './desk';
import { LabElement } from './element';
import { isDark, toggleTheme } from './theme';

const documents: readonly (readonly [address: string, name: string])[] = [
  ['features', 'What the laboratory can do'],
  ['package', 'The package: promises, figures, faults'],
  ['numbers', 'The articles’ numbers, measured'],
  ['format', 'Every packet’s format'],
  ['lecture', 'Notes for a lecture'],
  ['exercises', 'Exercises'],
  ['teacher', 'Answers for teachers'],
  ['terms', 'Terms'],
];

@customElement('lab-toolbar')
export class Toolbar extends LabElement {
  protected override render() {
    return html`
      ${button('Tour', () => tour.toggle(), { pressed: tour.step !== undefined })}
      ${button('Your game', yourGame, { kind: 'your-game' })}
      ${button('Share', openShare, { kind: 'primary' })}
      <button type="button" class="quiet" aria-label="Menu" popovertarget="menu">•••</button>
      <div id="menu" popover @click=${closeMenu}>
        ${button('Your game', yourGame, { kind: 'quiet for-narrow' })}
        ${button(isDark() ? 'Light' : 'Dark', this.theme, { kind: 'quiet' })}
        ${button('Restart', () => lab.restart(), { kind: 'quiet' })}
        ${button('Help', help, { kind: 'quiet' })}
        <p class="caption">
          A laboratory for Glenn Fiedler’s <a href="https://gafferongames.com/categories/networked-physics/">Networked Physics</a> articles.
        </p>
        ${documents.map(([address, name]) => html`<a href="./${address}.html" target="_blank">${name}</a>`)}
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

/** From the first screen to what this is for: settings for a game of one’s own. */
function yourGame(): void {
  lab.show('verdict');
  // Where figures are below the views, as on a phone, they may be out of sight.
  if (narrow.matches) document.querySelector('#figure-verdict')?.scrollIntoView({ block: 'start' });
}

function help(): void {
  document.querySelector<HTMLDialogElement>('#help')?.showModal();
}
