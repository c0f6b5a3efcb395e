// The example of a recording: its rows are those of the format, and long enough for a verdict.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleRecording } from '../../verdict/example';

test('the example is twenty seconds of rows whose turns are rotations', () => {
  const [rate, names, ...rows] = exampleRecording().trimEnd().split('\n');
  assert.equal(rate, 'rate=60');
  assert.equal(names, 'tick,object,x,y,z,qx,qy,qz,qw,hx,hy,hz');
  const values = rows.map((row) => row.split(',').map(Number));
  assert.deepEqual([values[0]?.[0], values.at(-1)?.[0]], [0, 1200]);
  let tick = 0;
  for (const [at = NaN, object = NaN, x = NaN, y = NaN, z = NaN, qx = NaN, qy = NaN, qz = NaN, qw = NaN, ...half] of values) {
    assert.ok(at >= tick && object >= 0 && object < 7);
    tick = at;
    assert.ok(Math.abs(Math.hypot(qx, qy, qz, qw) - 1) < 1e-3);
    assert.ok(Math.max(Math.abs(x), Math.abs(y)) < 16 && z > 0 && z < 4);
    assert.ok(half.length === 3 && half.every((side) => side > 0));
  }
  assert.equal(exampleRecording(), exampleRecording());
});
