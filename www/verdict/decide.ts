// The verdict in its Worker: a slice of work at a time, so that wishes are heard in between.

import { IncomingMotion, Verdict, VerdictLink } from '../../pkg/snapshot_web';
import type { Decided, Decision, Wishes } from '../motion/file-tasks';

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
  const over = new VerdictLink(link);
  if (trace !== undefined) over.over(trace.file, trace.begins_ms);
  const [head = new Uint8Array(), ...others] = parts;
  const incoming = new IncomingMotion(head);
  for (const part of others) incoming.add(part);
  const verdict = Verdict.of_motion(incoming, over);
  wished = wishes;
  let sentAt = 0;
  for (let done = 0; ; ) {
    const hasNewWishes = wished !== undefined;
    if (wished !== undefined) hear(verdict, wished);
    wished = undefined;
    const more = verdict.work(SLICE_MS);
    const isNew = hasNewWishes || !more || verdict.parts() !== done;
    done = verdict.parts();
    const now = performance.now();
    if (isNew || now - sentAt >= SHARE_EVERY_MS) {
      const answer = isNew ? verdict.answer() : undefined;
      tell({ share: verdict.share(), done: !more, ...(answer && { answer }) });
      sentAt = now;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      // A wish that came while it worked is waiting as a message: it is heard before this.
      if (more) setTimeout(resolve);
    });
  }
}

function hear(verdict: Verdict, { limits, networks }: Wishes): void {
  verdict.limit(limits.surface_mm, limits.view_mm, limits.delay_ms, limits.age_ms, limits.kbps);
  verdict.choose_networks(networks);
}
