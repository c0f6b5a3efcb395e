// Time: how many ticks a frame brings.

import { bits, keysHeld, touchHeld } from './keys';
import { lab } from './lab';

const TICK_MS = 1000 / 60;
/** A slow frame never brings more than this; the rest of its time is dropped. */
const MOST_TICKS = 4;
/** A screen of 60 Hz shows exactly a tick a frame, whatever the clock's grain. */
const GRAIN_MS = 1.5;
/** Of a frame, what goes to new tracks: ticks and drawing have the rest. */
const WORK_MS = 6;

/** Draws: how far between the last two ticks, and how long since the frame before in 1/60 s. */
type Draw = (part: number, frames: number) => void;

const draws = new Set<Draw>();

export function onFrame(draw: Draw): () => void {
  draws.add(draw);
  return () => draws.delete(draw);
}

export function startLoop(): void {
  let last = performance.now();
  // Nearly a whole tick is owed, so that at 60 Hz what is drawn is the newest tick.
  let owed = 0.99;
  const frame = (now: number): void => {
    requestAnimationFrame(frame);
    const elapsed = now - last;
    last = now;
    const frames = Math.abs(elapsed - TICK_MS) < GRAIN_MS ? 1 : elapsed / TICK_MS;
    if (lab.running) {
      owed = Math.min(owed + frames * lab.speed, MOST_TICKS + 0.99);
      const held = keysHeld.bits | touchHeld.bits;
      for (; owed >= 1; owed -= 1) lab.tick(held & ~bits.cut, (held & bits.cut) !== 0);
      lab.figuresDue(now);
    }
    lab.work(WORK_MS);
    for (const draw of draws) draw(lab.running ? owed : 1, frames);
  };
  // Browsers give hidden tabs no frames; the time away is not caught up.
  document.addEventListener('visibilitychange', () => (last = performance.now()));
  requestAnimationFrame(frame);
}
