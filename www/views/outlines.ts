// Outlines of the truth in the rebuilt view: they appear while a control of the front is moved, and fade.

const SHOWN_MS = 1200;
const FADE_MS = 600;

let touchedAt = -Infinity;

/** Shows the outlines from now on for a moment. */
export function showOutlines(): void {
  touchedAt = performance.now();
}

/** Their opacity, 0 to 1. */
export function outlineOpacity(now: number): number {
  const faded = (now - touchedAt - SHOWN_MS) / FADE_MS;
  // In steps: while the views stand still, each is a picture more.
  return Math.round(8 * Math.min(1, Math.max(0, 1 - faded))) / 8;
}
