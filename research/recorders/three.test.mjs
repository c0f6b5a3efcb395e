// The recorder for three.js on `motion.html`, run as it stands there: objects of a scene become rows with z up.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Group, Object3D, Quaternion, Vector3 } from 'three';

const [, rest = ''] = readFileSync('motion.html', 'utf8').split('aria-label="JavaScript for three.js">');
const code = (rest.split('</pre>')[0] ?? '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test('objects of a scene are written in the world, z up', async () => {
  mkdirSync('target/recorders', { recursive: true });
  const path = resolve('target/recorders/three.mjs');
  writeFileSync(path, code);
  const { MotionRecorder } = await import(pathToFileURL(path).href);
  const group = new Group();
  group.position.set(10, 0, 0);
  group.rotation.y = Math.PI / 2;
  const [free, held] = [new Object3D(), new Object3D()];
  free.position.set(1, 2, 3);
  group.add(held);
  const recorder = new MotionRecorder(120);
  for (let tick = 0; tick < 3; tick += 1) {
    held.position.set(0, 0, tick);
    recorder.step([free, held]);
  }
  // The first one goes, another comes and the second one jumps; then the first is there again, under another number.
  recorder.jump(held);
  recorder.step([new Object3D(), held]);
  recorder.step([free, held]);
  const bytes = new DataView(await recorder.file().arrayBuffer());
  const rows = 6 + 3 + 3;
  assert.equal(bytes.byteLength, 8 + 3 * 4 + rows * 40);
  assert.equal(String.fromCharCode(...new Uint8Array(bytes.buffer, 0, 8)), 'SLMOTION');
  assert.deepEqual(
    [8, 12, 16].map((at) => bytes.getUint32(at, true)),
    [2, 8, 120],
  );
  /** @param {number} number */
  const row = (number) => {
    const at = 20 + number * 40;
    const floats = Array.from({ length: 7 }, (_, i) => bytes.getFloat32(at + 8 + 4 * i, true));
    const [tick, object, event] = [0, 4, 36].map((by) => bytes.getUint32(at + by, true));
    return { told: [tick, object, event], position: floats.slice(0, 3), turn: new Quaternion(...floats.slice(3)) };
  };
  const told = Array.from({ length: rows }, (_, number) => row(number).told);
  assert.deepEqual(
    [told[0], told[5]],
    [
      [0, 0, 0],
      [2, 1, 0],
    ],
  );
  assert.deepEqual(told.slice(6), [
    [3, 0, 2],
    [3, 2, 0],
    [3, 1, 1],
    [4, 2, 2],
    [4, 3, 0],
    [4, 1, 0],
  ]);
  assert.deepEqual(row(0).position, [1, -3, 2]);
  // Two along the group's z are two along the world's x; a quarter turn about what is up stays one about z.
  row(5).position.forEach((value, axis) => assert.ok(Math.abs(value - ([12, 0, 0][axis] ?? 0)) < 1e-5));
  const turned = new Vector3(1, 0, 0).applyQuaternion(row(5).turn);
  assert.ok(turned.distanceTo(new Vector3(0, 1, 0)) < 1e-5);
});
