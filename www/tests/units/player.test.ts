// The player of a blind test, with a clock of the test's own in place of a display.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Player, Refresh } from '../../blind-test/player';

const TICK_MS = 1000 / 60;

/** Plays a clip of 60 frames on a display, and leaves some of its frames out. */
function play(hz: number, leftOut: readonly number[] = []): { shown: number[]; drops: number } {
  const refresh = new Refresh();
  for (let frame = 0; frame < 30; frame++) refresh.add((frame * 1000) / hz);
  const player = new Player(60, TICK_MS, refresh.periodMs);
  const shown: number[] = [];
  for (let frame = 30; ; frame++) {
    if (leftOut.includes(frame)) continue;
    // Clocks of browsers are a little off.
    const at = player.at((frame * 1000) / hz + 0.4 * Math.sin(frame));
    if (at === undefined) return { shown, drops: player.drops };
    shown.push(at);
  }
}

test('at 60 Hz each frame is shown once, in order', () => {
  assert.deepEqual(play(60), { shown: Array.from({ length: 60 }, (_, frame) => frame), drops: 0 });
});

test('at 120 Hz each frame is shown twice', () => {
  assert.deepEqual(play(120), { shown: Array.from({ length: 120 }, (_, frame) => frame >> 1), drops: 0 });
});

test('at 144 Hz a clip takes its own time', () => {
  const { shown, drops } = play(144);
  assert.equal(drops, 0);
  assert.equal(shown.length, 144);
  assert.deepEqual(
    [...new Set(shown)],
    Array.from({ length: 60 }, (_, frame) => frame),
  );
});

test('frames that the machine leaves out are counted', () => {
  const { shown, drops } = play(60, [40, 41, 60]);
  assert.equal(drops, 3);
  assert.equal(shown.length, 57);
  assert.equal(shown.at(-1), 59);
});
