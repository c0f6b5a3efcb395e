// Settings that change nothing as the others stand, and those that few people need: the form folds them.

import { lab } from '../lab';
import { rungNamed } from '../tables';

/** Settings of the link that a preset sets, and that few people set by hand. */
const LINK = ['most', 'corr', 'order', 'badloss', 'badms', 'stall', 'stallms', 'stallat', 'drift'];

/** Folded as long as they stand as they did at first. */
const SELDOM = new Set(['dup', 'reorder', 'mtu', 'header', 'grid', 'speed', 'vel', 'pos-small', 'pos-large', 'rot-small', 'rot-large', ...LINK]);

/** Returns true if no value of a setting would change anything now. */
export function isIdle(id: string): boolean {
  const settings = lab.shownSettings;
  if (id === 'burst') return settings['loss'] === '0';
  if (id === 'badloss' || id === 'badms') return settings['loss'] === '0';
  if (id === 'queue' || id === 'neighbour') return settings['rate'] === '0';
  if (id === 'stallms' || id === 'stallat') return settings['stall'] === '0';
  if (settings['strategy'] !== 'snapshot') return false;
  const rung = rungNamed(settings['codec']);
  if (rung === undefined) return false;
  switch (id) {
    case 'class':
      return rung.cubes !== 'modelled';
    case 'pos':
      return rung.position === 'float';
    case 'rot':
      return rung.orientation === 'float';
    case 'vel':
      return rung.linear_velocity !== 'integer';
    case 'pos-small':
    case 'pos-large':
      return rung.position !== 'relative';
    case 'rot-small':
    case 'rot-large':
      return rung.orientation !== 'relative';
    default:
      return false;
  }
}

export function isSeldom(id: string): boolean {
  return SELDOM.has(id) || id.startsWith('back.');
}
