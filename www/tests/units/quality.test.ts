// How much is drawn, and what is said of a simulation that falls behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, Quality, Still } from '../../views/quality';

/** Plays frames for some seconds. `drawnMs` gives the time of a frame's picture. */
function play(quality: Quality, seconds: number, drawnMs: (frame: number) => number, intervalMs = 16.7): void {
  for (let ms = 0, frame = 0; ms < seconds * 1000; frame += 1) {
    const drawn = drawnMs(frame);
    const interval = Math.max(intervalMs, drawn);
    ms += interval;
    quality.add(interval, drawn);
  }
}
const best = Quality.of('hardware').step;

test('frames that are slow for another reason than drawing cost nothing', () => {
  const quality = Quality.of('hardware');
  play(quality, 60, () => 5, 280);
  assert.deepEqual(quality.step, best);
});

test('slow drawing goes down, and pictures of more than a second to 0.35 of the pixels a side and one frame drawn of four', () => {
  const hardware = Quality.of('hardware');
  play(hardware, 3, (frame) => [20, 36, 50][frame % 3] as number);
  assert.notDeepEqual(hardware.step, best);
  const software = Quality.of('software');
  play(software, 20, () => 1400);
  assert.deepEqual(software.step, { shadows: false, pixelRatio: 0.35, drawnEvery: 4 });
});

test('a simulation that falls behind draws less first where drawing takes a quarter of the time: fewer pixels, then every second frame', () => {
  const quality = Quality.of('hardware');
  const steps = new Set([best]);
  for (let ms = 0; ms < 20_000; ms += 40) if (quality.add(40, 11, true)) steps.add(quality.step);
  const [first, ...others] = [...steps];
  assert.deepEqual(first, best);
  assert.equal(others.findIndex(({ drawnEvery }) => drawnEvery > 1) > others.findIndex(({ pixelRatio }) => pixelRatio < 1), true);
  assert.equal(quality.step.drawnEvery, 4);
  const blameless = Quality.of('hardware');
  for (let ms = 0; ms < 20_000; ms += 80) blameless.add(80, 11, true);
  assert.deepEqual(blameless.step, best);
});

test('one hiccup changes nothing', () => {
  const quality = Quality.of('hardware');
  play(quality, 30, (frame) => (frame === 100 ? 3000 : 8));
  assert.deepEqual(quality.step, best);
});

test('what was taken is given back, and software gets no more than it began with', () => {
  for (const gpu of ['hardware', 'software'] as const) {
    const quality = Quality.of(gpu);
    const before = quality.step;
    play(quality, 30, () => 150);
    assert.equal(quality.step.drawnEvery, 4);
    play(quality, 60, () => 8);
    assert.deepEqual(quality.step, before);
  }
});

test('a step that proves too much is tried ever less often', () => {
  const quality = Quality.of('hardware');
  let changes = 0;
  // Soft shadows are too slow here, and nothing else is.
  for (let ms = 0; ms < 300_000; ms += 40) if (quality.add(40, quality.step.shadows ? 40 : 8)) changes += 1;
  assert.ok(changes > 4);
  // Tried every 6 s it would be 100.
  assert.ok(changes < 20);
});

test('a still is sharp at once, has fewer pixels while it is dragged where drawing is slow, and is sharp again afterwards', () => {
  for (const drawnMs of [10, 400]) {
    const still = new Still();
    still.change(0);
    still.change(20);
    assert.equal(still.ratio(21, 2), 2);
    still.drawn(2, 2, drawnMs);
    assert.equal(still.ratio(40, 2), 2);
    for (let now = 50; now < 500; now += 30) still.change(now);
    const dragged = still.ratio(500, 2);
    assert.ok(drawnMs === 10 ? dragged === 2 : dragged >= 0.7 && dragged < 1);
    assert.equal(still.ratio(1100, 2), 2);
    assert.equal(still.settles(1100), true);
    assert.equal(still.settles(1600), false);
  }
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
