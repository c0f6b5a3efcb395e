// The words of the inset: how far off the cube is that is shown there, the worst of the rebuilt view.

import { signal } from '@preact/signals-core';
import { html } from 'lit';
import { lab } from '../lab';
import { define } from '../shell/element';
import { measure } from '../shell/format';
import { pixelText } from './scale';

/** The cube in the inset and its surface error in mm; undefined while no cube is visibly off. */
export const worst = signal<{ cube: number; mm: number } | undefined>(undefined);

/** Takes what the views have drawn. */
export function tellWorst([cube, mm]: Iterable<number>): void {
  const now = worst.peek();
  if (cube === undefined || mm === undefined) worst.value = undefined;
  else if (now?.cube !== cube || now.mm !== mm) worst.value = { cube, mm };
}

define('lab-inset', () => {
  const now = worst.value;
  const name = now?.cube === 0 && lab.state.motion === undefined ? 'your cube' : `cube ${now?.cube}`;
  return html`<i class=${now === undefined ? '' : 'there'}></i>
    ${now === undefined ? '' : html`<b title="The cube that is farthest off in this view, enlarged: ${name}. Measured at its worst corner">worst corner: ${measure(now.mm)} mm<span>${pixelText(now.mm)}</span> off</b>`}`;
});
