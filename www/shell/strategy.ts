// Lane A's strategy, its words, and what is shown with some strategies alone: data-with names them.

import type { RungRow, StrategyWords } from '../../pkg/snapshot_web';
import { lab, type Settings } from '../lab';
import { follow } from '../signals';
import { rungNamed, tables } from '../tables';

export type Strategy = Settings['strategy'];

export function strategy(): Strategy {
  return lab.a.strategy;
}

/** The words of a lane's strategy: A's, unless another one is given. */
export function wordsOf(of = strategy()): StrategyWords {
  return tables().strategies.find(({ id }) => id === of)?.words as StrategyWords;
}

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
