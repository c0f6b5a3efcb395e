// The laboratory by itself, over the wasm of the page: which of its values change when, and that nothing goes on after a failure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Laboratory } from '../../laboratory';
import { follow } from '../../signals';
import { startWasm } from './wasm';

startWasm();

const WATCHED = ['state', 'now', 'viewState', 'running', 'failure'] as const;

/** A laboratory of few cubes, and a list of its values that change. */
function made(link: string): { lab: Laboratory; changes: string[] } {
  const lab = new Laboratory(`#v=2&grid=5&${link}`);
  const changes: string[] = [];
  for (const name of WATCHED)
    follow(
      () => lab[name],
      () => changes.push(name),
    );
  changes.length = 0;
  return { lab, changes };
}

/** Works until everything shown is of the settings in force. */
function settle(lab: Laboratory): void {
  for (let now = 0; lab.now.progress !== 'done'; now += 200) lab.work(1000, now, 16);
}

test('what is rendered of the settings is not rendered again by the instant, and the instant is read ten times a second', () => {
  const { lab, changes } = made('hz=20');
  for (let frame = 0; frame < 60; frame += 1) {
    lab.tick(0);
    lab.figuresDue(1000 + (frame * 1000) / 60, 1000 / 60);
  }
  assert.deepEqual([changes.includes('state'), changes.includes('viewState')], [false, false]);
  assert.ok(changes.length >= 9 && changes.length <= 11, String(changes.length));
});

test('a link to an instant is travelled to, stands there, and keeps the instant in its own link on the way', () => {
  const { lab } = made('hz=20&at=180');
  assert.equal(lab.now.progress, 'travelling');
  assert.match(lab.permalink, /at=180/);
  settle(lab);
  assert.deepEqual([lab.now.at, lab.running], [180, false]);
});

test('a setting changes the state and the figures, and another seed or scene keeps the instant that was looked at', () => {
  const { lab, changes } = made('hz=20&at=120');
  settle(lab);
  changes.length = 0;
  lab.set('seed', '9');
  assert.deepEqual(changes.toSorted(), ['now', 'state']);
  settle(lab);
  assert.equal(lab.now.at, 120);
  lab.set('scene', 'roll');
  settle(lab);
  assert.equal(lab.now.at, 120);
  assert.equal(lab.permalink, 'v=2&hz=20&scene=roll&seed=9&grid=5&at=120');
});

test('a refused value is kept with its reason until one is taken, and changes nothing', () => {
  const { lab } = made('hz=20');
  const before = lab.permalink;
  lab.set('hz', '99.5');
  assert.equal(lab.refused?.id, 'hz');
  assert.match(lab.refused?.why ?? '', /whole numbers from 1 to 240/);
  assert.equal(lab.permalink, before);
  lab.set('hz', '30');
  assert.equal(lab.refused, undefined);
  assert.equal(lab.a['hz'], '30');
});

test('a look changes what is looked at alone, and no figures', () => {
  const { lab, changes } = made('hz=20&at=60');
  settle(lab);
  changes.length = 0;
  lab.lookAt(3, 0);
  lab.show('packets');
  assert.deepEqual(changes, ['viewState', 'viewState']);
  assert.deepEqual([lab.viewState.packet, lab.viewState.cube, lab.viewState.show], [3, 0, 'packets']);
});

test('lane B comes as A is, takes the form, is swapped, and goes', () => {
  const { lab } = made('hz=20');
  lab.compareOne('hz', '60');
  assert.deepEqual([lab.setting, lab.b?.['hz'], lab.state.differences], ['b', '60', ['hz']]);
  lab.apply({ lane: 'swap' });
  assert.deepEqual([lab.a['hz'], lab.b?.['hz']], ['60', '20']);
  lab.apply({ lane: 'drop_b' });
  assert.deepEqual([lab.setting, lab.b], ['a', undefined]);
});

test('a key takes a scripted scene over, drives on from the past, and that can be undone', () => {
  const { lab } = made('hz=20&scene=roll&at=120');
  settle(lab);
  lab.seek(60);
  lab.tick(1);
  lab.pause(true);
  assert.deepEqual([lab.scripted, lab.now.last], [false, 61]);
  lab.undo();
  settle(lab);
  assert.equal(lab.now.last, 120);
});

test('play in a loop comes back to its beginning', () => {
  const { lab } = made('hz=20&at=120');
  settle(lab);
  lab.setLoop(30);
  lab.pause(false);
  for (let i = 0; i < 45; i += 1) lab.tick(0);
  lab.pause(true);
  assert.ok(lab.now.at >= 90 && lab.now.at <= 120, String(lab.now.at));
});

test('what a link cannot say is a notice, and the rest of it holds', () => {
  const { lab } = made('hz=9999&constructor=1&loss=7');
  assert.equal(lab.notices.length, 2);
  assert.match(lab.notices.join(' '), /Send rate \(hz\) cannot be "9999".*There is no setting "constructor"/);
  assert.deepEqual([lab.a['hz'], lab.a['loss']], ['10', '7']);
});

test('after a failure nothing goes through, it is told once, and the link stays', () => {
  const { lab, changes } = made('hz=20&seed=9');
  changes.length = 0;
  lab.fail('a first mistake');
  lab.fail('a second one');
  assert.deepEqual(changes.toSorted(), ['failure', 'running']);
  lab.set('hz', '30');
  lab.tick(0);
  assert.deepEqual([lab.failure, lab.running, lab.a['hz']], ['a first mistake', false, '20']);
  assert.throws(() => lab.page.ask('share'), { name: 'Stopped' });
  assert.equal(lab.permalink, 'v=2&hz=20&seed=9&grid=5');
});
