// Starts the Worker of files, which the page's policy allows for this one address alone.

import { hasRest, type Limits, loadRest } from '../../pkg/snapshot_web';
import { trusted } from '../shell/trusted';
import type { Answer, Task } from './file-tasks';
import url from './file-worker?worker&url';

const address = trusted('file-worker', url);

/** Functions that stop the Workers that run now. */
const running = new Set<() => void>();

/** Stops every Worker, and tells whoever waits for it: another link needs none of them. */
export function stopAll(): void {
  for (const stop of running) stop();
}

/** Has a Worker do a task with one answer. `begun` is told how to end it without one. */
export function asked(task: Task, begun: (end: () => void) => void = () => {}): Promise<Answer> {
  return new Promise((resolve) => {
    const end = start(task, (answer) => {
      end();
      resolve(answer);
    });
    begun(end);
  });
}

/** Has a Worker of its own do a task. The Worker's memory ends with the Worker. Returns how to end it, whether it is done or not. */
export function start(task: Task, hear: (answer: Answer) => void): () => void {
  return startWorker(task, hear).end;
}

/** The same with a way to tell a running verdict of other limits. */
export function startWorker(task: Task, hear: (answer: Answer) => void): { end: () => void; wish: (limits: Limits) => void } {
  const worker = new Worker(address, { type: 'module' });
  // Whoever hears needs the rest of the program, too. It comes from the same place.
  const rest = loadRest().catch(() => {});
  const hearWhole = (answer: Answer): void => void rest.then(() => running.has(stop) && hear(answer));
  worker.onmessage = ({ data }: MessageEvent<Answer>) => (hasRest() ? hear(data) : hearWhole(data));
  worker.onerror = (event) => {
    event.preventDefault();
    hear({ refused: event.message || 'The part of the page that reads files could not be loaded: reload the page' });
  };
  const moved = 'read' in task ? [task.read] : 'ask' in task ? [task.about] : 'decide' in task ? [task.decide.subject] : 'pack' in task ? [task.pack] : [];
  worker.postMessage(
    task,
    moved.map(({ buffer }) => buffer),
  );
  const end = (): void => {
    // What it has said already could still arrive.
    worker.onmessage = worker.onerror = null;
    worker.terminate();
    running.delete(stop);
  };
  const stop = (): void => {
    end();
    hear({ stopped: true });
  };
  running.add(stop);
  return { end, wish: (limits) => worker.postMessage({ limits }) };
}
