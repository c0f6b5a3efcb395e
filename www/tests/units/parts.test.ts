// The two parts of the program: the first one alone does all that the first screen calls, and the page knows what needs the rest.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hasRest, look_up, type Page } from '../../../pkg/snapshot_web';
import { Laboratory } from '../../laboratory';
import { tables } from '../../tables';
import { addTheRest, startFirst } from './wasm';

startFirst();

// A call of the rest throws here: Node.js has no way to load it within the call.
after(() => assert.equal(hasRest(), true, 'the last test adds the rest'));

/** The first screen's reads of an instant, on a laboratory whose histories are whole. */
function read(lab: Laboratory): void {
  for (let now = 0; lab.now.progress !== 'done'; now += 200) lab.work(1000, now, 16);
  lab.tick(0);
  const { page } = lab;
  page.numbers({ recent: { lane: 'a', ids: ['behind_ms', 'delay_ms', 'surface_error_mm.mean', 'bits_per_changed_cube'], seconds: 10 } });
  page.ask({ freezes: { lane: 'a' } });
  page.ask({ troubles: { ticks: 600 } });
  page.ask({ playout: { lane: 'a', ticks: 600 } });
  page.ask({ corrections: { lane: 'a' } });
  page.ask({ traffic: { lane: 'a', from: 0, to: 60 } });
  if ((page.ask({ shown: { reach: 'instant' } }).now?.at ?? 0) > 30) page.ask({ inspect: { lane: 'a' } });
  assert.equal(lab.failure, undefined);
}

const drive = (lab: Laboratory, ticks: number, keys = 0): void => {
  for (let tick = 0; tick < ticks; tick += 1) lab.tick(keys);
};

test('the first screen opens, runs, is driven, looks back, cuts and shares', async () => {
  const lab = new Laboratory('');
  drive(lab, 120);
  read(lab);
  drive(lab, 60, 1);
  lab.tick(0, true);
  lab.seek(60);
  lab.find('loss', true);
  lab.stepBack();
  lab.step();
  assert.match(await lab.share(), /=/);
  lab.restart();
  read(lab);
});

test('each control of the front, each rung of packed bits and each scene is of the first part', () => {
  const needs = (page: Page, id: string, text: string): boolean => page.ask({ needs_rest: { lane: 'a', id, text } });
  const lab = new Laboratory('#grid=8');
  drive(lab, 60);
  for (let level = 1; level <= 16; level += 1) {
    lab.apply({ lane: { quantise: { lane: 'a', level } } });
    read(lab);
  }
  const choices = (id: string): string[] => lab.row(id)?.choices?.map((choice) => choice.id) ?? [];
  const loads: string[] = [];
  for (const id of ['interp', 'codec', 'scene', 'strategy', 'clock', 'class']) {
    for (const choice of choices(id)) {
      if (needs(lab.page, id, choice)) loads.push(choice);
      else lab.set(id, choice);
      drive(lab, 20);
      read(lab);
    }
    lab.open('#grid=8');
  }
  assert.deepEqual(loads, ['predicted', 'simulated', 'sync', 'lockstep', 'game']);
  for (const [id, text] of [
    ['hz', '60'],
    ['loss', '20'],
    ['jitter', '30'],
    ['mtu', '1200'],
  ] as const) {
    lab.set(id, text);
    read(lab);
  }
});

test('a second lane and another link are of the first part', () => {
  const lab = new Laboratory('#grid=8');
  drive(lab, 60);
  lab.set('hz', '20', 'b');
  read(lab);
  lab.open('#grid=8&b.interp=hermite&show=packets&cube=3');
  read(lab);
  assert.ok(lab.b !== undefined);
});

test('a setting and a link that need the rest wait for it with a notice, and nothing changes where it does not come', async () => {
  const lab = new Laboratory('#grid=8');
  drive(lab, 30);
  const before = lab.permalink;
  for (const act of [
    () => lab.set('codec', 'predicted'),
    () => lab.open('#grid=8&strategy=sync'),
    () => lab.apply({ lane: { preset: { lane: 'a', place: 0 } } }),
  ]) {
    act();
    assert.match(lab.notices.join(), /Loading the rest/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.match(lab.notices.join(), /did not arrive/);
    assert.deepEqual([lab.permalink, lab.failure, lab.notices.length], [before, undefined, 1]);
  }
});

test('with the rest every strategy and rung goes on from the same lab', async () => {
  const lab = new Laboratory('#grid=8');
  drive(lab, 60);
  addTheRest();
  for (const rung of tables().rungs) {
    lab.set('codec', rung.name);
    read(lab);
  }
  for (const strategy of tables().strategies) {
    lab.set('strategy', strategy.id);
    drive(lab, 20);
    read(lab);
  }
  lab.open('#strategy=game&predict=own');
  drive(lab, 30);
  read(lab);
  assert.deepEqual([look_up({ link_needs_rest: { link: '#strategy=game' } }, new Uint8Array()), lab.a.strategy], [true, 'game']);
});
