// The bottleneck's queue over the held minute, as the line of time draws it.

import type { State } from '../../pkg/snapshot_web';
import { isNarrow } from '../figures/link-data';
import { lab } from '../lab';

interface Wait {
  tick: number;
  /** ms; the queue's whole length of a packet that found it full. */
  ms: number;
}

/** Waits of lane A's packets. Reading a minute of packets takes 100 ms, so only those that are new are read. */
export class QueueOverTime {
  private waits: Wait[] = [];
  private until = -1;
  private of: State | undefined;

  /** The waits of the held ticks, by rising tick; none without a bottleneck, or while they are being worked out. */
  read(): readonly Wait[] {
    if (!isNarrow('a') || lab.now.progress !== 'done') {
      this.forget();
      return [];
    }
    const { first, last } = lab.now;
    if (lab.state !== this.of || last < this.until) this.forget();
    this.of = lab.state;
    const full = Number(lab.a.queue);
    const packets = last > this.until ? (lab.ask({ traffic: { lane: 'a', from: Math.max(this.until + 1, first), to: last } })?.packets ?? []) : [];
    for (const { tick, delay_by_cause: parts, lost_by: by } of packets) {
      const ms = by === 'queue' ? full : parts?.['queue'];
      if (ms !== undefined) this.waits.push({ tick, ms });
    }
    this.until = last;
    while ((this.waits[0]?.tick ?? first) < first) this.waits.shift();
    return this.waits;
  }

  private forget(): void {
    [this.waits, this.until] = [[], -1];
  }
}
