// Starts the Worker of files, which the page's policy allows for this one address alone.

import { trusted } from '../shell/trusted';
import type { Answer, Task, Wishes } from './file-tasks';
import url from './file-worker?worker&url';

const address = trusted('file-worker', url);

/** Has a Worker of its own do a task. The Worker's memory ends with the Worker. Returns how to end it, whether it is done or not. */
export function start(task: Task, hear: (answer: Answer) => void): () => void {
  return startWorker(task, hear).end;
}

/** The same with a way to tell a running verdict of other wishes. */
export function startWorker(task: Task, hear: (answer: Answer) => void): { end: () => void; wish: (wishes: Wishes) => void } {
  const worker = new Worker(address, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => hear(data);
  worker.onerror = (event) => {
    event.preventDefault();
    hear({ refused: event.message || 'The part of the page that reads files could not be loaded: reload the page' });
  };
  worker.postMessage(task, 'read' in task ? [task.read.buffer] : []);
  const end = (): void => {
    // What it has said already could still arrive.
    worker.onmessage = worker.onerror = null;
    worker.terminate();
  };
  return { end, wish: (wishes) => worker.postMessage({ wishes }) };
}
