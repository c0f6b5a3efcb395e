// What the tour's steps claim, measured beside the page: in a Worker of its own, which the page's policy allows for this one address alone.

import type { TourMeasured } from '../../pkg/snapshot_web';
import { trusted } from '../shell/trusted';
import { watched } from '../signals';
import url from './worker?worker&url';

const address = trusted('tour-worker', url);

/** Measures the claims of steps. `changed` is called when there is more of it, or when it has failed for good. */
export class Measuring {
  private worker: Worker | undefined;
  @watched private values: ReadonlyMap<string, number> = new Map();
  /** True if nothing more will be measured. */
  @watched failed = false;

  constructor(private readonly changed: () => void) {}

  /** Measures these steps next, in this order, in place of any that wait. */
  ask(steps: readonly string[]): void {
    if (steps.length === 0) return;
    this.worker ??= this.start();
    this.worker.postMessage(steps);
  }

  /** Gives back processor and memory; what was measured is kept. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  /** The measured figure of a claim of a step; undefined until it is measured. */
  value(step: string, claim: string): number | undefined {
    return this.values.get(`${step} ${claim}`);
  }

  private start(): Worker {
    const worker = new Worker(address, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<TourMeasured[]>) => {
      this.values = new Map([...this.values, ...data.map(({ step, claim, value }) => [`${step} ${claim}`, value] as const)]);
      this.changed();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.failed = true;
      this.changed();
    };
    return worker;
  }
}
