// Lane A's strategy, its words, and what is shown with some strategies alone: data-with names them.

import type { RungRow, StrategyRow, StrategyWords } from '../../pkg/snapshot_web';
import { lab, type Settings } from '../lab';
import { follow } from '../signals';
import { rungNamed, tables } from '../tables';

export type Strategy = Settings['strategy'];

export function strategy(): Strategy {
  return lab.a.strategy;
}

/** The row of a lane's strategy: A's, unless another one is given. */
export function strategyRow(of = strategy()): StrategyRow {
  return tables().strategies.find(({ id }) => id === of) as StrategyRow;
}

export const wordsOf = (of = strategy()): StrategyWords => strategyRow(of).words;

/** Lane A's rung; none where it sends no snapshots. */
export function rungOfA(): RungRow | undefined {
  return strategy() === 'snapshot' ? rungNamed(lab.a.codec) : undefined;
}

export function showByStrategy(): void {
  follow(() => {
    document.documentElement.dataset['strategy'] = strategy();
    for (const part of document.querySelectorAll<HTMLElement>('[data-with]'))
      part.classList.toggle('of-others', part.dataset['with']?.split(' ').includes(strategy()) !== true);
  });
}
