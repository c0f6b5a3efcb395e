// The desk: settings beside the views, and one figure below them. The front has neither. The browser remembers an open desk.

import { signal } from '@preact/signals-core';
import { lab } from '../lab';
import { follow } from '../signals';
import { remember, remembered } from './remember';

const KEPT_AS = 'desk';
const root = document.documentElement;
const settings = document.querySelector<HTMLElement>('#settings');
/** A screen with room for one thing beside the views. The style sheets ask the same. */
export const narrow = matchMedia('(max-width: 900px), (max-height: 500px)');

/** Parts of the desk. On a narrow screen the settings are a sheet over the lower half. */
export type DeskPart = 'settings' | 'figures';

const parts = signal<readonly DeskPart[]>([]);

export function isOpen(part: DeskPart): boolean {
  return parts.value.includes(part);
}

/** Opens or closes a part, without remembering it. */
export function openPart(part: DeskPart, open = true): void {
  if (open === isOpen(part)) return;
  parts.value = open ? [...parts.value, part] : parts.value.filter((other) => other !== part);
  root.toggleAttribute(`data-${part}`, open);
  if (open && part === 'settings' && narrow.matches) settings?.focus({ preventScroll: true });
}

/** Closes the sheet that the settings are on a narrow screen; beside the views they stay. */
export function closeSheet(): void {
  if (narrow.matches) openPart('settings', false);
}

/** Opens or closes a part for a person, and remembers it for the next visit. */
export function choosePart(part: DeskPart, open = !isOpen(part)): void {
  openPart(part, open);
  // A figure that a link names is open.
  if (part === 'figures' && !open) lab.show(undefined);
  remember(KEPT_AS, parts.value.join(' '));
}

/** Opens the desk as it was left. A sheet would cover the front, so it stays closed. */
export function openDesk(): void {
  const kept = remembered(KEPT_AS)?.split(' ') ?? [];
  if (kept.includes('settings') && !narrow.matches) openPart('settings');
  if (kept.includes('figures')) openPart('figures');
  const showNamed = (): void => {
    if (lab.viewState.show !== null) openPart('figures');
  };
  follow(() => lab.viewState, showNamed);
}

/** Figures that no control of the front changes. */
const NO_CONTROLS: ReadonlySet<string> = new Set(['verdict', 'judge', 'read', 'tell']);

/** Hides the parts of the front that an embedded page and figures have no room for, and controls that change no verdict: they compute nothing then. */
function showFront(): void {
  const none = lab.viewState.embed;
  for (const part of document.querySelectorAll<HTMLElement>('lab-front-controls, lab-sentence, lab-bar')) {
    part.hidden = none || (isOpen('figures') && (part.localName !== 'lab-front-controls' || NO_CONTROLS.has(lab.viewState.show ?? '')));
  }
}
follow(showFront);

document.addEventListener('keydown', (event) => {
  // What lies over the page closes first.
  const over = document.querySelector('dialog[open], :popover-open');
  if (event.key === 'Escape' && isOpen('settings') && over === null && !event.defaultPrevented) choosePart('settings', false);
});
document.querySelector('#settings .close-settings')?.addEventListener('click', () => choosePart('settings', false));
