// Frames while a page is hidden, for pages that somebody else waits for.

import { trusted } from '../shell/trusted';
import url from './clock-worker?worker&url';

const address = trusted('clock-worker', url);

/** Calls back some 60 times a second while the page is hidden. Returns how to end it. */
export function whileHidden(frame: () => void): () => void {
  let worker: Worker | undefined;
  const heed = (): void => {
    worker?.terminate();
    worker = undefined;
    if (!document.hidden) return;
    worker = new Worker(address, { type: 'module' });
    worker.onmessage = frame;
  };
  document.addEventListener('visibilitychange', heed);
  heed();
  return () => {
    document.removeEventListener('visibilitychange', heed);
    worker?.terminate();
    worker = undefined;
  };
}
