// The shooter's server, and a player in Rust, Node.js and C: each hears the others, hits, and knows his figures.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, target } from '../packed.mjs';

test('players in three languages meet', { timeout: 60_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-shooter-'));
  const inC = join(folder, 'shooter');
  const rust = join(root, 'target/debug/examples/shooter');
  const warnings = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-pedantic', '-g', '-fsanitize=address,undefined'];
  const libraries = ['-l:libsnapshot.a', '-lpthread', '-ldl', '-lm'];
  const c = join(target, 'c');
  execFileSync('cc', [...warnings, '-I', join(c, 'include'), join(c, 'examples/shooter.c'), '-o', inC, `-L${c}`, ...libraries]);
  const socket = createSocket('udp4');
  await new Promise((bound) => socket.bind(0, '127.0.0.1', bound));
  const { port } = socket.address();
  await new Promise((closed) => socket.close(closed));
  const children = [];
  const start = (program, ...words) => {
    const child = spawn(program, words.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const output = { text: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (output.text += text));
    return output;
  };
  try {
    start(rust, 'server', port);
    const players = {
      anna: start(rust, 'client', `127.0.0.1:${port}`, 'anna'),
      carl: start(process.execPath, join(target, 'npm/example/shooter.mjs'), '127.0.0.1', port, 'carl'),
      dora: start(inC, '127.0.0.1', port, 'dora'),
    };
    const isDone = ({ text }) => text.split('\nhit ').length > 4 && /onnected.*ms behind/.test(text) && text.includes(' at ');
    for (let waits = 0; waits < 200 && !Object.values(players).every(isDone); waits += 1) await sleep(200);
    for (const [name, output] of Object.entries(players)) {
      assert.ok(isDone(output) && output.text.includes(`${name} is here`), `${name}: ${output.text}`);
      t.diagnostic(`${name}: ${output.text.split('\n').findLast((line) => line.includes('round trip'))}`);
    }
    const arrivals = Object.values(players).map(({ text }) => text.split(' is here').length - 1);
    assert.ok(Math.max(...arrivals) >= 3, `${arrivals}`);
  } finally {
    children.forEach((child) => child.kill('SIGKILL'));
    rmSync(folder, { recursive: true });
  }
});
