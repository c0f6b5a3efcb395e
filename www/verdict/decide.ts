// The verdict in its Worker: a measurement at a time, so that wishes are heard in between.

import { type Decided, Decision, type Wishes } from '../../pkg/snapshot_web';
import type { Bytes } from '../motion/file-tasks';

/** The newest wishes that the verdict has not heard of. */
let wished: Wishes | undefined;
let wake = (): void => {};

/** Takes other wishes for the verdict that runs. */
export function wish(wishes: Wishes): void {
  wished = wishes;
  wake();
}

/** Works at a verdict on a subject, and tells of each step. It never ends by itself: with all done it waits for other wishes. */
export async function decide({ subject, wishes }: { subject: Bytes; wishes: Wishes }, tell: (decided: Decided) => void): Promise<void> {
  const decision = new Decision(subject);
  // Newer wishes may have come while this Worker started.
  wished ??= wishes;
  for (;;) {
    const newWishes = wished;
    wished = undefined;
    const decided = decision.step(newWishes);
    tell(decided);
    await new Promise<void>((resolve) => {
      wake = resolve;
      // A wish that came while it worked is waiting as a message: it is heard before this.
      if (!decided.done) setTimeout(resolve);
    });
  }
}
