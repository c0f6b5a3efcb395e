// How a figure's time goes on: from frame to frame, never faster than the engine can follow.

const TICK_MS = 1000 / 60;
/** A frame that is late by more is a pause of the page: time does not leap over it. */
const MOST_TICKS = 3;

/** Ticks of a frame, and the time that is left for the next. A screen of sixty frames a second has one tick a frame. */
export function ticksOf(passed_ms: number, left_ms: number): [ticks: number, left_ms: number] {
  if (Math.abs(passed_ms - TICK_MS) < TICK_MS / 4) return [1, 0];
  const due_ms = Math.max(0, passed_ms) + left_ms;
  const ticks = Math.floor(due_ms / TICK_MS);
  return ticks > MOST_TICKS ? [MOST_TICKS, 0] : [ticks, due_ms - ticks * TICK_MS];
}

/** Frames that the last picture stands before the motion begins again. */
export const HOLD_FRAMES = 100;

/** Place of a seam that sweeps to and fro over the ball in eight seconds, 0 to 1. It is in the middle while the right half stands. */
export function sweep(tick: number): number {
  return 0.5 - 0.16 * Math.sin((2 * Math.PI * (tick - 325)) / 480);
}

/** Chooses the figures that may run: of those in sight the nearest to the middle of the window, at most two. */
export function chosen<T>(inSight: readonly { readonly figure: T; readonly distance: number }[]): T[] {
  const nearest = [...inSight].sort((a, b) => a.distance - b.distance);
  return nearest.slice(0, 2).map(({ figure }) => figure);
}
