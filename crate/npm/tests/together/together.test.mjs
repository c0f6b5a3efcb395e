// One server, and clients in Rust, C, Node.js and a page of Chromium at once. They lose 5 % both ways, join late, and the server
// is killed once. No object may differ. `DURATION` has seconds; `cargo xtask test apart` builds the programs.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { args, executablePath } from '../../../../www/tests/chromium.mjs';
import { root, target } from '../packed.mjs';
import { play } from './player.mjs';

const DURATION_MS = 1000 * Number(process.env.DURATION ?? 10);
const PACKETS_S = 25;
const rust = join(root, 'target/debug/together');
const folder = mkdtempSync(join(tmpdir(), 'snapshot-together-'));
const children = [];
const sockets = [];

/** A program whose lines are kept. */
function start(lines, program, ...words) {
  const child = spawn(program, words.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const whole = (rest + text).split('\n');
    rest = whole.pop();
    lines.push(...whole);
  });
  return child;
}

async function udp() {
  const socket = createSocket('udp4');
  sockets.push(socket);
  await new Promise((bound) => socket.bind(0, '127.0.0.1', bound));
  return socket;
}

/** A client in this process. */
async function playHere(lines, port, seed, endMs) {
  const api = await import(join(target, 'npm/index.js'));
  await api.init();
  const socket = await udp();
  const { receive } = play(
    api,
    seed,
    endMs,
    (bytes) => socket.send(bytes, port, '127.0.0.1'),
    (line) => lines.push(line),
  );
  socket.on('message', receive);
}

/** A client in a page. Its datagrams go by Playwright's bindings to a socket here. */
async function playInPage(page, lines, port, seed, endMs) {
  const socket = await udp();
  await page.exposeFunction('say', (line) => lines.push(line));
  await page.exposeFunction('post', (bytes) => socket.send(Uint8Array.from(bytes), port, '127.0.0.1'));
  await page.evaluate(
    async ([seed, endMs]) => {
      const api = await import('/npm/index.js');
      const { play } = await import('/player.mjs');
      await api.init();
      window.client = play(api, seed, endMs, (bytes) => window.post([...bytes]), window.say);
    },
    [seed, endMs],
  );
  socket.on('message', (bytes) => page.evaluate((bytes) => window.client.receive(Uint8Array.from(bytes)), [...bytes]).catch(() => {}));
}

/** The files of the package, for the page. */
async function serveFiles() {
  const types = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };
  const server = createServer(({ url }, response) => {
    const [type] = Object.entries(types)
      .filter(([ending]) => url.endsWith(ending))
      .map(([, type]) => type);
    const file = url === '/player.mjs' ? fileURLToPath(new URL('player.mjs', import.meta.url)) : join(target, url);
    response.setHeader('Content-Type', type ?? 'text/html');
    response.end(type ? readFileSync(file) : '<!doctype html><title>A client</title>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Decoded snapshots and shown instants of a client. An instant has the ticks around it that the client had. */
function read(lines) {
  const [decoded, shown] = [[], []];
  let [held, last, counts] = [[], '', [0, 0, 0, 0]];
  for (const [kind, ...words] of lines.map((line) => line.split(' '))) {
    if (kind === 'E') counts = words.map(Number);
    const [run, tick, hash, atMs] = words;
    if (kind === 'D') {
      decoded.push({ run, tick: Number(tick), hash, atMs: Number(atMs) });
      // The snapshot with which a client joins is a baseline, and not shown.
      if (run !== last) held = [];
      else if (held.length === 0 || Number(tick) > held[0]) held.push(Number(tick));
      last = run;
    }
    if (kind === 'S' && run === last) {
      const due = held.filter((one) => one <= Number(tick)).length;
      // One before the shown snapshot is held, for tangents.
      held.splice(0, Math.max(0, due - 2));
      shown.push({ instant: `${run} ${tick}`, around: held.slice(0, Math.min(due, 2) + 2).join(' '), hash });
    }
  }
  return { decoded, shown, counts };
}

test('clients in four languages show the same objects as their server', { timeout: DURATION_MS + 60_000 }, async (t) => {
  const inC = join(folder, 'together');
  execFileSync(
    'cc',
    [
      '-std=c99',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-g',
      '-fsanitize=address,undefined',
      '-I',
      join(target, 'c/include'),
      'crate/c/tests/together.c',
      '-o',
      inC,
      `-L${join(target, 'c')}`,
      '-l:libsnapshot.a',
      '-lpthread',
      '-ldl',
      '-lm',
    ],
    { cwd: root },
  );
  const files = await serveFiles();
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${files.address().port}/`);
    const port = await udp().then((socket) => {
      const { port } = socket.address();
      sockets.splice(sockets.indexOf(socket), 1);
      socket.close();
      return port;
    });

    const startMs = Date.now();
    const endMs = startMs + DURATION_MS;
    const until = (share) => sleep(Math.max(0, startMs + share * DURATION_MS - Date.now()));
    const truth = [];
    const server = start(truth, rust, 'serve', port, 1, endMs + 1000);
    const players = {};
    const joins = async (name, begin) => {
      const lines = [];
      players[name] = { lines, startMs: Date.now() };
      await begin(lines);
    };
    await joins('Rust', (lines) => start(lines, rust, 'play', port, 101, endMs));
    await until(0.08);
    await joins('Node.js', (lines) => playHere(lines, port, 102, endMs));
    await until(0.16);
    await joins('C', (lines) => start(lines, inC, port, 103, endMs));
    await until(0.24);
    await joins('page', (lines) => playInPage(page, lines, port, 104, endMs));
    await until(0.5);
    server.kill('SIGKILL');
    const restartMs = Date.now();
    await once(server, 'exit');
    start(truth, rust, 'serve', port, 2, endMs + 1000);
    await until(0.75);
    await joins('Rust, late', (lines) => start(lines, rust, 'play', port, 105, endMs));
    await until(1);
    await sleep(1500);

    const sent = new Map(truth.map((line) => line.split(' ')).map(([, run, tick, hash]) => [`${run} ${tick}`, hash]));
    const byInstant = new Map();
    let [compared, differ, instants, shownCompared, shownDiffer] = [0, 0, 0, 0, 0];
    for (const [name, { lines, startMs }] of Object.entries(players)) {
      const { decoded, shown, counts } = read(lines);
      for (const { run, tick, hash } of decoded) {
        compared += 1;
        differ += Number(sent.get(`${run} ${tick}`) !== hash);
      }
      for (const { instant, around, hash } of shown) {
        const key = `${instant}: ${around}`;
        const before = byInstant.get(key);
        byInstant.set(key, before ?? hash);
        shownCompared += Number(before !== undefined);
        shownDiffer += Number(before !== undefined && before !== hash);
        instants += 1;
      }
      const again = decoded.find(({ run }) => run === '2');
      assert.ok(again, `${name} did not come back: ${lines.slice(-3)}`);
      const [all, allLost, got, gotLost] = counts;
      const first = decoded[0].run === '1' ? `, again in ${again.atMs - restartMs} ms` : '';
      t.diagnostic(
        `${name}: joined in ${decoded[0].atMs - startMs} ms${first}; ${decoded.length} snapshots decoded; ` +
          `${allLost} of ${all} sent datagrams lost, ${gotLost} of ${got} received ones`,
      );
      const dueMs = Math.max(0, endMs - startMs - 2500);
      assert.ok(decoded.length > (0.5 * PACKETS_S * dueMs) / 1000, `${name}: ${decoded.length}`);
      assert.ok(gotLost > 0.02 * got && gotLost < 0.1 * got, `${name}: ${gotLost} of ${got}`);
    }
    t.diagnostic(`${compared} decoded snapshots compared with the server's: ${differ} differ`);
    t.diagnostic(`${shownCompared} of ${instants} shown instants compared with another client's: ${shownDiffer} differ`);
    assert.equal(differ, 0);
    assert.equal(shownDiffer, 0);
    assert.ok(shownCompared > DURATION_MS / 50, `${shownCompared}`);
  } finally {
    children.forEach((child) => child.kill('SIGKILL'));
    sockets.forEach((socket) => socket.close());
    await browser.close();
    files.close();
    rmSync(folder, { recursive: true });
  }
});
