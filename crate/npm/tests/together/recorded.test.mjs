// A client of the packed package records, and Rust replays: all is shown and sent as in JavaScript.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeProject, root } from '../packed.mjs';

const { project, installed, remove } = makeProject();
after(remove);

const load = async (folder) => {
  const api = await import(pathToFileURL(join(installed, folder, 'index.js')).href);
  await api.init();
  return api;
};

const settings = { objects: 8, rung: 'arithmetic', fields: [{ name: 'health', bits: 7, counter: true }] };
const [secret, nonce] = [new Uint8Array(16).fill(3), new Uint8Array(8).fill(7)];
const ticket = new TextEncoder().encode('a ticket that nobody else may see');

/** Five seconds over a link that loses every tenth datagram, with inputs, messages and a client that leaves. */
function play(server, client) {
  let sent = 0;
  const passes = () => (sent += 1) % 10 !== 0;
  const toClient = (now) => (_, bytes) => void (passes() && client.receive(now, bytes));
  for (let tick = 1; tick <= 300; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let due; (due = client.nextInput(now)) !== undefined; ) client.input(due, Uint8Array.of(due & 255));
    if (tick === 200) client.message(new TextEncoder().encode('hello'));
    for (let bytes; (bytes = client.send(now)); ) {
      if (!passes()) continue;
      const { answer, joins } = server.receive(now, 'an address', bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit(joins);
    }
    const peer = server.peer('an address');
    if (peer !== undefined) server.input(peer, tick);
    server.nextMessage();
    const objects = Array.from({ length: 8 }, (_, i) => ({ id: i, position: [tick / 60 + i, Math.sin(tick / 20), 1], fields: { health: 100 - i } }));
    server.tick(now, tick, objects, toClient(now), (_, id) => (id === 2 ? 'detail' : id !== 5));
    client.show(now);
  }
  server.receive(5010, 'an address', client.goodbye());
}

function replayed(name, bytes) {
  const file = join(project, name);
  writeFileSync(file, bytes);
  return spawnSync(join(root, 'target/debug/examples/replay'), [file], { encoding: 'utf8' });
}

test('what JavaScript recorded is replayed by Rust to the bit', async () => {
  const { Client, Server } = await load('full');
  const client = new Client(settings, ticket, nonce, { mostBytes: 4e6 });
  play(new Server(settings, secret), client);
  const { recording } = client;
  assert.ok(!Buffer.from(recording).includes('that nobody else may see'), 'it tells the token');
  const { status, stdout, stderr } = replayed('client', recording);
  assert.match(stdout, /\nequal\n$/, stdout + stderr);
  assert.equal(status, 0);
  assert.ok(Number(/^(\d+) calls/.exec(stdout)[1]) > 800, stdout);
  // A byte of a datagram is another one: the replay refuses it, or says where it differs.
  const spoiled = recording.slice();
  spoiled[spoiled.length >> 1] ^= 1;
  assert.notEqual(replayed('spoiled', spoiled).status, 0);
});

test('who does not record has nothing, and a build without recordings says so', async () => {
  const usual = await load('');
  assert.equal(new usual.Client(settings).recording, undefined);
  assert.throws(() => new usual.Client(settings, ticket, nonce, { mostBytes: 1e6 }), /snapshot-codec\/full has/);
  const full = await load('full');
  assert.equal(new full.Client(settings).recording, undefined);
  assert.throws(() => new full.Client(settings, ticket, nonce, { mostBytes: -1 }), /record\.mostBytes -1/);
  assert.throws(() => new full.Client(settings, ticket, nonce, { mostBytes: 1e6, all: true }), /there is no "all"/);
  const little = new full.Client(settings, ticket, nonce, { mostBytes: 10 });
  little.send(0);
  assert.ok(little.recording.length <= 1000);
});
