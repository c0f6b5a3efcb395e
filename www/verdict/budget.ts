// A budget for each player where the link's capacity is known: what it costs near a player and far away.

import { html, nothing } from 'lit';
import type { VerdictAnswer } from '../../pkg/snapshot_web';
import { button } from '../shell/button';
import { measure } from '../shell/format';
import { table, tableRow, wide } from '../shell/parts';

export function budgetParts({ budget, window }: VerdictAnswer, copy: (what: string, text: string) => void) {
  if (budget === null) return nothing;
  const { capacity_kbps, budget_kbps, players, near_m, rows, offered, home } = budget;
  const whole = rows[0];
  const link = html`The link carries ${measure(capacity_kbps)} kbit/s to a player.`;
  if (whole === undefined) {
    return html`<h3>A budget</h3>
      <p>${link} Whole snapshots of every tried rate fit into ${measure(budget_kbps)} kbit/s, so a budget is not needed.</p>`;
  }
  const best = offered === null ? undefined : rows[offered];
  const heads = ['Packets a second', 'kbit/s a player', 'near: surface error p95, mm', 'far: surface error p95, mm', 'age, ms'];
  const figures = rows.map((row) => {
    const isBest = row === best;
    const name = html`${row.rate_hz}, ${row.budget_kbps === null ? 'all objects' : `budget of ${measure(row.budget_kbps)}`}${isBest ? html` <strong>offered</strong>` : nothing}`;
    return tableRow(name, [measure(row.kbps), measure(row.near_mm_p95), measure(row.far_mm_p95), Math.round(row.behind_ms)], isBest);
  });
  return html`<h3>A budget</h3>
    <p>
      ${link} ${
        best === undefined || home === null
          ? 'No budget is better near a player or in age, and not worse in the other.'
          : html`With a budget of ${measure(budget_kbps)} kbit/s and ${best.rate_hz} packets a second, near objects are ${measure(best.near_mm_p95)} mm off at p95 instead of
              ${measure(whole.near_mm_p95)}, and far ones ${measure(best.far_mm_p95)} instead of ${measure(whole.far_mm_p95)}.
              ${button('Copy', () => copy('The settings with a budget', JSON.stringify(home, null, 2)), { label: 'Copy the settings with a budget' })}`
      }
    </p>
    ${wide('A budget', table('Whole snapshots at the recommended rate, and budgets', heads, figures))}
    <p class="caption">
      The package's server and ${players} players, ${measure(window.seconds)} s over the set network, each with a seed of its own. A player is at one of the ${players} objects that go the
      longest ways. Near is within ${measure(near_m)} m of it, where a tenth of the objects is. The nearer an object, the more often a packet has it.
    </p>`;
}
