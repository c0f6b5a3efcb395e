// The game of tests/all.rs for three.js.

import { writeFileSync } from 'node:fs';
import { Group, Object3D } from 'three';
import { MotionRecorder } from '../../../../recorders/motion-recorder.mjs';

const recorder = new MotionRecorder();
const [world, sinks, turns] = [new Group(), new Object3D(), new Object3D()];
world.add(sinks, turns);
turns.position.set(4, 6, 5);
recorder.watch(sinks, 0, 1);
recorder.watch(turns, 1, 1);
for (let step = 0; step <= 60; step += 1) {
  sinks.position.set(step < 30 ? 1 : 9, 3 - 0.01 * step, 2);
  if (step === 30) recorder.jump(0);
  turns.rotation.x = step % 2;
  if (step % 30 === 10) recorder.watch(new Object3D(), 7, 2);
  if (step % 30 === 20) recorder.forget(7);
  recorder.step(step / 60);
}
writeFileSync(process.argv[2] ?? '', await recorder.text().text());
