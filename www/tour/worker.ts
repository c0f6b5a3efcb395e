// The tour's Worker: measures what steps claim, on a thread of its own, so that no frame waits for it. It is told which steps, in
// the order in which they are wanted, and tells all that it has measured so far; ending it is how it is stopped.

import init, { type TourMeasured, TourMeasuring } from '../../pkg/snapshot_web';

/** Between two looks at what is wanted. */
const PIECE_MS = 40;

let measuring: TourMeasuring | undefined;
let wanted: string[] = [];
let posted = 0;
let working = false;

addEventListener('message', ({ data }: MessageEvent<string[]>) => {
  wanted = data;
  const [first] = wanted;
  if (first !== undefined) measuring?.ask(first);
  if (!working) {
    working = true;
    void start();
  }
});

async function start(): Promise<void> {
  if (measuring === undefined) {
    await init();
    measuring = new TourMeasuring();
    const [first] = wanted;
    if (first !== undefined) measuring.ask(first);
  }
  setTimeout(work);
}

function work(): void {
  if (measuring === undefined) return;
  const more = measuring.work(PIECE_MS);
  const done = measuring.done();
  if (done.length > posted) {
    posted = done.length;
    postMessage(done satisfies TourMeasured[]);
  }
  if (!more) {
    wanted.shift();
    const [next] = wanted;
    if (next === undefined) {
      working = false;
      return;
    }
    measuring.ask(next);
  }
  setTimeout(work);
}
