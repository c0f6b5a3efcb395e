// Time: how many ticks a frame brings.

import { lab } from '../lab';
import { bits, keysHeld, onKeysUsed, touchHeld } from '../shell/keys';
import { Pace } from '../views/quality';
import { sharing } from './sharing';

/** A frame of a screen of 60 Hz. */
const FRAME_MS = 1000 / 60;
/** Most ticks of a slow frame, in frames of a 60 Hz screen. The rest of the frame's time is dropped. */
const MOST_FRAMES = 15;
/** A screen of 60 Hz shows exactly a tick of our own world a frame, whatever the clock's grain. */
const GRAIN_MS = 1.5;
/** Time of a frame for the rebuild of histories up to the shown instant: somebody waits for it. */
const ANSWER_MS = 60;
/** Time of a frame for all other work, within bounds: ticks and drawing have the rest. A still has nothing else to do. */
const LEAST_MS = 6;
/** Time after a change of a drag in which the next one is likely, and other work waits. */
const DRAG_MS = 200;
/** Most time of a frame for its ticks. On a slow machine the rest of the frame's time is dropped, too. */
const MOST_TICKS_MS = 50;
/** A timer of no delay would come before those that are due. */
const AFTER_DUE_MS = 4;
/** Frames this far apart are so slow that the browser puts them before timers, messages and files. */
const CROWDED_MS = 40;

/** Draws: how far between the last two ticks, and how long since the frame before in 1/60 s. */
type Draw = (part: number, frames: number) => void;

/** True while time goes on: false in an embedded page that nobody sees. */
export const gate = { open: true };

/** Plays on without a picture, for a hidden page. */
export let goOnUndrawn = (): void => {};

/** The pace of the simulation, compared with the set speed. */
export const pace = new Pace();

const draws = new Set<Draw>();

export function onFrame(draw: Draw): () => void {
  draws.add(draw);
  return () => draws.delete(draw);
}

export function startLoop(): void {
  let last = performance.now();
  // Nearly a whole tick is owed: then the newest tick is drawn at 60 Hz.
  let owed = 0.99;
  let draggedAt = -DRAG_MS;
  const workMs = (now: number, elapsed: number): number => {
    if (lab.now.progress === 'stale') return ANSWER_MS;
    return now - draggedAt < DRAG_MS ? LEAST_MS : Math.min(Math.max(elapsed * (lab.running ? 0.35 : 0.6), LEAST_MS), ANSWER_MS);
  };
  const frame = (now: number): void => {
    const elapsed = now - last;
    last = now;
    try {
      if (gate.open) pass(now, elapsed);
    } finally {
      // A timer is behind the tasks that wait: each of them has its turn between two slow frames.
      if (elapsed > CROWDED_MS) setTimeout(() => requestAnimationFrame(frame), AFTER_DUE_MS);
      else requestAnimationFrame(frame);
    }
  };
  const pass = (now: number, elapsed: number, isDrawn = true): void => {
    const frames = Math.abs(elapsed - FRAME_MS) < GRAIN_MS ? 1 : elapsed / FRAME_MS;
    const start = performance.now();
    if (lab.makeWaiting()) draggedAt = now;
    if (lab.running) {
      const ticksAFrame = lab.tickMs === FRAME_MS ? 1 : FRAME_MS / lab.tickMs;
      const wanted = frames * lab.speed * ticksAFrame;
      let kept = Math.min(wanted, MOST_FRAMES * Math.max(ticksAFrame, 1) + 0.99 - owed);
      owed += kept;
      const held = keysHeld.bits | touchHeld.bits;
      for (; owed >= 1; owed -= 1) {
        lab.tick(held & ~bits.cut, (held & bits.cut) !== 0);
        sharing.value?.pass();
        onKeysUsed();
        if (performance.now() - start < MOST_TICKS_MS) continue;
        const dropped = Math.floor(owed) - 1;
        owed -= dropped;
        kept -= dropped;
      }
      pace.add(frames * ticksAFrame, wanted, kept);
      lab.figuresDue(now, elapsed);
    } else pace.clear();
    sharing.value?.pass();
    lab.work(workMs(now, elapsed), now, elapsed);
    if (isDrawn) for (const draw of draws) draw(lab.running ? owed : 1, frames);
  };
  goOnUndrawn = (): void => {
    const now = performance.now();
    const elapsed = now - last;
    last = now;
    if (gate.open) pass(now, elapsed, false);
  };
  // Browsers give hidden tabs no frames; the time away is not caught up.
  document.addEventListener('visibilitychange', () => {
    last = performance.now();
    pace.clear();
  });
  requestAnimationFrame(frame);
}
