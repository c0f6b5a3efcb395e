// How much is drawn, and what is said of a simulation that falls behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, Quality } from '../../views/quality';

/** Plays frames for some seconds. `frameMs` gives each frame's length at the step in force; ticks and draw calls are given. */
function play(quality: Quality, seconds: number, frameMs: (frame: number) => number, tickMs = 3, drawMs = 1): void {
  for (let ms = 0, frame = 0; ms < seconds * 1000; frame += 1) {
    const interval = frameMs(frame);
    ms += interval;
    quality.add(interval, tickMs, drawMs);
  }
}
const best = Quality.of('hardware').step;

test('a steady 30 frames a second are a cap, and cost nothing', () => {
  const quality = Quality.of('hardware');
  play(quality, 60, (frame) => 1000 / 30 + (frame % 3) - 1);
  assert.deepEqual(quality.step, best);
});

test('as slow and not steady, or with long draw calls, it is slowness', () => {
  const uneven = Quality.of('hardware');
  play(uneven, 3, (frame) => [20, 36, 50][frame % 3] as number);
  assert.notDeepEqual(uneven.step, best);
  const busy = Quality.of('hardware');
  play(busy, 3, () => 1000 / 30, 3, 28);
  assert.notDeepEqual(busy.step, best);
});

test('what ticks take is not laid to drawing', () => {
  const quality = Quality.of('hardware');
  play(quality, 60, (frame) => 45 + (frame % 5), 30);
  assert.deepEqual(quality.step, best);
});

test('frames of more than a second go down to 0.35 of the pixels a side and one frame drawn of four', () => {
  const quality = Quality.of('software');
  play(quality, 20, () => 1400);
  assert.deepEqual(quality.step, { shadows: false, pixelRatio: 0.35, drawnEvery: 4 });
});

test('one hiccup changes nothing', () => {
  const quality = Quality.of('hardware');
  play(quality, 30, (frame) => (frame === 100 ? 3000 : 16.7));
  assert.deepEqual(quality.step, best);
});

test('what was taken is given back, and software gets no more than it began with', () => {
  for (const gpu of ['hardware', 'software'] as const) {
    const quality = Quality.of(gpu);
    const before = quality.step;
    play(quality, 30, () => 150);
    assert.equal(quality.step.drawnEvery, 4);
    play(quality, 60, () => 16.7);
    assert.deepEqual(quality.step, before);
  }
});

test('a step that proves too much is tried ever less often', () => {
  const quality = Quality.of('hardware');
  let changes: number[] = [];
  // Soft shadows are too slow here, and nothing else is.
  for (let ms = 0; ms < 300_000; ) {
    const interval = quality.step.shadows ? 40 + (ms % 9) : 16.7;
    ms += interval;
    if (quality.add(interval, 1, 1)) changes = [...changes, ms];
  }
  assert.ok(changes.length > 4);
  // Tried every 6 s it would be 100.
  assert.ok(changes.length < 20);
});

test('pace is of real time, and silent while the simulation keeps up', () => {
  const pace = new Pace();
  for (let i = 0; i < 60; i += 1) pace.add(1, 0.1, 0.1);
  assert.equal(pace.behind, undefined);
  for (let i = 0; i < 10; i += 1) pace.add(10, 10, 4);
  assert.ok(Math.abs((pace.behind ?? 0) - 0.4) < 1e-9);
  pace.clear();
  assert.equal(pace.behind, undefined);
});
