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

function register(): void {
  if (!('serviceWorker' in navigator)) return;
  // A private window may refuse it, and so may a host that is no secure context.
  navigator.serviceWorker.register(trusted('offline-worker', WORKER)).catch(() => {});
}
