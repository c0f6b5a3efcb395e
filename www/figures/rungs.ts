// Which rungs send integers.

import { lab } from '../lab';

/** The first rung whose positions are integers, and that whose orientations are. */
export const INTEGER_POSITIONS = 5;
export const INTEGER_ORIENTATIONS = 1;

/** The number of lane A's rung; none of those above where it sends no snapshots. */
export function rungNumber(): number {
  const choices = lab.schemaOfAll.find(({ id }) => id === 'codec')?.choices ?? [];
  return lab.a.settings['strategy'] === 'snapshot' ? choices.findIndex(({ id }) => id === lab.a.settings['codec']) : -1;
}
