// Which figure is shown: one at a time, each with its own address in the link.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { lab } from '../lab';
import { follow } from '../signals';
import { button } from './button';
import { choosePart, closeSheet, isOpen, narrow } from './desk';
import { LabElement } from './element';

const panels = [...document.querySelectorAll<HTMLElement>('.figures > [role=tabpanel]')];
/** The words of each figure's tab in the order of the page, by the name that links have for the figure. */
export const tabNames: ReadonlyMap<string, string> = new Map(panels.map(({ id, dataset }) => [id.slice('figure-'.length), dataset['tab'] ?? '']));
const names = [...tabNames.keys()];
/** The groups of figures, by the names of the ways to look closer. */
const groups = [...new Set(panels.map(({ dataset }) => dataset['group'] ?? ''))].map((name) => ({
  name,
  figures: panels.filter(({ dataset }) => dataset['group'] === name).map(({ id }) => id.slice('figure-'.length)),
}));
/** The figures of a figure's group. */
const mates = (shown: string | undefined): readonly string[] => groups.find(({ figures }) => figures.includes(shown ?? ''))?.figures ?? [];
const steps: Readonly<Record<string, (place: number, of: number) => number>> = {
  ArrowLeft: (place, of) => (place + of - 1) % of,
  ArrowRight: (place, of) => (place + 1) % of,
  Home: () => 0,
  End: (_place, of) => of - 1,
};

/** At once, before anything in them is rendered: what is hidden is not. */
function showPanel(): void {
  const shown = isOpen('figures') ? (lab.looking.show ?? names[0]) : undefined;
  for (const panel of panels) panel.hidden = panel.id !== `figure-${shown}`;
}

/** Leaves out a figure that there is not, as a link can name one, and says so. */
function leaveOutUnknown(): void {
  const { show } = lab.looking;
  if (show === null || names.includes(show)) return;
  lab.show(undefined);
  lab.notify([...lab.notices, `"show" cannot be "${show}": ${names.join(', ')}; it is left out`]);
}
follow(() => lab.looking.show, leaveOutUnknown);
follow(showPanel);

@customElement('lab-tabs')
export class Tabs extends LabElement {
  protected override render() {
    const shown = lab.looking.show ?? names[0];
    const isShown = isOpen('figures');
    return html`${isShown ? nothing : button('Look closer', () => this.open(names[0]), { kind: 'for-narrow' })}
      <span class="buttons figure-groups">${groups.map(({ name, figures }) => {
        const pressed = isShown && figures.includes(shown ?? '');
        const title = figures.map((figure) => tabNames.get(figure)).join(', ');
        return button(name, () => this.open(figures[0]), { kind: 'way', title, ...(isShown ? { pressed } : {}) });
      })}</span>
      ${isShown ? this.tabs(shown) : nothing}
      <button type="button" class="more-settings" aria-expanded=${isOpen('settings')} aria-controls="settings" @click=${() => choosePart('settings')}>More settings</button>`;
  }

  /** The figures of the shown one's group. */
  private tabs(shown: string | undefined) {
    return html`<div role="tablist" aria-label="Figures" @keydown=${this.step}>
        ${mates(shown).map(
          (name) => html`<button
            type="button"
            role="tab"
            id="tab-${name}"
            aria-controls="figure-${name}"
            aria-selected=${name === shown}
            tabindex=${name === shown ? 0 : -1}
            @click=${() => this.choose(name)}
          >
            ${tabNames.get(name)}
          </button>`,
        )}
      </div>
      ${button('✕', () => choosePart('figures', false), { kind: 'quiet to-front', label: 'Close the figures', title: 'Close the figures' })}`;
  }

  /** Scrolls to the chosen tab: a narrow screen has no room for all tabs. */
  protected override updated(): void {
    const [list, tab] = [this.querySelector('[role=tablist]'), this.querySelector<HTMLElement>('[aria-selected=true]')];
    if (list !== null && tab !== null && list.scrollWidth > list.clientWidth) list.scrollLeft = tab.offsetLeft - list.clientWidth / 3;
  }

  /** Shows a figure. On a narrow screen the settings' sheet goes, and the page scrolls to the figure's head. */
  private choose(name: string): void {
    lab.show(name);
    closeSheet();
    if (!narrow.matches) return;
    this.closest('.figures')?.scrollIntoView({ block: 'start' });
  }

  /** Opens the figures at a group, and gives its tab the focus. */
  private async open(figure: string | undefined): Promise<void> {
    lab.show(figure);
    choosePart('figures', true);
    await this.updateComplete;
    this.querySelector<HTMLElement>(`#tab-${figure}`)?.focus();
    if (narrow.matches) this.closest('.figures')?.scrollIntoView({ block: 'start' });
  }

  private step(event: KeyboardEvent): void {
    const shown = lab.looking.show ?? names[0] ?? '';
    const all = mates(shown);
    const to = all[steps[event.key]?.(all.indexOf(shown), all.length) ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    lab.show(to);
    this.querySelector<HTMLElement>(`#tab-${to}`)?.focus();
  }
}
