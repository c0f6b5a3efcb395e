// What bandwidth is held against: the budget in force, or the limit that a person has set, or else the articles' goal for the whole scene.

import { lab } from '../lab';
import { tables } from '../tables';

export function goal(): { name: string; kbps: number } {
  const live = lab.now.a;
  if (live.strategy === 'sync') return { name: 'budget', kbps: live.budget_kbps };
  const limit = lab.viewState.limits.kbps;
  return limit === null ? { name: 'goal', kbps: tables().goal_kbps } : { name: 'limit', kbps: limit };
}
