// In Firefox and WebKitGTK a link gives the same figures to the last bit as in node, whose engine is Chromium's. The page that the
// browser opens plays every link and sends back what it got. `cargo xtask test apart` builds the wasm and says where the browsers are.

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
  for (let tick = 0; tick < ticks; tick += 1) page.tick(0, false);
  // The way through JSON makes an absent value null.
  const report = JSON.stringify(page.ask('report'));
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
  '/snapshot_web_rest.wasm': ['application/wasm', readFileSync('pkg/snapshot_web_rest.wasm')],
};

/**
 * Has a browser open an address. `ended` is fulfilled if the browser ends by itself.
 * @typedef {(url: string) => Promise<{ ended: Promise<unknown>, close: () => Promise<unknown> }>} Begin
 */

/** @type {(program: string) => Begin} */
const firefox = (program) => async (url) => {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const browser = spawn(program, ['--headless', '--no-remote', '--profile', profile, url], { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  return {
    ended,
    close: async () => {
      browser.kill();
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))]);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** @type {(program: string, browser: string) => Begin} */
const webKit = (program, browser) => async (url) => {
  const { drivenWebKit } = await import('../../../www/tests/browsers/drivers.mjs');
  const driver = await drivenWebKit(program, browser);
  await driver.go(url);
  return { ended: new Promise(() => {}), close: driver.close };
};

const { FIREFOX = '', WEBKIT_DRIVER = '', MINI_BROWSER = '' } = process.env;
/** @type {[name: string, is: boolean, begin: Begin][]} */
const browsers = [
  ['Firefox', FIREFOX !== '', firefox(FIREFOX)],
  ['WebKitGTK', WEBKIT_DRIVER !== '', webKit(WEBKIT_DRIVER, MINI_BROWSER)],
];

for (const [name, is, begin] of browsers) {
  test(`${name} plays every link as node does`, { skip: is ? false : `${name} is not there`, timeout: TIMEOUT_MS }, async () => {
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
    const browser = await begin(`http://127.0.0.1:${port}/`);
    try {
      const ended = browser.ended.then(() => `${name} ended without an answer`);
      assert.deepEqual(
        await Promise.race([answer, ended]),
        links.map((link) => play(Page, link, TICKS)),
      );
    } finally {
      await browser.close();
      server.close();
      server.closeAllConnections();
    }
  });
}
