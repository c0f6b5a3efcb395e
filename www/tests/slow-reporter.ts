// Lists the tests that took above a second at the end of a run, the slowest first: each has a reason, is made smaller, or moves.

import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const LISTED_MS = 1_000;

export default class SlowReporter implements Reporter {
  private readonly slow: [ms: number, name: string][] = [];

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    if (duration > LISTED_MS) this.slow.push([duration, test.titlePath().filter(Boolean).join(' › ')]);
  }

  onEnd(): void {
    if (this.slow.length > 0) console.log('\nTests above 1 s');
    for (const [ms, name] of this.slow.toSorted((a, b) => b[0] - a[0])) console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
  }
}
