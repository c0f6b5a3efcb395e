// The site, kept by the browser: it opens without a network after the first visit.

import { trusted } from './trusted';

/** The worker written beside the page by the build (vite.config.ts). */
const WORKER = './sw.js';

/** Starts the worker that keeps the site. Without one the page works as before: this never fails. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD) return;
  try {
    register();
  } catch {
    // Where a frame has no origin of its own, even asking whether there are workers throws.
  }
}

/** The key under which a tab notes that the kept site was forgotten. */
const FORGOTTEN = 'site-forgotten';

/**
 * Forgets the kept site once a tab, for a page that did not start. Returns true if a reload may start it; false if the network does
 * not answer, so that the kept site stays; undefined if there is none, or it was forgotten before.
 */
export async function forgetSite(): Promise<boolean | undefined> {
  try {
    if (!navigator.serviceWorker.controller || sessionStorage.getItem(FORGOTTEN) !== null) return undefined;
    // The worker keeps all files but itself.
    if (!(await fetch(WORKER, { cache: 'no-store' }).catch(() => undefined))?.ok) return false;
    sessionStorage.setItem(FORGOTTEN, '');
    for (const name of await caches.keys()) if (name.startsWith('snapshot-lab')) await caches.delete(name);
    await (await navigator.serviceWorker.getRegistration())?.unregister();
    return true;
  } catch {
    return undefined;
  }
}

function register(): void {
  if (!('serviceWorker' in navigator)) return;
  // A private window may refuse it, and so may a host that is no secure context.
  navigator.serviceWorker.register(trusted('offline-worker', WORKER)).catch(() => {});
}
