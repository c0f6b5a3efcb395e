// What only some strategies bring with them is shown with those alone: data-with names them.

import { lab, type Settings } from '../lab';

export type Strategy = Settings['strategy'];

export function strategy(): Strategy {
  return lab.a.settings.strategy;
}

export function showByStrategy(): void {
  const show = (): void => void (document.documentElement.dataset['strategy'] = strategy());
  lab.on(['settings'], show);
  show();
}
