// The search of the settings: a control stays that has the words in its name, its id or its explanation.

import { signal } from '@preact/signals-core';
import { html } from 'lit';
import type { Setting } from '../lab';
import { define } from '../shell/element';
import { typed } from '../shell/parts';

const words = signal<readonly string[]>([]);

export const isSearched = (): boolean => words.value.length > 0;

/** Returns true if a setting has each typed word. */
export function isFound({ id, label, help, choices }: Setting): boolean {
  const text = [id, label, help, ...(choices ?? []).map((choice) => choice.label)].join(' ').toLowerCase();
  return words.value.every((word) => text.includes(word));
}

define('lab-search', () => {
  const take = (event: Event): void => void (words.value = typed(event).toLowerCase().split(/\s+/).filter(Boolean));
  document.querySelector('#settings')?.toggleAttribute('data-searched', isSearched());
  return html`<input type="search" aria-label="Find a setting" placeholder="Find a setting" @input=${take} />`;
});
