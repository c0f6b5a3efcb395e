// What bandwidth is held against: the articles' goal for the whole scene or, where there is one, the budget in force.

import { lab } from '../lab';
import { facts } from '../tables';

export function goal(): { name: string; kbps: number } {
  const budget = lab.a.live.budget_kbps;
  return budget === undefined ? { name: 'goal', kbps: facts.goal_kbps } : { name: 'budget', kbps: budget };
}
