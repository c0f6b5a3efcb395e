// Played as wasm or natively, a link gives the same figures to the last bit, the hashes of every state and of everything shown
// among them. `cargo xtask test wasm` builds both, and leaves out tests named "apart: ", which `cargo xtask test apart` runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { look_up, Page, perform } from '../../../target/node/snapshot_web.js';

const PROGRAM = 'target/debug/snapshot-lab';
const SECONDS = 10;
const TICKS_PER_S = 60;

/** Of each scene, settings of the lane that are unlike the others'. */
const lanes = {
  drive: 'codec=arithmetic&interp=none&latency=200',
  roll: 'codec=predicted&hz=60&loss=5&jitter=33',
  blow: 'codec=index&interp=hermite&burst=3&loss=10',
  katamari: 'hz=30&codec=predicted&class=strict&interp=extrapolate&delay=100&dup=10&reorder=10',
  mixed: 'hz=20&codec=uncompressed&interp=slerp&mtu=1200',
  rest: 'codec=changed-flags&pos=4&rot=4&loss=5',
  crowd: 'strategy=game&predict=own&budget=64&loss=5',
};

/** Links that README's command plays: a scene on the rung that predicts, both other strategies, both ends simulating, a hand. */
const USUAL = ['roll with', 'katamari with', 'codec=simulated&class=strict', 'strategy=sync&scene=blow', 'transport=tcp', 'predict=own'];

/**
 * Names a test by what is played.
 * @param {string} played
 */
function named(played) {
  return USUAL.some((usual) => played.includes(usual)) ? played : `apart: ${played}`;
}

/** Of each scene, the state that the tests of `crate/physics` know it to reach in as long a time. */
const stateHashes = readFileSync('crate/physics/src/state-hashes.txt', 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** @param {string} link */
function playWasm(link) {
  const page = new Page(link);
  assert.deepEqual(page.ask({ shown: { reach: 'all' } }).notices, [], 'the link says what it should');
  for (let tick = 0; tick < SECONDS * TICKS_PER_S; tick += 1) page.tick(0, false);
  // The way through JSON makes a Map an object and an absent value null, as the native program prints them.
  return JSON.parse(JSON.stringify(page.ask('report')));
}

/** @param {string} link */
function playNative(link) {
  const options = ['run', link, '--seconds', String(SECONDS), '--json'];
  return JSON.parse(execFileSync(PROGRAM, options, { encoding: 'utf8' }));
}

assert.deepEqual(
  stateHashes.map(([scene]) => scene),
  Object.keys(lanes),
  'every scene is played',
);

for (const [scene, lane] of Object.entries(lanes)) {
  test(named(`${scene} with ${lane}`), () => {
    const link = `#scene=${scene}&${lane}`;
    const wasm = playWasm(link);
    assert.match(wasm.view_hash, /^[0-9a-f]{16}$/);
    assert.deepEqual(
      [scene, wasm.state_hash],
      stateHashes.find(([known]) => known === scene),
    );
    assert.deepEqual(playNative(link), wasm);
  });
}

/** Where both ends simulate for every packet, nothing may differ in a bit. */
const simulated = ['scene=katamari&grid=12&hz=10&codec=simulated&loss=5&jitter=20', 'scene=mixed&grid=12&hz=10&codec=simulated&class=strict&reorder=10'];

for (const lane of simulated) {
  test(named(lane), () => {
    const link = `#${lane}`;
    const wasm = playWasm(link);
    assert.deepEqual([wasm.decode_mismatches, wasm.packets_refused], [0, 0], 'every packet comes out as it went in');
    assert.deepEqual(playNative(link), wasm);
  });
}

test('apart: every codec sends a capture alike', () => {
  const capture = 'crate/codec/tests/captures/roll.bin.xz';
  /** @type {import('../../../target/node/snapshot_web.js').ChallengeVerdict[]} */
  let verdicts = [];
  perform('challenge', [readFileSync(capture)], (told) => {
    if ('contested' in told) ({ verdicts } = told.contested);
  });
  const wasm = verdicts.map(({ codec, class: of, packets_hash }) => [codec, of, packets_hash]);
  assert.equal(wasm.length, 10);
  /** @type {{ codec: string, class?: string, packets_hash: string, lossless: boolean }[]} */
  const rows = JSON.parse(execFileSync(PROGRAM, ['challenge', capture, '--json'], { encoding: 'utf8' }));
  const native = rows.map(({ codec, class: of, packets_hash, lossless }) => {
    assert.ok(lossless);
    return [codec, of ?? null, packets_hash];
  });
  assert.deepEqual(native.toSorted(), wasm.toSorted());
});

/** Links of the other strategies: over every transport, with what makes right worlds differ, and how corrections are sent and shown. */
const strategies = [
  'strategy=sync&scene=katamari&loss=5&jitter=20&dup=10&reorder=10',
  'strategy=sync&scene=blow&grid=20&both=0&delta=1&rel=1&rest=1&budget=96&adapt=1&loss=10&burst=3&smooth=basic',
  'strategy=sync&scene=mixed&grid=20&soft=1&velocities=0&accumulate=0&hz=20&latency=150&buffer=8&smooth=off',
  'strategy=lockstep&scene=katamari&loss=25&latency=125&jitter=17&delay=100',
  'strategy=lockstep&scene=blow&grid=20&transport=tcp&loss=5&latency=100&hz=30',
  'strategy=lockstep&scene=roll&grid=20&desync=bit',
  'strategy=lockstep&scene=mixed&grid=20&desync=order&header=ipv6',
];

for (const lane of strategies) {
  test(named(lane), () => {
    const link = `#${lane}`;
    const wasm = playWasm(link);
    assert.match(wasm.packets_hash, /^[0-9a-f]{16}$/);
    assert.ok(wasm.packets_sent > 0, 'something is sent');
    if (lane.includes('strategy=sync')) {
      assert.ok(wasm.updates_per_packet_mean > 0, 'the right world is told of cubes');
    } else {
      // A bit is disturbed before the 61st frame; what the order changes shows where cubes touch.
      const frame = lane.includes('desync=bit') ? 61 : wasm.first_desync_frame;
      assert.equal(wasm.first_desync_frame, frame);
      assert.equal(frame === null, !lane.includes('desync'), 'only worlds that are made to differ do');
      assert.ok(wasm.frames_checked > 400, 'the worlds are compared');
    }
    assert.deepEqual(playNative(link), wasm);
  });
}

/** A hand that predicts, over both ways of a bad network, with a rival and with keys that are missing. */
const hands = [
  'predict=touch&scene=mixed&grid=12&rival=script&latency=80&jitter=20&loss=5&repeats=2',
  'predict=own&scene=katamari&grid=12&latency=50&loss=10&repeats=1&missing=release&correct=snap',
];

for (const hand of hands) {
  test(named(`a hand with ${hand}`), () => {
    const link = `#strategy=game&${hand}`;
    const wasm = playWasm(link);
    assert.ok(wasm.corrections > 0, 'it is surprised');
    assert.deepEqual([wasm.decode_mismatches, wasm.packets_refused], [0, 0]);
    assert.deepEqual(playNative(link), wasm);
  });
}

/** A second large cube: a script drives it, or recorded keys do. */
for (const rival of ['script', 'hand&rival-tape=60.AI-hBo78gEC~jH']) {
  test(named(`the rival ${rival}`), () => {
    const link = `#scene=katamari&grid=12&rival=${rival}`;
    const wasm = playWasm(link);
    assert.notEqual(wasm.state_hash, playWasm(link.replace(/rival.*/u, 'rival=hand')).state_hash, 'it drives');
    assert.deepEqual(playNative(link), wasm);
  });
}

test('every strategy and every mode of interpolation is played', () => {
  const { modes, strategies: all } = look_up('tables', new Uint8Array());
  const links = [...Object.values(lanes), ...strategies].join('&');
  const isMissing = (/** @type {string} */ part) => !links.includes(part);
  const missing = [...all.map(({ id }) => `strategy=${id}`), ...modes.map(({ name }) => `interp=${name}`)].filter(isMissing);
  assert.deepEqual(missing, ['strategy=snapshot', 'interp=linear'], 'the defaults alone are not named');
});

test('another seed is another run', () => {
  assert.notEqual(playWasm('#scene=roll&seed=1').state_hash, playWasm('#scene=roll&seed=2').state_hash);
});

/** A script, then a person for 437 ticks, and then nobody; with a cut, a packet dropped by hand, and a lane that began later. */
const RECORDED = '#scene=katamari&hz=60&loss=5&from=60&at=600&cut=200-260&drop=300-303&deliver=310&tape=120.AI-hBo78gEC~jH';

test('what a link says that a person did', () => {
  const wasm = playWasm(RECORDED);
  assert.deepEqual([wasm.settings.scene, wasm.ticks], ['drive', 540], 'the person took over, and the lane began where it did');
  assert.notEqual(wasm.state_hash, playWasm('#scene=katamari&hz=60&loss=5').state_hash);
  assert.deepEqual(playNative(RECORDED), wasm);
});
