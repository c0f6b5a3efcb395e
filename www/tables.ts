// Tables and facts, as Rust has them: rungs, kinds of bits (their colours are in css/figures.css), and facts that no setting changes.

import { type BitKind, bit_kinds, type FixedFacts, fixed_facts, type RungRow, rung_rows } from '../pkg/snapshot_web';
import { lab } from './lab';

/** By number. */
export const rungs: readonly RungRow[] = rung_rows();

/** In the order in which they are shown. */
export const kinds: readonly BitKind[] = bit_kinds();

/** Facts that no setting changes. */
export const facts: FixedFacts = fixed_facts();

export function rungNamed(name: string | undefined): RungRow | undefined {
  return rungs.find((rung) => rung.name === name);
}

/** Lane A's rung; none where it sends no snapshots. */
export function rungOfA(): RungRow | undefined {
  return lab.a.settings.strategy === 'snapshot' ? rungNamed(lab.a.settings.codec) : undefined;
}
