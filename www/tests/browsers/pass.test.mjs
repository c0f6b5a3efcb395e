// One pass through the built page, by label and role, in each browser that is there.
// @ts-check

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { drivenChromium, drivenFirefox, drivenWebKit } from './drivers.mjs';
import { serve } from './site.mjs';

const { FIREFOX = '', WEBKIT_DRIVER = '', MINI_BROWSER = '' } = process.env;
/** @type {[name: string, begin: (() => Promise<import('./drivers.mjs').Driver>) | string][]} */
const browsers = [
  ['Chromium', drivenChromium],
  ['Firefox', FIREFOX === '' ? 'Firefox is not there' : () => drivenFirefox(FIREFOX)],
  ['WebKitGTK', WEBKIT_DRIVER === '' ? 'WebKitWebDriver, MiniBrowser or Xvfb is not there' : () => drivenWebKit(WEBKIT_DRIVER, MINI_BROWSER)],
];

/** A pass takes some 30 s on a busy machine: three that hang shall not cost a quarter of an hour. */
const TIMEOUT_MS = 180_000;

/** Functions of the page: the first element in sight of a role with a name, by the label that a person sees or hears. */
const FIND = `(() => {
  const tags = { button: 'button, summary', slider: 'input[type=range]', textbox: 'input[type=text], textarea', combobox: 'select', tab: '[role=tab]', dialog: 'dialog' };
  const nameOf = (element) => {
    const by = element.getAttribute('aria-labelledby');
    const label = element.getAttribute('aria-label') ?? (by && document.getElementById(by)?.textContent) ?? element.labels?.[0]?.textContent ?? element.textContent;
    return label.trim().replace(/\\s+/g, ' ');
  };
  window.find = (role, name) =>
    [...document.querySelectorAll('[role=' + role + '], ' + (tags[role] ?? role))].find((element) => element.checkVisibility() && nameOf(element) === name);
})()`;

/** @param {import('./drivers.mjs').Driver} driver */
function person(driver) {
  /** @param {string} expression */
  const ask = async (expression) => JSON.parse(await driver.run(expression));
  /** Waits for a true value. @param {string} expression */
  const until = async (expression, ms = 60_000) => {
    for (const end = Date.now() + ms; ; ) {
      const value = await ask(expression).catch(() => undefined);
      if (value) return value;
      if (Date.now() > end) assert.fail(`never true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  /** @param {string} role @param {string} name */
  const found = (role, name) => `find(${JSON.stringify(role)}, ${JSON.stringify(name)})`;
  return {
    ask,
    until,
    found,
    /** @param {string} url */
    open: async (url) => {
      await driver.go(url);
      await until(`document.documentElement.dataset.ready !== undefined`);
      await ask(FIND);
    },
    /** At a share of its width. @param {string} role @param {string} name */
    click: async (role, name, share = 0.5) => {
      await until(`${found(role, name)} !== undefined`);
      const [x, y] = await ask(`(() => {
        const element = ${found(role, name)};
        element.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = element.getBoundingClientRect();
        return [left + ${share} * width, top + height / 2];
      })()`);
      await driver.click(x, y);
    },
  };
}

const PLACES = {
  Packet: ['Bits', 'Packets', 'Link', 'Errors'],
  Compare: ['A and B', 'Trade-off', 'Ladder'],
  'Your game': ['Judge', 'Widths', 'Verdict'],
  Read: ['Challenge', 'Contents'],
};

/**
 * Front, each control, each figure, a file judged, Share, reload, offline. Returns the verdict.
 * @param {import('./drivers.mjs').Driver} driver
 */
async function pass(driver) {
  const { ask, until, found, open, click } = person(driver);
  const { site, close } = await serve();
  try {
    await open(site);
    for (const [name, share] of /** @type {const} */ ([
      ['Send rate', 0.7],
      ['Quantisation', 0.2],
      ['Packet loss', 0.7],
    ])) {
      await until(`${found('slider', name)} !== undefined`);
      const before = await ask(`${found('slider', name)}.value`);
      await click('slider', name, share);
      await until(`${found('slider', name)}.value !== ${JSON.stringify(before)}`);
    }
    await click('button', 'hermite');
    await until(`${found('button', 'hermite')}.getAttribute('aria-pressed') === 'true'`);
    await click('button', 'Your game');
    for (const [place, names] of Object.entries(PLACES)) {
      await click('button', place);
      for (const name of names) {
        await click('tab', name);
        await until(`document.querySelector('[role=tabpanel]:not([hidden])').textContent.trim().length > 40 && ${found('tab', name)}.ariaSelected === 'true'`);
      }
    }
    await open(`${site}#v=2&hz=20&grid=5&at=30`);
    await ask(`(async () => {
      const files = new DataTransfer();
      files.items.add(new File([await (await fetch('./docs/motion-example.csv')).blob()], 'game.csv'));
      const field = document.querySelector('#motion');
      field.files = files.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await until(`document.querySelector('lab-played').textContent.includes('plays: 3 objects')`);
    await click('button', 'Your game');
    // It is done when all rates are tried.
    await until(`document.querySelector('lab-verdict lab-line-chart') !== null && document.querySelector('lab-verdict progress') === null`, 120_000);
    // Browsers differ in the marks around a name, and in empty lines.
    const verdict = await ask(`document.querySelector('.verdict-summary').innerText.replace(/[\\u2068\\u2069]/g, '').replace(/\\s+/g, ' ').trim()`);
    await click('button', 'Share');
    assert.match(await until(`${found('textbox', 'Link')}?.value`), /motion=[0-9a-f]{8}/);
    await click('button', 'Close');
    await open(`${site}#v=2&hz=20&grid=5`);
    await ask('void setTimeout(() => location.reload(), 50)');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await until(`document.documentElement.dataset.ready !== undefined && location.hash.includes('grid=5')`);
    await until(`navigator.serviceWorker.ready.then(() => true)`);
    close();
    await open(`${site}?offline#v=2&hz=20&grid=6&at=60`);
    await until(`document.querySelector('.clock').textContent === '1.00 s'`);
    return verdict;
  } finally {
    close();
  }
}

/** @type {Map<string, string>} */
const verdicts = new Map();
for (const [name, begin] of browsers) {
  const skip = typeof begin === 'string' ? begin : false;
  test(`${name}: front, controls, figures, a file judged, Share, reload, offline`, { skip, timeout: TIMEOUT_MS }, async () => {
    const driver = await /** @type {() => Promise<import('./drivers.mjs').Driver>} */ (begin)();
    try {
      if (name === 'WebKitGTK') assert.equal(await driver.run('navigator.language'), '"C"');
      verdicts.set(name, await pass(driver));
      // All say the same, to the digit.
      assert.equal(verdicts.get(name), [...verdicts.values()][0]);
    } finally {
      await driver.close();
    }
  });
}
after(() => setTimeout(() => process.exit(), 1000).unref());
