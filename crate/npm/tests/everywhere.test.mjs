// The packed package in the oldest Node.js that it names and the newest one, in a page with an import map, in a worker, and in
// the example with three.js. The settings have rung 13, which the build `full` has. `cargo xtask test apart` builds it before.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { args, executablePath } from '../../../www/tests/chromium.mjs';
import { makeProject, root } from './packed.mjs';

const NEWEST_NODE = '26.10.0';
const { project, installed, remove } = makeProject();
const expected = readFileSync(join(root, 'crate/npm/tests/verdict.tsv'), 'utf8').trim().split('\n');
let files;
let browser;
let page;

before(async () => {
  for (const name of ['verdict.mjs', 'verdict.json']) cpSync(join(root, 'crate/npm/tests', name), join(project, name));
  cpSync(join(installed, 'example'), project, { recursive: true });
  cpSync(join(root, 'node_modules/three/build'), join(project, 'node_modules/three/build'), { recursive: true });
  const types = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm', json: 'application/json' };
  files = createServer(({ url }, response) => {
    const file = join(project, new URL(url, 'http://localhost').pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader('Content-Type', types[file.split('.').at(-1)] ?? 'text/plain');
    return response.end(readFileSync(file));
  });
  await once(files.listen(0, '127.0.0.1'), 'listening');
  browser = await chromium.launch({ executablePath, args });
  page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  page.on('pageerror', (error) => assert.fail(error));
});

after(async () => {
  await browser?.close();
  files?.close();
  remove();
});

const open = (name) => page.goto(`http://127.0.0.1:${files.address().port}/${name}`);

/** Node.js of a version, from the registry. It is kept for the next time. */
function node(version) {
  const folder = join(root, 'target/node', version);
  const program = join(folder, 'node_modules/node/bin/node');
  const install = ['install', '--no-audit', '--no-fund', '--silent', '--prefix', folder, `node@${version}`];
  if (!existsSync(program)) execFileSync('npm', install, { cwd: root });
  return program;
}

const oldest = /\d[\d.]*/.exec(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).engines.node)[0];

for (const version of [oldest, NEWEST_NODE]) {
  test(`Node.js ${version} sends the bytes of a verdict's settings`, () => {
    const program = join(project, 'rows.mjs');
    writeFileSync(
      program,
      `import * as api from 'snapshot-codec/full';
      import { playAll } from './verdict.mjs';
      await api.init();
      console.log(process.version, ...playAll(api));`,
    );
    const said = execFileSync(node(version), [program], { encoding: 'utf8' });
    assert.equal(said.trim(), [`v${version}`, ...expected].join(' '));
  });
}

test('the example over UDP shows the object of its server', async () => {
  const programs = ['server', 'client'].map((role) => spawn(process.execPath, ['udp.mjs', role], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] }));
  try {
    for await (const line of programs[1].stdout.setEncoding('utf8')) {
      if (/^501 [0-9.]+$/m.test(line)) return;
    }
    assert.fail('the client ended');
  } finally {
    programs.forEach((program) => program.kill());
  }
});

test('the jitter buffer stands still less often with a longer delay, and shows an older instant', async () => {
  const { play } = await import(pathToFileURL(join(project, 'jitter-buffer.mjs')).href);
  const { init } = await import(pathToFileURL(join(installed, 'index.js')).href);
  await init();
  const [short, long] = [play(50), play(250)];
  assert.ok(short.stillPercent > 10 && long.stillPercent < 2, `${short.stillPercent} and ${long.stillPercent} % still`);
  assert.ok(long.ageMs - short.ageMs > 100, `${short.ageMs} and ${long.ageMs} ms`);
});

test('a page with an import map sends the same bytes', async () => {
  writeFileSync(
    join(project, 'plain.html'),
    `<!doctype html><title>A page</title>
    <script type="importmap">{ "imports": { "snapshot-codec/full": "./node_modules/snapshot-codec/full/index.js" } }</script>
    <script type="module">
      import * as api from 'snapshot-codec/full';
      import { playAll } from './verdict.mjs';
      await api.init();
      window.rows = playAll(api);
    </script>`,
  );
  await open('plain.html');
  const rows = await page.waitForFunction(() => window.rows);
  assert.deepEqual(await rows.jsonValue(), expected);
});

test('a worker sends the same bytes, from the module inside the script', async () => {
  writeFileSync(
    join(project, 'worker.js'),
    `import * as api from './node_modules/snapshot-codec/full/inline.js';
    import { playAll } from './verdict.mjs';
    await api.init();
    postMessage(playAll(api));`,
  );
  writeFileSync(
    join(project, 'worker.html'),
    `<!doctype html><title>A worker</title>
    <script>new Worker('./worker.js', { type: 'module' }).onmessage = ({ data }) => { window.rows = data; };</script>`,
  );
  await open('worker.html');
  const rows = await page.waitForFunction(() => window.rows);
  assert.deepEqual(await rows.jsonValue(), expected);
});

test('the example with three.js draws moving cubes', async () => {
  await open('index.html');
  await page.waitForFunction(() => document.querySelector('output').value === '40 are shown.');
  const pictures = [];
  for (let i = 0; i < 2; i += 1) {
    await sleep(500);
    pictures.push(await page.screenshot());
  }
  assert.ok(!pictures[0].equals(pictures[1]), 'nothing moves');
});
