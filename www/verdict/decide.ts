// The verdict in its Worker: a measurement at a time, so that limits are heard in between.

import { type Decided, Decision, type Limits } from '../../pkg/snapshot_web';
import type { Bytes } from '../motion/file-tasks';

/** The newest limits that the verdict has not heard of. */
let wished: Limits | undefined;
let wake = (): void => {};

/** Takes other limits for the verdict that runs. */
export function wish(limits: Limits): void {
  wished = limits;
  wake();
}

/** Works at a verdict on a subject, and tells of each step. It never ends by itself: with all done it waits for other limits. */
export async function decide({ subject, limits }: { subject: Bytes; limits: Limits }, tell: (decided: Decided) => void): Promise<void> {
  const decision = new Decision(subject);
  // Newer limits may have come while this Worker started.
  wished ??= limits;
  for (;;) {
    const newLimits = wished;
    wished = undefined;
    const decided = decision.step(newLimits);
    tell(decided);
    await new Promise<void>((resolve) => {
      wake = resolve;
      // Limits that came while it worked are waiting as a message: they are heard before this.
      if (!decided.done) setTimeout(resolve);
    });
  }
}
