// The words of each strategy, and what is shown with some strategies alone: data-with names them.

import type { RungRow } from '../../pkg/snapshot_web';
import { lab, type Settings } from '../lab';
import { follow } from '../signals';
import { rungNamed } from '../tables';

export type Strategy = Settings['strategy'];

interface StrategyWords {
  /** Name of the right view, and the same within a sentence. */
  rightSide: string;
  right: string;
  /** The right view without news: what it does, and what that means. */
  waits: { heading: string; meanwhile: string };
  /** Notes on a count's meaning. */
  notes: { late: string; hitches: string; mismatches: string };
  /** Content of a packet that is counted. */
  carried?: string;
}

const words: Readonly<Record<Strategy, StrategyWords>> = {
  snapshot: {
    rightSide: 'Rebuilt from packets',
    right: 'rebuilt from packets',
    waits: { heading: 'stands still.', meanwhile: 'There is nothing to show next.' },
    notes: {
      late: 'too late to use: all that they could show had been shown',
      hitches: 'frames with nothing to interpolate towards',
      mismatches: 'decoded snapshots that differ from what was sent: never any',
    },
    carried: 'changed cubes',
  },
  sync: {
    rightSide: 'Simulated too, and corrected',
    right: 'simulated too, and corrected by packets',
    waits: { heading: 'simulates on its own.', meanwhile: 'It goes on with the last keys that it heard, and drifts from the truth until news comes.' },
    notes: {
      late: 'too late to use: their time in the jitter buffer was over',
      hitches: 'frames simulated without news: the last input holds',
      mismatches: 'decoded packets that differ from what was sent: never any',
    },
    carried: 'updates',
  },
  lockstep: {
    rightSide: 'Simulated again from the keys',
    right: 'simulated again, from the keys alone',
    waits: { heading: 'waits for a key.', meanwhile: 'The next frame cannot be simulated without its key.' },
    notes: {
      late: 'never any: the receiver waits for each input',
      hitches: 'frames that waited for an input',
      mismatches: 'decoded inputs that differ from what was sent: never any',
    },
  },
  game: {
    rightSide: 'The driver’s screen',
    right: 'the driver’s screen',
    waits: { heading: 'stands still.', meanwhile: 'What is not predicted has nothing to show next.' },
    notes: {
      late: 'never any: a snapshot that comes late still corrects what was predicted',
      hitches: 'frames in which a hand that waits saw nothing newer',
      mismatches: 'decoded snapshots that differ from what was sent: never any',
    },
  },
};

export function strategy(): Strategy {
  return lab.a.settings.strategy;
}

/** The words of a lane's strategy: A's, unless another one is given. */
export function wordsOf(of = strategy()): StrategyWords {
  return words[of];
}

/** Lane A's rung; none where it sends no snapshots. */
export function rungOfA(): RungRow | undefined {
  return strategy() === 'snapshot' ? rungNamed(lab.a.settings.codec) : undefined;
}

export function showByStrategy(): void {
  const show = (): void => {
    document.documentElement.dataset['strategy'] = strategy();
    for (const part of document.querySelectorAll<HTMLElement>('[data-with]'))
      part.classList.toggle('of-others', part.dataset['with']?.split(' ').includes(strategy()) !== true);
  };
  follow(strategy, show);
}
