// In Firefox a link gives the same figures to the last bit as in node, whose engine is Chromium's. Nothing drives the browser: the
// page that it opens plays every link and sends back what it got. `cargo xtask test wasm` builds the wasm and says where Firefox is.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Page } from '../../../target/node/snapshot_web.js';

const TICKS = 300;
const TIMEOUT_MS = 120_000;

const links = [
  '#scene=katamari&hz=60&codec=predicted&loss=5',
  '#scene=mixed&hz=20&interp=slerp&codec=arithmetic&class=strict&jitter=33',
  '#scene=blow&strategy=sync&loss=10',
  '#scene=roll&strategy=lockstep&transport=tcp&loss=5',
];

/**
 * Runs in the browser, and in node.
 * @param {typeof import('../../../target/node/snapshot_web.js').Page} Page
 * @param {string} link
 * @param {number} ticks
 */
function play(Page, link, ticks) {
  const page = new Page(link);
  for (let tick = 0; tick < ticks; tick += 1) page.tick(0);
  // The way through JSON makes an absent value null.
  const report = JSON.stringify(page.report());
  page.free();
  return report;
}

const script = `
  import init, { Page } from './snapshot_web.js';
  ${play}
  let answer;
  try {
    await init();
    answer = ${JSON.stringify(links)}.map((link) => play(Page, link, ${TICKS}));
  } catch (error) {
    answer = String(error);
  }
  await fetch('./answer', { method: 'POST', body: JSON.stringify(answer) });
`;

/** @type {Record<string, [string, string | Buffer]>} */
const files = {
  '/': ['text/html', '<!doctype html><title>Equality</title><script type="module" src="./script.js"></script>'],
  '/script.js': ['text/javascript', script],
  '/snapshot_web.js': ['text/javascript', readFileSync('pkg/snapshot_web.js')],
  '/snapshot_web_bg.wasm': ['application/wasm', readFileSync('pkg/snapshot_web_bg.wasm')],
};

test('Firefox plays every link as node does', { timeout: TIMEOUT_MS }, async () => {
  const firefox = process.env.FIREFOX;
  assert.ok(firefox, 'FIREFOX names the program');
  /** @type {(answer: unknown) => void} */
  let answered = () => {};
  const answer = new Promise((resolve) => (answered = resolve));
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      let body = '';
      for await (const part of request) body += part;
      response.end();
      answered(JSON.parse(body));
      return;
    }
    const [type, body] = files[request.url ?? ''] ?? [];
    response.writeHead(type === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const browser = spawn(firefox, ['--headless', '--no-remote', '--profile', profile, `http://127.0.0.1:${port}/`], { stdio: 'ignore' });
  try {
    const ended = once(browser, 'exit').then(() => 'Firefox ended without an answer');
    assert.deepEqual(
      await Promise.race([answer, ended]),
      links.map((link) => play(Page, link, TICKS)),
    );
  } finally {
    browser.kill();
    server.close();
    server.closeAllConnections();
    await Promise.race([once(browser, 'exit'), new Promise((resolve) => setTimeout(resolve, 5000))]);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
