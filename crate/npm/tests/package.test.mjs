// The package as its users have it: packed, unpacked into a project of its own, then run by Node.js and built by Vite.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { makeProject, root } from './packed.mjs';

const { project, installed, remove } = makeProject();
let api;

before(async () => {
  api = await import(pathToFileURL(join(installed, 'full/index.js')).href);
  await api.init();
});

after(remove);

const SETTINGS = {
  objects: 40,
  rung: 'predicted',
  fields: [
    { name: 'health', bits: 7, counter: true },
    { name: 'flag', bits: 1 },
  ],
};

/** A server and a client, over a link that loses one packet in `lossEvery`. */
function play({ ticks, lossEvery, restartAt }) {
  const { Client, Server } = api;
  const make = (seed) => new Server(SETTINGS, new Uint8Array(16).fill(seed));
  let server = make(1);
  const client = new Client(SETTINGS, new TextEncoder().encode('ticket'), new Uint8Array(8).fill(7));
  let [sent, shown] = [0, []];
  const passes = () => (sent += 1) % lossEvery !== 0;
  const speed = 0.5;
  for (let tick = 1; tick <= ticks; tick += 1) {
    const now = (tick * 1000) / 60;
    if (tick === restartAt) server = make(2);
    for (let bytes; (bytes = client.send(now)); ) {
      if (!passes()) continue;
      const { answer, joins, token } = server.receive(now, 'client', bytes);
      if (answer && passes()) client.receive(now, answer);
      if (joins !== undefined) {
        assert.equal(new TextDecoder().decode(token), 'ticket');
        server.admit(joins);
      }
    }
    const objects = Array.from({ length: 10 }, (_, i) => ({
      id: 500 + i,
      kind: i,
      position: [(speed * tick) / 60 + i, 0, 1],
      fields: { health: 100 - i, flag: tick % 2 },
    }));
    server.tick(now, tick, objects, (address, bytes) => {
      assert.equal(address, 'client');
      if (passes()) client.receive(now, bytes);
    });
    shown = client.show(now);
  }
  return { client, server, shown, at: (speed * ticks) / 60 };
}

test('a client shows what the server has, over loss and a restart', () => {
  const { client, server, shown, at } = play({ ticks: 900, lossEvery: 20, restartAt: 400 });
  assert.equal(client.status, 'connected');
  assert.equal(client.restarts, 1);
  assert.equal(server.peers, 1);
  assert.equal(shown.length, 10);
  shown.forEach((object, i) => {
    assert.deepEqual([object.id, object.kind, object.fields.health], [500 + i, i, 100 - i]);
    assert.ok(object.position[0] - i > at - 1 && object.position[0] - i < at, `${object.position}`);
    // The identity comes back exactly.
    assert.deepEqual(object.orientation, [0, 0, 0, 1]);
  });
});

test('inputs, messages, figures and pictures go both ways', () => {
  const server = new api.Server(SETTINGS);
  const client = new api.Client(SETTINGS);
  const [atServer, atClient, inputs] = [[], [], []];
  let compared = 0;
  for (let tick = 1; tick <= 240; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let due; (due = client.nextInput(now)); ) client.input(due, client.shown ?? new Uint8Array());
    for (let bytes; (bytes = client.send(now)); ) {
      const { answer, joins } = server.receive(now, 'client', bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit(joins);
    }
    const peer = server.peer('client');
    const shown = peer && server.input(peer, tick);
    if (shown) inputs.push(tick);
    if (client.status === 'connected' && tick % 40 === 0) {
      client.message(new Uint8Array([tick]));
      client.say(new Uint8Array([tick, 1]));
    }
    for (let message; (message = server.nextMessage()); ) {
      assert.equal(message.peer, peer);
      atServer.push(...message.bytes);
      server.message(peer, message.bytes);
    }
    for (let message; (message = client.nextMessage()); ) atClient.push(...message);
    const object = { id: 7, position: [tick / 60, 0, 1], velocity: [1, 0, 0], angularVelocity: [0, 0, 2] };
    const sees = () => (tick > 120 ? 'detail' : true);
    server.tick(now, tick, [object, { id: 8, position: [0, 0, 1] }], (_, bytes) => client.receive(now, bytes), sees);
    const drawn = client.show(now).map(({ teleported, ...others }) => others);
    if (tick === 100) assert.deepEqual([drawn[0].velocity, client.newest().objects[0].angularVelocity], [undefined, undefined]);
    if (tick > 60) {
      const seen = server.seen(peer, client.shown);
      compared += seen.length;
      seen.forEach((object, i) => assert.deepEqual([object.id, object.position], [drawn[i].id, drawn[i].position]));
    }
  }
  const [first, second] = client.newest().objects;
  assert.deepEqual([first.velocity, first.angularVelocity, second.velocity], [[1, 0, 0], [0, 0, 2], undefined]);
  assert.deepEqual([atServer, atClient], [Array(2).fill([40, 40, 1, 80, 80, 1, 120, 120, 1, 160, 160, 1, 200, 200, 1])[0], atServer]);
  assert.ok(inputs.length > 200 && compared > 300, `${inputs.length} ${compared}`);
  const { roundTripMs, sentBytes, lostThere, delayMs } = client.figures;
  const still = client.shownTick;
  client.goLive();
  assert.ok(client.show(4000).length > 0 && client.shownTick >= still);
  assert.ok(roundTripMs < 40 && sentBytes > 500 && lostThere === 0 && delayMs > 0, JSON.stringify(client.figures));
  assert.equal(server.figures(client.peer).delayMs, undefined);
  assert.equal(server.figures(99), undefined);
  server.tick(4017, 241, [], () => {});
  assert.deepEqual(server.changes, { appeared: [], ended: [7, 8] });
  assert.deepEqual(client.changes, { appeared: [], ended: [] });
  assert.throws(() => server.message(99, new Uint8Array()), /165: /);
  assert.throws(() => client.input(1, new Uint8Array(65)), /161: /);
  assert.equal(server.seen(client.peer, new Uint8Array(3)), undefined);
});

test('a server whose world is paused keeps its client', () => {
  const { client, server } = play({ ticks: 120, lossEvery: 1e9 });
  const { peer } = client;
  for (let now = 2250; now < 22_000; now += 250) {
    for (let bytes; (bytes = client.send(now)); ) server.receive(now, 'client', bytes);
    assert.throws(() => server.tick(now, 120, [], (_, bytes) => client.receive(now, bytes)), /newer/);
    assert.deepEqual([client.status, client.peer, server.peers], ['connected', peer, 1], `${now} ms`);
  }
});

test('what is refused has a name or a number', () => {
  const { client } = play({ ticks: 60, lossEvery: 1e9 });
  const refusal = client.receive(2000, new Uint8Array([1, 2, 3]));
  assert.equal(api.errorName(refusal), 'no datagram of a connection');
  assert.equal(api.errorName(7), undefined);
  assert.equal(client.refused, 1);
  assert.throws(() => new api.Server({ objects: 0 }), /^RangeError: objects 0: must be a whole number, 1 to 4096/);
  assert.throws(() => new api.Server({ objects: 4, rung: 'best' }), /must be one of/);
  assert.throws(() => new api.Server({ objects: 4, tickrate: 30 }), /settings: there is no "tickrate"/);
  assert.throws(() => new api.Client({ objects: 4 }, 'a ticket'), /token: must be a Uint8Array/);
  assert.throws(() => new api.Client({ objects: 4 }, new Uint8Array(513)), /106: a token of more than 512 bytes/);
  const server = new api.Server(SETTINGS);
  const objects = [
    { id: 5, position: [0, 0, 1], orientation: [0, 0, 0, 0] },
    { id: 6, position: [0, 0, 1] },
    { id: 7, position: [1000, 0, 0] },
  ];
  const leftOut = server.tick(1, 1, objects, () => {});
  assert.deepEqual(leftOut, [
    { id: 5, why: 129 },
    { id: 7, why: 124 },
  ]);
  assert.equal(api.errorName(124), 'an object outside the bounds');
});

test('a wrong value is refused by its name, and by its kind of error', () => {
  const at = [0, 0, 1];
  const make = (settings) => () => new api.Server({ objects: 4, ...settings });
  const tick =
    (object, number = 1) =>
    () =>
      new api.Server(SETTINGS).tick(1, number, [object], () => {});
  const receive = (now, from) => () => new api.Server(SETTINGS).receive(now, from, new Uint8Array(9));
  const field = { name: 'health', bits: 7 };
  for (const [kind, words, wrong] of [
    [RangeError, /^objects 1.5: /, make({ objects: 1.5 })],
    [TypeError, /^objects: must be a number/, make({ objects: '40' })],
    [RangeError, /^clients -1: /, make({ clients: -1 })],
    [RangeError, /^sendRate NaN: /, make({ sendRate: Number.NaN })],
    [RangeError, /^delayMs -5: /, make({ delayMs: -5 })],
    [RangeError, /^inputRepeats 65: /, make({ inputRepeats: 65 })],
    [TypeError, /^inputLeadMs: must be a number/, make({ inputLeadMs: '20' })],
    [RangeError, /^interpolation "cubic": must be one of none, linear/, make({ interpolation: 'cubic' })],
    [TypeError, /^settings: there is no "input_repeats"/, make({ input_repeats: 3 })],
    [RangeError, /^freezesPerMinute 0: /, make({ freezesPerMinute: 0 })],
    [RangeError, /^speedChange 0.6: /, make({ speedChange: 0.6 })],
    [TypeError, /^bounds.upper: must have 3 numbers/, make({ bounds: { lower: [0, 0, 0], upper: [1, 1] } })],
    [RangeError, /^bounds.lower 0.5: /, make({ bounds: { lower: [0.5, 0, 0], upper: [1, 1, 1] } })],
    [TypeError, /^bits: there is no "positions"/, make({ bits: { positions: 9 } })],
    [TypeError, /^field 0: its name/, make({ fields: [{ ...field, name: 'a\nb' }] })],
    [TypeError, /^field health: counter: must be true or false/, make({ fields: [{ ...field, counter: 1 }] })],
    [TypeError, /^object 7: it has no position/, tick({ id: 7 })],
    [TypeError, /^object 7: position: must have 3 numbers/, tick({ id: 7, position: [0, 0, 1, 0] })],
    [TypeError, /^object 7: velocity: must have 3 numbers/, tick({ id: 7, position: at, velocity: ['1', 0, 0] })],
    [TypeError, /^object at 0: id: must be a number/, tick({ position: at })],
    [RangeError, /^object at 0: id -1: /, tick({ id: -1, position: at })],
    [TypeError, /^object 7: there is no "teleport"/, tick({ id: 7, position: at, teleport: true })],
    [TypeError, /^teleported: must be true or false/, tick({ id: 7, position: at, teleported: 1 })],
    [TypeError, /^object 7: the settings have no field "helth"/, tick({ id: 7, position: at, fields: { helth: 3 } })],
    [RangeError, /^object 7: health 1.7: /, tick({ id: 7, position: at, fields: { health: 1.7 } })],
    [RangeError, /^tick -1: /, tick({ id: 7, position: at }, -1)],
    [RangeError, /^nowMs NaN: must be finite/, receive(Number.NaN, 'a')],
    [TypeError, /^address: /, receive(1, {})],
    [TypeError, /^address: /, receive(1, undefined)],
    [TypeError, /^bytes: must be a Uint8Array/, () => new api.Client(SETTINGS).receive(1, 'text')],
  ]) {
    assert.throws(wrong, (error) => error.constructor === kind && words.test(error.message), String(words));
  }
});

test('what Node.js tells of a datagram is an address, and an exception of a callback is thrown', () => {
  const [server, client] = [new api.Server(SETTINGS), new api.Client(SETTINGS)];
  const addresses = new Set();
  const objects = [{ id: 1, position: [0, 0, 1] }];
  for (let tick = 1; tick <= 30; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let bytes; (bytes = client.send(now)); ) {
      const { answer, joins } = server.receive(now, { address: '127.0.0.1', family: 'IPv4', port: 5000, size: 9 }, bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit(joins);
    }
    server.tick(now, tick, objects, (address, bytes) => {
      addresses.add(address);
      client.receive(now, bytes);
    });
  }
  assert.deepEqual([...addresses], ['127.0.0.1:5000']);
  const sees = () => {
    throw new Error('no such room');
  };
  const ticks = () => [31, 32, 33].forEach((tick) => server.tick(tick * 17, tick, objects, () => {}, sees));
  assert.throws(ticks, { message: 'no such room' });
});

test('its types need Node.js alone, and name the rungs of the codec', () => {
  const main = join(project, 'typed.ts');
  const declared = readFileSync(join(installed, 'index.d.ts'), 'utf8');
  const union = /export type Rung =([^;]*);/.exec(declared)?.[1] ?? '';
  assert.throws(() => new api.Server({ objects: 4, rung: '' }), { message: `rung "": must be one of ${union.match(/[\w-]+/g)?.join(', ')}` });
  const check = (code) => {
    writeFileSync(main, code);
    const tsc = [
      join(root, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022',
    ];
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    execFileSync(process.execPath, [...tsc, ...types, main], { cwd: project, encoding: 'utf8' });
  };
  const uses = "import init, { Client, Server } from 'snapshot-codec';\nawait init(new URL('x', 'file:///'));\nnew Client({ objects: 2 }).send(1);\n";
  check(`${uses}new Server({ objects: 4, rung: 'position' });\n`);
  assert.throws(
    () => check(`${uses}new Server({ objects: 4, rung: 'nonsense' });\n`),
    ({ stdout }) => stdout.includes('nonsense'),
  );
});

test('its types declare each public member, and no other', () => {
  const declared = readFileSync(join(installed, 'index.d.ts'), 'utf8');
  for (const name of ['Server', 'Client']) {
    const block = declared.split(`export class ${name} {`)[1].split('\n}')[0];
    const members = [...block.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, member]) => member);
    assert.deepEqual(members.sort(), Object.getOwnPropertyNames(api[name].prototype).sort());
  }
  const values = [...declared.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...values, 'default'].sort(), Object.keys(api).sort());
});

test('a client that is not admitted is told why', () => {
  const [server, client] = [new api.Server(SETTINGS), new api.Client(SETTINGS, new TextEncoder().encode('forged'))];
  for (let tick = 1; tick <= 60; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let bytes; (bytes = client.send(now)); ) {
      const { answer, joins } = server.receive(now, 'a', bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.refuse(joins, 'no ticket');
    }
    server.tick(now, tick, [], (_, bytes) => client.receive(now, bytes));
  }
  assert.deepEqual([client.status, client.refusal], ['refused', 'no ticket']);
});

test('a budget sends what has the greatest priority, and all in the end', () => {
  const { Client, Server } = api;
  const settings = { objects: 400, budgetKbps: 100 };
  const [server, client] = [new Server(settings), new Client(settings)];
  let peer;
  const missing = [];
  for (let tick = 1; tick <= 360; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let bytes; (bytes = client.send(now)); ) {
      const { answer, joins } = server.receive(now, 'a', bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit((peer = joins));
    }
    const objects = Array.from({ length: 400 }, (_, id) => ({ id, position: [id / 4 + Math.sin(id + tick * 0.1), Math.cos(7 * id + tick * 0.13), 1] }));
    server.tick(
      now,
      tick,
      objects,
      (_, bytes) => client.receive(now, bytes),
      (_, id) => (id < 8 ? 'detail' : 1 / id),
    );
    client.show(now);
    missing.push(client.figures.missingObjects);
    if (tick === 180) server.setBudget(peer, 60);
  }
  assert.ok(Math.max(...missing) > 100 && missing[359] === 0, `${Math.max(...missing)}, ${missing[359]}`);
  const shown = client.newest().objects;
  assert.deepEqual([shown.length, ...shown.slice(0, 8).map(({ ageMs }) => ageMs)], [400, ...Array(8).fill(0)]);
  assert.ok(shown.slice(300).some(({ ageMs }) => ageMs > 0));
  const { sentBytes, sentDatagrams, budgetKbps } = server.figures(peer);
  assert.ok(((sentBytes + 28 * sentDatagrams) * 8) / 1000 < 62, `${sentBytes}`);
  assert.equal(budgetKbps, 60);
  assert.throws(() => server.setBudget(99, 60), /connection/);
  assert.throws(() => new Server({ ...settings, budgetKbps: 1 }), /budgetKbps/);
});

test('interest is a function', () => {
  const { Client, Server } = api;
  const [server, client] = [new Server(SETTINGS), new Client(SETTINGS)];
  let shown = [];
  for (let tick = 1; tick <= 120; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let bytes; (bytes = client.send(now)); ) {
      const { answer, joins } = server.receive(now, 'a', bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit(joins);
    }
    const objects = [1, 2, 3].map((id) => ({ id, position: [id, 0, 1] }));
    server.tick(
      now,
      tick,
      objects,
      (_, bytes) => client.receive(now, bytes),
      (_, id) => id !== 2,
    );
    shown = client.show(now);
  }
  assert.deepEqual(
    shown.map(({ id }) => id),
    [1, 3],
  );
  assert.deepEqual([client.nextEvent(), client.nextEvent()], ['connected', undefined]);
  const { pathThereBytes, pathHereBytes, tooLarge, serverTickRate } = client.figures;
  assert.deepEqual([pathThereBytes, pathHereBytes, tooLarge, serverTickRate], [undefined, undefined, 0, undefined]);
  // Of a host that is named at most eight clients wait.
  const answers = Array.from({ length: 9 }, (_, i) => {
    const other = new Client(SETTINGS, undefined, new Uint8Array(8).fill(i));
    const { answer } = server.receive(2500, `b:${i}`, other.send(2500), 'b');
    other.receive(2500, answer);
    const outcome = server.receive(2500, `b:${i}`, other.send(2500), 'b');
    if (outcome.answer) other.receive(2500, outcome.answer);
    return other.status;
  });
  assert.deepEqual(answers, [...Array(8).fill('connecting'), 'full']);
  const goodbye = client.goodbye();
  server.receive(3000, 'a', goodbye);
  const events = Array.from({ length: 4 }, () => server.nextEvent()?.event);
  assert.deepEqual(events, ['joined', 'playing', 'goodbye', undefined]);
});

test("the README's program runs, from bytes inside the script, too", () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const [, code] = /```js\n([\s\S]*?)```/.exec(readme);
  for (const from of ['', '/inline', '/full', '/full/inline'].map((path) => `snapshot-codec${path}`)) {
    const file = join(project, 'readme.mjs');
    writeFileSync(file, code.replace("'snapshot-codec'", `'${from}'`));
    const said = execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim().split('\n');
    assert.match(said.at(-1), /^501 \[ 1\.\d+, 0, 1 \] 100$/);
  }
});

test('Vite builds it, with the wasm module as a file', () => {
  writeFileSync(join(project, 'index.html'), '<script type="module" src="./main.js"></script>');
  writeFileSync(join(project, 'main.js'), "import init, { Client } from 'snapshot-codec';\nawait init();\nnew Client({ objects: 2 });\n");
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'], { cwd: project });
  const assets = readdirSync(join(project, 'dist/assets'));
  assert.ok(
    assets.some((name) => name.endsWith('.wasm')),
    `${assets}`,
  );
});

test('its size', (t) => {
  const budgets = JSON.parse(readFileSync(join(root, 'budgets.json'), 'utf8'))['npm, kB of Brotli'];
  for (const [folder, most] of [
    ['', budgets.usual],
    ['full/', budgets.full],
  ]) {
    const wasm = readFileSync(join(installed, folder, 'wasm/snapshot_npm_bg.wasm'));
    const kb = brotliCompressSync(wasm).length / 1000;
    t.diagnostic(`${folder}: ${wasm.length} bytes of wasm, ${kb} kB by brotli`);
    assert.ok(kb < most, `${folder} ${kb} kB`);
  }
});

test('the settings of five verdicts send the bytes that they sent', async () => {
  const { playAll } = await import('./verdict.mjs');
  const expected = readFileSync(join(root, 'crate/npm/tests/verdict.tsv'), 'utf8');
  assert.deepEqual(playAll(api), expected.trim().split('\n'));
});
