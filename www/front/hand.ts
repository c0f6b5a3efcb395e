// What a hand has done to the controls of the front.

import { signal } from '@preact/signals-core';

const TOLD_MS = 2600;

/** True for a moment after a control was moved. */
export const moves = signal(false);
/** True once a hand has moved a control. */
export const hasMoved = signal(false);

let end = 0;

/** A control is being moved. */
export function tellMove(): void {
  hasMoved.value = moves.value = true;
  clearTimeout(end);
  end = window.setTimeout(() => (moves.value = false), TOLD_MS);
}
