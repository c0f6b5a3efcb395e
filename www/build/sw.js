// The worker that keeps the site: `VERSION` and `FILES` are put before it by the build. Every file but the pages has its contents'
// hash in its name, so a page that runs goes on with the files that it came with, whatever is kept since.
// @ts-check
/* global VERSION, FILES */

/** @type {any} */
const worker = self;
const PREFIX = 'snapshot-lab-';
const NAME = `${PREFIX}${VERSION}`;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keepAll()));

/** Whole or not at all, past the browser's own cache; the next page that is loaded is of it. */
async function keepAll() {
  try {
    const cache = await caches.open(NAME);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
  } catch (error) {
    // An empty cache would pass for the version before, and push out the real one.
    await caches.delete(NAME);
    throw error;
  }
  await worker.skipWaiting();
}

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(forgetAllButTwo());
});

/** The version before is kept as well: pages of it may still be open. */
async function forgetAllButTwo() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
}

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(worker.registration.scope)) event.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  // A host may say that its answers vary by who asks; the files do not.
  const how = { ignoreSearch: true, ignoreVary: true };
  const own = await (await caches.open(NAME)).match(request, how);
  // A page of another version asks for files of its own.
  return own ?? (await caches.match(request, how)) ?? fetch(request);
}
