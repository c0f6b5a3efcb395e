// Which figure is shown: one at a time, each with its own address in the link.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Change, lab } from '../lab';
import { LabElement } from './element';
import { isSheetOpen, toggleSheet } from './sheet';

const panels = [...document.querySelectorAll<HTMLElement>('.figures > [role=tabpanel]')];
/** The words of each figure's tab in the order of the page, by the name that links have for the figure. */
export const tabNames: ReadonlyMap<string, string> = new Map(panels.map(({ id, dataset }) => [id.slice('figure-'.length), dataset['tab'] ?? '']));
const names = [...tabNames.keys()];
const narrow = matchMedia('(max-width: 900px)');
const steps: Readonly<Record<string, (place: number) => number>> = {
  ArrowLeft: (place) => (place + names.length - 1) % names.length,
  ArrowRight: (place) => (place + 1) % names.length,
  Home: () => 0,
  End: () => names.length - 1,
};

/** At once, before anything in them is rendered: what is hidden is not. */
function showPanel(): void {
  const shown = lab.looking.show ?? names[0];
  for (const panel of panels) panel.hidden = panel.id !== `figure-${shown}`;
}

/** Leaves out a figure that there is not, as a link can name one, and says so. */
function leaveOutUnknown(): void {
  const { show } = lab.looking;
  if (show === null || names.includes(show)) return;
  lab.show(undefined);
  lab.notify([...lab.notices, `"show" cannot be "${show}": ${names.join(', ')}; it is left out`]);
}
for (const heed of [leaveOutUnknown, showPanel]) {
  lab.on(['looking'], heed);
  heed();
}

@customElement('lab-tabs')
export class Tabs extends LabElement {
  protected override readonly shows: readonly Change[] = [];

  protected override render() {
    const shown = lab.looking.show ?? names[0];
    return html`<div role="tablist" aria-label="Figures" @keydown=${this.step}>
      ${names.map(
        (name) =>
          html`<button
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
    </div>`;
  }

  /** Scrolls to the chosen tab: a narrow screen has no room for all tabs. */
  protected override updated(): void {
    const [list, tab] = [this.querySelector('[role=tablist]'), this.querySelector<HTMLElement>('[aria-selected=true]')];
    if (list !== null && tab !== null && list.scrollWidth > list.clientWidth) list.scrollLeft = tab.offsetLeft - list.clientWidth / 3;
  }

  /** Shows a figure. On a narrow screen the settings' sheet goes, and the page scrolls to the figure's head. */
  private choose(name: string): void {
    lab.show(name);
    if (!narrow.matches) return;
    if (isSheetOpen()) toggleSheet(false);
    this.closest('.figures')?.scrollIntoView({ block: 'start' });
  }

  private step(event: KeyboardEvent): void {
    const to = names[steps[event.key]?.(names.indexOf(lab.looking.show ?? 'bits')) ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    lab.show(to);
    this.querySelector<HTMLElement>(`#tab-${to}`)?.focus();
  }
}
