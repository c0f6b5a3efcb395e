// Chromium by Playwright, Firefox by WebDriver BiDi, WebKitGTK by WebDriver: three acts each, so that one text drives all three.
// @ts-check

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { args, executablePath } from '../chromium.mjs';

/**
 * go: opens an address. run: the JSON of what an expression comes to in the page. click: by the pointer.
 * @typedef {{
 *   go: (url: string) => Promise<unknown>,
 *   run: (expression: string) => Promise<string>,
 *   click: (x: number, y: number) => Promise<unknown>,
 *   close: () => Promise<unknown>,
 * }} Driver
 */

/**
 * press: holds a key down for a time, ms.
 * @typedef {Driver & { press: (key: string, ms: number) => Promise<unknown> }} Firefox
 */

/** Keys of WebDriver, by the names that browsers give them. */
const KEYS = /** @type {Record<string, string>} */ ({ ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015' });

/** @param {number} x @param {number} y */
const clicked = (x, y) => [
  {
    type: 'pointer',
    id: 'pointer',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
];
/** @param {import('node:child_process').ChildProcess} child */
async function ended(child) {
  const exit = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill();
  await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 5000))]);
}

/** @returns {Promise<Driver>} */
export async function drivenChromium() {
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  return {
    go: (url) => page.goto(url),
    run: (expression) => page.evaluate(`(async () => JSON.stringify(await (${expression})) ?? 'null')()`),
    click: (x, y) => page.mouse.click(x, y),
    close: () => browser.close(),
  };
}

/**
 * @param {string} program
 * @param {Record<string, boolean | number>} preferences
 * @returns {Promise<Firefox>}
 */
export async function drivenFirefox(program, preferences = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const flags = ['--headless', '--no-remote', '--width', '1280', '--height', '900', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  const browser = spawn(program, flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    browser.stderr.on('data', (part) => {
      said += part;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (found !== null) resolve(found[1]);
    });
    browser.on('exit', () => reject(new Error(`Firefox ended: ${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Firefox takes no connection'));
  });
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(data);
    waiting.get(answer.id)?.(answer);
  };
  let id = 0;
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const call = (method, params) =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, (answer) => (answer.type === 'error' ? reject(new Error(`${answer.error}: ${answer.message}`)) : resolve(answer.result)));
      socket.send(JSON.stringify({ id, method, params }));
    });
  await call('session.new', { capabilities: {} });
  const [{ context }] = (await call('browsingContext.getTree', {})).contexts;
  return {
    go: (url) => call('browsingContext.navigate', { context, url, wait: 'complete' }),
    run: async (expression) => {
      const answer = await call('script.evaluate', {
        expression: `(async () => JSON.stringify(await (${expression})) ?? 'null')()`,
        target: { context },
        awaitPromise: true,
      });
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
      return answer.result.value;
    },
    click: (x, y) => call('input.performActions', { context, actions: clicked(x, y) }),
    press: (key, ms) => {
      const value = KEYS[key] ?? key;
      const held = [
        { type: 'keyDown', value },
        { type: 'pause', duration: ms },
        { type: 'keyUp', value },
      ];
      return call('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions: held }] });
    },
    close: async () => {
      socket.close();
      await ended(browser);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  return port;
}

/**
 * @param {string} program WebKitWebDriver
 * @param {string} miniBrowser
 * @returns {Promise<Driver>}
 */
export async function drivenWebKit(program, miniBrowser) {
  const port = await freePort();
  // It draws on a screen of its own. Of this locale it makes the language `C`, which Intl does not know.
  const display = `:${100 + (port % 800)}`;
  const screen = spawn('Xvfb', [display, '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], { stdio: 'ignore' });
  const env = {
    ...process.env,
    DISPLAY: display,
    LC_ALL: 'C.UTF-8',
    LIBGL_ALWAYS_SOFTWARE: '1',
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    GDK_BACKEND: 'x11',
  };
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const driver = spawn(program, [`--port=${port}`], { stdio: 'ignore', env });
  const root = `http://127.0.0.1:${port}/session`;
  /** @param {string} path @param {unknown} body @returns {Promise<any>} */
  const call = async (path, body, method = 'POST') => {
    const response = await fetch(`${root}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const { value } = /** @type {{ value: any }} */ (await response.json());
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const options = { binary: miniBrowser, args: ['--automation', '--geometry=1300x950'] };
  let session = '';
  for (let tries = 0; session === ''; tries += 1) {
    try {
      session = (await call('', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } })).sessionId;
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  const at = `/${session}`;
  await call(`${at}/timeouts`, { script: 120_000, pageLoad: 120_000 });
  return {
    go: (url) => call(`${at}/url`, { url }),
    run: async (expression) => {
      const script = `const done = arguments[arguments.length - 1]; (async () => JSON.stringify(await (${expression})) ?? 'null')().then(done, (error) => done('!' + error));`;
      const value = await call(`${at}/execute/async`, { script, args: [] });
      if (value.startsWith('!')) throw new Error(value.slice(1));
      return value;
    },
    click: (x, y) => call(`${at}/actions`, { actions: clicked(x, y) }),
    close: async () => {
      await call(at, undefined, 'DELETE').catch(() => {});
      await ended(driver);
      await ended(screen);
    },
  };
}
