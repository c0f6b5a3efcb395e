// Outlines of the truth in the rebuilt view: they appear while a control of the front is moved, and fade.

import { signal } from '@preact/signals-core';

const SHOWN_MS = 2000;
const FADE_MS = 600;

/** True while outlines are to be seen. */
export const outlined = signal(false);
/** True once a hand has moved a control of the front. */
export const moved = signal(false);

let touchedAt = -Infinity;
let end = 0;

/** Shows the outlines from now on for a moment. */
export function showOutlines(): void {
  touchedAt = performance.now();
  moved.value = outlined.value = true;
  clearTimeout(end);
  end = window.setTimeout(() => (outlined.value = false), SHOWN_MS + FADE_MS);
}

/** Their opacity, 0 to 1. */
export function outlineOpacity(now: number): number {
  const faded = (now - touchedAt - SHOWN_MS) / FADE_MS;
  // In steps: while the views stand still, each is a picture more.
  return Math.round(8 * Math.min(1, Math.max(0, 1 - faded))) / 8;
}
