// For courses: a person's own code in a Worker, and the sheets of a group as one table.

import { readFileSync } from 'node:fs';
import { expect, test } from './page';

test('a jitter buffer of one’s own runs under the page’s policy, and is scored beside the lab’s @apart', async ({ page }) => {
  await page.goto('./teacher.html');
  const solution = (await page.locator('#solution').textContent()) ?? '';
  await page.goto('./buffer.html');
  const rows = page.locator('#scores tbody tr');
  await expect(rows).toHaveCount(1, { timeout: 60_000 });
  const run = page.getByRole('button', { name: 'Run it' });
  const numbers = async (row: number): Promise<number[]> => (await rows.nth(row).locator('td').allTextContents()).map(Number.parseFloat);
  const said = page.locator('#said');
  // With its gaps the code runs, and shows ten steps a second.
  await run.click();
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Your code').fill(solution);
  await run.click();
  await expect(rows).toHaveCount(3);
  const [lab, gaps, solved] = [await numbers(0), await numbers(1), await numbers(2)];
  expect(solved[0]).toBeLessThan(0.3 * (gaps[0] ?? 0));
  expect(Math.abs((solved[1] ?? 0) - (lab[1] ?? 0))).toBeLessThan(25);
  expect(solved[2]).toBeLessThan(2 * (lab[2] ?? 0));
  await page.getByLabel('Your code').fill('function receive() {}\nfunction show() { return { part: 2 }; }');
  await run.click();
  await expect(said).toContainText('show() must return');
});

/** Each way out of a Worker or a frame. A probe that throws, rejects or has no answer in a second reaches nothing. */
const ATTACK = `
const later = (start) => new Promise((good, bad) => { start(good, bad); setTimeout(() => bad(new Error('no answer')), 1000); });
const probes = {
  caches: () => caches.open('x').then((cache) => cache.put(new Request('https://example.org/'), new Response('own page'))),
  indexedDB: () => later((good, bad) => { const asked = indexedDB.open('snapshot-lab'); asked.onsuccess = good; asked.onerror = bad; }),
  localStorage: () => localStorage.setItem('a', 'b'),
  sessionStorage: () => sessionStorage.setItem('a', 'b'),
  cookie: () => { document.cookie = 'a=b'; if (document.cookie === '') throw new Error('none is kept'); },
  files: () => navigator.storage.getDirectory(),
  locks: () => navigator.locks.request('x', () => 1),
  serviceWorker: () => navigator.serviceWorker.register('./sw.js'),
  sharedWorker: () => new SharedWorker('./sw.js'),
  fetchOwn: () => fetch(SITE),
  fetchOther: () => fetch('https://example.org/'),
  fetchData: () => fetch('data:,x'),
  xhr: () => { const asked = new XMLHttpRequest(); asked.open('GET', SITE, false); asked.send(); },
  webSocket: () => later((good, bad) => { const socket = new WebSocket('wss://example.org/'); socket.onopen = good; socket.onerror = bad; }),
  webTransport: () => new WebTransport('https://example.org/').ready,
  eventSource: () => later((good, bad) => { const source = new EventSource(SITE); source.onopen = good; source.onerror = bad; }),
  beacon: () => { if (!navigator.sendBeacon('https://example.org/', 'x')) throw new Error('refused'); },
  webRtc: () => later((good, bad) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:example.org' }] });
    peer.createDataChannel('x');
    peer.onicecandidate = ({ candidate }) => candidate && good();
    peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(bad);
  }),
  importScripts: () => importScripts(SITE + 'sw.js'),
  importOwn: () => import(SITE + 'sw.js'),
  importBlob: () => import(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }))),
  evaluate: () => new Function('return 1')(),
  broadcast: () => later((good) => { const channel = new BroadcastChannel('snapshot-lab-files'); channel.postMessage(['motion', 'x']); channel.onmessage = good; }),
  parent: () => parent.document.title,
  topDocument: () => top.document.title,
  topMoves: () => { top.location.href = 'https://example.org/'; },
  opener: () => opener.document.title,
  popup: () => { if (open('https://example.org/') === null) throw new Error('refused'); },
  image: () => later((good, bad) => { const image = new Image(); image.onload = good; image.onerror = bad; image.src = SITE + 'icon.svg'; }),
  clipboard: () => navigator.clipboard.readText(),
};
const probed = async () => {
  const reached = [];
  for (const [name, probe] of Object.entries(probes)) {
    try { await probe(); reached.push(name); } catch {}
  }
  return reached.join(' ') || 'nothing';
};
`;

test.describe(() => {
  test.use({ expectedError: /./, serviceWorkers: 'allow' });

  test('an attacker’s code reaches neither storage, network, other pages nor the page, and a loop without an end is ended @apart', async ({
    page,
    baseURL,
  }) => {
    await page.goto('./buffer.html');
    const run = page.getByRole('button', { name: 'Run it' });
    const said = page.locator('#said');
    const code = page.getByLabel('Your code');
    await expect(run).toBeEnabled({ timeout: 60_000 });
    const asked: string[] = [];
    // A policy refuses before the network is asked.
    await page.route('**', (route) => {
      asked.push(route.request().url());
      return route.continue();
    });
    const attack = `const SITE = ${JSON.stringify(baseURL)};${ATTACK}`;
    await code.fill(
      `${attack}\nonmessage = async () => postMessage({ error: 'reached: ' + (await probed()) });\nObject.defineProperty(self, 'onmessage', { set() {} });`,
    );
    await run.click();
    await expect(said).toContainText('reached: nothing', { timeout: 30_000 });
    // The frame's own window, where no foreign code runs: a beacon that says yes is not sent, as the requests below show.
    const [frame] = page.frames().slice(1);
    expect(await frame?.evaluate(`(async () => { ${attack}; return probed(); })()`)).toBe('beacon webRtc');
    expect(asked).toEqual([]);
    expect(new URL(page.url()).pathname).toMatch(/buffer\.html$/);
    expect(await page.evaluate(async () => [await caches.has('x'), localStorage.getItem('a')])).toEqual([false, null]);
    await code.fill('for (;;);');
    await run.click();
    // The page answers meanwhile.
    await page.getByRole('heading', { level: 1 }).click({ timeout: 2000 });
    await expect(said).toHaveText('It did not end within 10 s.', { timeout: 15_000 });
    await code.fill('postMessage(new MessageChannel().port1);');
    await run.click();
    await expect(said).not.toHaveText('Running…');
    await code.fill('postMessage({ still: 0, behindMs: "<b>", errorMm: null });');
    await run.click();
    await expect(said).toHaveText('Its answer is no score.');
  });
});

test('the sheets of a group become one table, dropped together, and one file @apart', async ({ page }) => {
  await page.goto('./teacher.html');
  const sheet = (name: string, first: string, second: string): string =>
    `step,question,guess,answer,guess is,why,reason is,link,name,date,note\ntwo-copies,"Which, then?",a,a,${first},"one, two",${second},http://x/#step=two-copies,${name},,\nby-hand,q,a,a,right,,,http://x/#step=by-hand,,,\n`;
  const files = ['Ada', 'Bo'].map((name, place) => ({
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(sheet(name, 'right', place === 0 ? 'right' : 'wrong')),
  }));
  const other = { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') };
  await page.getByLabel('Course sheets').setInputFiles([...files, other]);
  await expect(page.locator('#sheets [role=status]')).toHaveText(
    /^2 sheets\. No course sheet, or one too many: “.other\.csv.”\. “.Ada\.csv.” does not fit the course, and these are left out: row 3: no such step\./,
  );
  const cells = await page.locator('#group tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  expect(cells).toEqual([
    ['Name', 'Guesses', 'Reasons', 'two-copies'],
    ['Ada', '100 %', '100 %', '✓✓'],
    ['Bo', '100 %', '0 %', '✓✗'],
    ['All', '100 %', '50 %', '100 %, 50 %'],
  ]);
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the table' }).click();
  expect(readFileSync(await (await coming).path(), 'utf8')).toContain('Bo,100 %,0 %,✓✗');
});
