// What only some strategies bring with them is shown with those alone: data-with names them.

import { lab } from '../lab';

export type Strategy = 'snapshot' | 'sync' | 'lockstep' | 'game';

export function strategy(): Strategy {
  return lab.a.settings['strategy'] as Strategy;
}

export function showByStrategy(): void {
  const show = (): void => void (document.documentElement.dataset['strategy'] = strategy());
  lab.on(['settings'], show);
  show();
}
