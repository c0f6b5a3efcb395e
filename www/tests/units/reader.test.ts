// What a hostile page sends: bounded in size, depth and rate, before anything else sees it. FUZZ=1000000 runs more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATAGRAM_BYTES_MAX, GUESTS_DATAGRAMS, HOSTS_DATAGRAMS, PART_BYTES_MAX, Reader, readControl, TEXT_MAX } from '../../wire/reader';
import { FAREWELLS, farewell, sentence } from '../../wire/words';

const RUNS = Number(process.env['FUZZ'] ?? 20_000);
let state = Number(process.env['SEED'] ?? 3);
const draw = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

test('texts of control are read, and no other text', () => {
  for (const control of [{ hidden: true }, { hidden: false }, { parcel: 7 }, { ask: 'frames' }, { ask: 'log' }, { end: 'Ann’s “end”, \\ [ { \u{1f600}' }]) {
    assert.deepEqual(readControl(JSON.stringify(control)), control);
  }
  const others = ['', '{', 'null', '[]', '{}', '7', '"end"', '{"parcel":1e9}', '{"parcel":-1}', '{"parcel":1.5}', '{"hidden":3}', '{"ask":"keys"}'];
  const deep = ['['.repeat(130_000), '[['.repeat(200), '{"end":{"end":"x"}}', '{"end":["x"]}', '{"__proto__":{"hidden":true}}', '{"end":"\n"}'];
  const more = ['{"hidden":true,"end":"x"}', ' {"hidden":true}', '{"end":"\u001b[2J"}', `{"end":"${'a'.repeat(TEXT_MAX)}"}`, '{"end":"\\ud"}'];
  for (const text of [...others, ...deep, ...more]) assert.equal(readControl(text), undefined, text.slice(0, 60));
  const alphabet = ['{', '}', '"', ':', '[', 'hidden', 'end', 'parcel', 'true', '9', '\\', 'u', ',', ' '];
  for (let run = 0; run < RUNS; run += 1) {
    const text = Array.from({ length: draw(12) }, () => alphabet[draw(alphabet.length)]).join('');
    const control = readControl(text);
    assert.ok(control === undefined || Object.keys(control).length === 1, text);
  }
});

test('a page of the lab comes near none of the limits', () => {
  const reader = new Reader(GUESTS_DATAGRAMS);
  // A minute of a screen of 240 Hz, a page that stood still for 5 s before it, words, and the longest file.
  for (let frame = 0; frame < 5 * 240; frame += 1) assert.ok(reader.datagram(new Uint8Array(1200), 5_000) !== undefined);
  for (let frame = 0; frame < 60 * 240; frame += 1) {
    const nowMs = 5_000 + (frame * 1000) / 240;
    assert.ok(reader.datagram(new ArrayBuffer(90), nowMs) !== undefined);
    if (frame % 240 === 0) assert.deepEqual(reader.message('{"hidden":true}', nowMs), { hidden: true });
  }
  // A host whose snapshots have 50 parts, 60 times a second.
  const guests = new Reader(HOSTS_DATAGRAMS);
  for (let tick = 0; tick < 600; tick += 1) for (let part = 0; part < 50; part += 1) assert.ok(guests.datagram(new Uint8Array(1200), tick * 16) !== undefined);
  for (let part = 0; part < 1024; part += 1) assert.ok(reader.message(new Uint8Array(PART_BYTES_MAX), 66_000) !== undefined);
  assert.ok(!reader.isBroken);
});

test('what no page of the lab sends is dropped, and a flood of it ends the reading', () => {
  const reader = new Reader(GUESTS_DATAGRAMS);
  // Some words that are none end nothing: another version may have them.
  for (const text of ['{"parcel":8', '[[', '{"wave":true}']) for (let more = 0; more < 50; more += 1) assert.equal(reader.message(text, more * 200), undefined);
  assert.ok(!reader.isBroken);
  // Texts of 130 kB, 125 a second, are read for less than a tenth of a second; and so are other things too long.
  for (const junk of ['['.repeat(130_000), new Uint8Array(PART_BYTES_MAX + 1), null, 7, {}]) {
    const flooded = new Reader(GUESTS_DATAGRAMS);
    let sent = 0;
    for (; !flooded.isBroken; sent += 1) assert.equal(flooded.message(junk, sent * 8), undefined);
    assert.ok(sent <= 12, `${sent}`);
  }
  for (let more = 0; more < 300; more += 1) reader.message('{', 9_800);
  assert.ok(reader.isBroken);
  // Sound ones of a page that was sent away are not read either.
  assert.equal(reader.message('{"hidden":true}', 9e9), undefined);
  assert.equal(reader.datagram(new Uint8Array(9), 9e9), undefined);
});

test('sound datagrams and words are bounded by time, too', () => {
  for (const [send, most] of [
    [(reader: Reader, nowMs: number) => reader.datagram(new Uint8Array(40), nowMs), 5_000],
    [(reader: Reader, nowMs: number) => reader.message('{"hidden":true}', nowMs), 120],
    [(reader: Reader, nowMs: number) => reader.message(new Uint8Array(1), nowMs), 150_000],
  ] as const) {
    const reader = new Reader(GUESTS_DATAGRAMS);
    let taken = 0;
    for (let sent = 0; sent < 200_000; sent += 1) if (send(reader, sent / 200) !== undefined) taken += 1;
    assert.ok(reader.isBroken && taken <= most, `${taken}`);
  }
  assert.equal(new Reader(GUESTS_DATAGRAMS).datagram(new Uint8Array(DATAGRAM_BYTES_MAX + 1), 0), undefined);
});

test('a farewell of the lab is shown as it is, any other as a name is, and no exception of a browser', () => {
  for (const known of Object.values(FAREWELLS)) assert.equal(farewell(`${known}.`), known);
  const shown = farewell(`\u202eYou have won\u0007${'x'.repeat(300)}`);
  assert.match(shown, /^The host ended it: “\u2068\[U\+202E\]You have won␇x+…x{12}\u2069”$/u);
  assert.ok(shown.length < 120);
  assert.equal(sentence(new Error('This is no code')), 'This is no code.');
  const texts = [new TypeError('x is undefined'), new DOMException("Failed to execute 'setRemoteDescription' on 'RTCPeerConnection'"), 'text', undefined];
  for (const error of texts) assert.doesNotMatch(sentence(error), /undefined|Failed|text/);
});
