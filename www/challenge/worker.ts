// Starts the Worker, which the page's policy allows for this one address alone.

import url from './judge?worker&url';
import type { Answer, Task } from './tasks';

const policy = window.trustedTypes?.createPolicy('challenge-worker', {
  createScriptURL: (address) => {
    if (address !== url) throw new TypeError(`${address} is not the challenge's Worker`);
    return address;
  },
});

/** Has a task done, a Worker to each: its memory goes with it. Returns how to end it, whether it is done or not. */
export function start(task: Task, hear: (answer: Answer) => void): () => void {
  // Only the older type of the constructor knows no trusted addresses.
  const address = (policy?.createScriptURL(url) ?? url) as string;
  const worker = new Worker(address, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => hear(data);
  worker.onerror = (event) => {
    event.preventDefault();
    hear({ refused: event.message || 'The judge could not be loaded: reload the page' });
  };
  worker.postMessage(task);
  return () => {
    // What it has said already could still arrive.
    worker.onmessage = worker.onerror = null;
    worker.terminate();
  };
}
