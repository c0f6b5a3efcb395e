// The verdict in its Worker: a slice of work at a time, so that wishes are heard in between.

import { type Decided, type Wishes, Work } from '../../pkg/snapshot_web';
import type { Decision } from '../motion/file-tasks';

const SLICE_MS = 60;
/** Time between two messages that tell of nothing but the finished share. */
const SHARE_EVERY_MS = 200;

/** The newest wishes that the verdict has not heard of. */
let wished: Wishes | undefined;
let wake = (): void => {};

/** Takes other wishes for the verdict that runs. */
export function wish(wishes: Wishes): void {
  wished = wishes;
  wake();
}

/** Works at a verdict, and tells of what is new and of the finished share. It never ends by itself: with all done it waits for other wishes. */
export async function decide({ parts, link, trace, wishes }: Decision, tell: (decided: Decided) => void): Promise<void> {
  const files = trace === undefined ? parts : [...parts, trace.file];
  const verdict = new Work({ decide: { link, trace_begins_ms: trace?.begins_ms } }, files);
  wished = wishes;
  for (let sentAt = 0; ; ) {
    const hasNewWishes = wished !== undefined;
    if (wished !== undefined) verdict.wish(wished);
    wished = undefined;
    const more = verdict.work(SLICE_MS);
    const now = performance.now();
    const decided = verdict.progress() as Decided;
    if (hasNewWishes || decided.answer !== undefined || decided.done || now - sentAt >= SHARE_EVERY_MS) {
      tell(decided);
      sentAt = now;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      // A wish that came while it worked is waiting as a message: it is heard before this.
      if (more) setTimeout(resolve);
    });
  }
}
