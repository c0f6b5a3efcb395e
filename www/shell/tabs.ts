// Five places, and the figures of the shown one: one figure at a time, each with its own address in the link.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { lab } from '../lab';
import { follow } from '../signals';
import { button } from './button';
import { choosePart, closeSheet, isOpen, narrow } from './desk';
import { define, LabElement } from './element';

const panels = [...document.querySelectorAll<HTMLElement>('.figures > [role=tabpanel]')];
/** The words of each figure's tab in the order of the page, by the name that links have for the figure. */
export const tabNames: ReadonlyMap<string, string> = new Map(panels.map(({ id, dataset }) => [id.slice('figure-'.length), dataset['tab'] ?? '']));
const names = [...tabNames.keys()];
/** The places beside the lab itself, each with its figures. */
const places = [...new Set(panels.map(({ dataset }) => dataset['place'] ?? ''))].map((name) => ({
  name,
  figures: panels.filter(({ dataset }) => dataset['place'] === name).map(({ id }) => id.slice('figure-'.length)),
}));
const steps: Readonly<Record<string, (place: number, of: number) => number>> = {
  ArrowLeft: (place, of) => (place + of - 1) % of,
  ArrowRight: (place, of) => (place + 1) % of,
  Home: () => 0,
  End: (_place, of) => of - 1,
};

/** The shown figure; undefined in the lab. */
const shownFigure = (): string | undefined => (isOpen('figures') ? (lab.viewState.show ?? names[0]) : undefined);
/** The place of a figure. */
const placeOf = (figure: string | undefined) => places.find(({ figures }) => figures.includes(figure ?? ''));

/** At once, before anything in them is rendered: what is hidden is not. */
function showPanel(): void {
  const shown = shownFigure();
  for (const panel of panels) panel.hidden = panel.id !== `figure-${shown}`;
}

/** Leaves out a figure that there is not, as a link can name one, and says so. */
function leaveOutUnknown(): void {
  const { show } = lab.viewState;
  if (show === null || names.includes(show)) return;
  lab.show(undefined);
  lab.notify([...lab.notices, `"show" cannot be "${show}": ${names.join(', ')}; it is left out`]);
}
follow(() => lab.viewState.show, leaveOutUnknown);
follow(showPanel);

/** Opens the place of a figure at that figure. Where figures are below the views, as on a phone, they may be out of sight. */
function open(figure: string | undefined): void {
  lab.show(figure);
  choosePart('figures', true);
  closeSheet();
  if (narrow.matches) document.querySelector('.figures')?.scrollIntoView({ block: 'start' });
}

/** Opens a place, and gives the tab of its figure the focus. */
async function goTo({ name, figures }: (typeof places)[number]): Promise<void> {
  const figure = last.get(name) ?? figures[0];
  open(figure);
  await document.querySelector<LabElement>('lab-tabs')?.updateComplete;
  document.querySelector<HTMLElement>(`#tab-${figure}`)?.focus({ preventScroll: true });
}

/** The figure of each place that was shown last. */
const last = new Map<string, string>();

/** The lab and the places, as a part of the page's head. */
define('lab-places', () => {
  const shown = shownFigure();
  const current = placeOf(shown);
  if (shown !== undefined && current !== undefined) last.set(current.name, shown);
  const place = (name: string, go: () => void) =>
    html`<button type="button" class="place" aria-current=${name === (current?.name ?? 'Lab') ? 'page' : nothing} @click=${go}>${name}</button>`;
  return [place('Lab', () => choosePart('figures', false)), ...places.map((to) => place(to.name, () => void goTo(to)))];
});

@customElement('lab-tabs')
export class Tabs extends LabElement {
  protected override render() {
    const shown = shownFigure();
    const current = placeOf(shown);
    if (current === undefined) return nothing;
    return html`<div role="tablist" aria-label=${current.name} @keydown=${this.step}>
        ${current.figures.map(
          (name) => html`<button
            type="button"
            role="tab"
            id="tab-${name}"
            aria-controls="figure-${name}"
            aria-selected=${name === shown}
            tabindex=${name === shown ? 0 : -1}
            @click=${() => open(name)}
          >
            ${tabNames.get(name)}
          </button>`,
        )}
      </div>
      ${button('✕', () => choosePart('figures', false), { kind: 'quiet to-front', label: 'Back to the lab', title: 'Back to the lab' })}`;
  }

  /** Scrolls to the chosen tab: a narrow screen has no room for all tabs. */
  protected override updated(): void {
    const [list, tab] = [this.querySelector('[role=tablist]'), this.querySelector<HTMLElement>('[aria-selected=true]')];
    if (list !== null && tab !== null && list.scrollWidth > list.clientWidth) list.scrollLeft = tab.offsetLeft - list.clientWidth / 3;
  }

  private step(event: KeyboardEvent): void {
    const shown = shownFigure() ?? '';
    const all = placeOf(shown)?.figures ?? [];
    const to = all[steps[event.key]?.(all.indexOf(shown), all.length) ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    lab.show(to);
    this.querySelector<HTMLElement>(`#tab-${to}`)?.focus();
  }
}
