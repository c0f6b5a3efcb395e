// Which section of FORMAT.md, a page of the site, a field was written by.

import type { Settings } from '../lab';
import { rungNamed } from '../tables';

/** The rules of slots, on every rung. */
const lives: readonly string[] = ['lives change', 'lives', 'life changed', 'life'];

/** By the rules' names in packets of bits, with the section's number; other names end in what was done with a number. */
const sections: Readonly<Record<string, readonly string[]>> = {
  s3: ['sequence', 'initial', 'baseline'],
  s4: ['by index', 'count', 'absolute index', 'near index', 'middle index', 'far index', 'changed'],
  s5: ['interacting', 'at rest', 'position changed', 'orientation changed'],
  s6: ['relative position', 'relative orientation'],
  s19: lives,
};

/** The address of the section, of a packet of this strategy and rung. */
export function ruleAddress(rule: string, { strategy, codec }: Settings): string {
  return `./format.html#${section(rule, strategy, codec)}`;
}

function section(rule: string, strategy: Settings['strategy'], codec: Settings['codec']): string {
  switch (strategy) {
    case 'lockstep':
      return 's11';
    case 'sync':
      return /^relative|^delta|small$|large$/.test(rule) ? 'sync-4' : /sequence|count|acked|input|budget/.test(rule) ? 'sync-2' : 'sync-3';
    case 'snapshot':
    case 'game':
      return ofSnapshots(rule, codec);
  }
}

function ofSnapshots(rule: string, codec: Settings['codec']): string {
  const rung = rungNamed(codec);
  if (rung?.cubes === 'modelled' && !lives.includes(rule)) return `s${rung.section}`;
  const named = Object.entries(sections).find(([, rules]) => rules.includes(rule));
  if (named !== undefined) return named[0];
  return /small$|large$/.test(rule) ? 's6' : 's2';
}
