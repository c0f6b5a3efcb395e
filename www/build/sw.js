// The worker that keeps the site: `VERSION` and `FILES` are put before it by the build. It serves a file only if its bytes have the
// SHA-256 hash that the build lists: a page may write into the cache, and a disk may damage it.
// @ts-check
/* global VERSION, FILES */

/** @type {any} */
const worker = self;
const OURS = 'snapshot-lab';
const NAME = `${OURS} ${worker.registration.scope} ${VERSION}`;
/** The caches of versions that served whatever was in them. */
const UNVERIFIED = `${OURS}-`;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keepAll()));

/** Whole or not at all, past the browser's own cache. */
async function keepAll() {
  try {
    const all = await Promise.all(Object.keys(FILES).map(fetched));
    if (all.includes(undefined)) throw new TypeError('a file is not the one that the build lists');
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
  if ((await caches.keys()).some((name) => name.startsWith(UNVERIFIED))) await worker.skipWaiting();
}

worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(forgetOthers()));

async function forgetOthers() {
  const names = (await caches.keys()).filter((name) => name.startsWith(UNVERIFIED) || name.startsWith(`${OURS} ${worker.registration.scope} `));
  await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
}

// The version before asks for it.
worker.addEventListener('message', () => worker.skipWaiting());

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { scope } = worker.registration;
  // In a frame the host's own headers decide.
  if (request.method !== 'GET' || !request.url.startsWith(scope) || request.destination === 'iframe') return;
  const file = new URL(request.url).pathname.slice(new URL(scope).pathname.length) || './';
  if (Object.hasOwn(FILES, file)) event.respondWith(answer(request, file));
});

/**
 * @param {Request} request
 * @param {string} file
 */
async function answer(request, file) {
  const { waiting } = worker.registration;
  // A page that runs may still ask for files of this version: a newer one begins at the reload of the only page.
  if (waiting && Reflect.get(request, 'isReloadNavigation') && (await worker.clients.matchAll()).length < 2) {
    waiting.postMessage('begin');
    const newer = await fetch(request).catch(() => undefined);
    if (newer?.ok) return newer;
  }
  const kept = await verified(await (await caches.open(NAME)).match(file), file);
  // Another answer of the host is of another version.
  return kept ?? (await fetched(file).catch(() => undefined)) ?? fetch(request).catch((error) => unmended(request, error));
}

/**
 * Says of a page that is damaged here, and that no network mends, which press mends it.
 * @param {Request} request
 * @param {unknown} error
 */
function unmended(request, error) {
  if (request.mode !== 'navigate') throw error;
  const said = 'The copy of this page that the browser keeps is damaged, and there is no network to mend it. Connect, then press Reload (Ctrl+R or F5).';
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Snapshot Lab</title><h1>Snapshot Lab</h1><p role="alert">${said}</p>`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'none'" };
  return new Response(html, { status: 503, headers });
}

/**
 * Fetches a file past the browser's own cache, and keeps it if it is the listed one.
 * @param {string} file
 */
async function fetched(file) {
  const response = await verified(await fetch(file, { cache: 'no-cache' }), file);
  if (response !== undefined) await (await caches.open(NAME)).put(file, response.clone());
  return response;
}

/**
 * Returns the listed file, with headers of our own; undefined if these are other bytes.
 * @param {Response | undefined} response
 * @param {string} file
 */
async function verified(response, file) {
  if (!response?.ok) return undefined;
  const bytes = await response.arrayBuffer();
  const hash = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))));
  const [listed = '', type = ''] = FILES[file] ?? [];
  return hash === listed ? new Response(bytes, { headers: { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' } }) : undefined;
}
