// The freezes of A's view by length: each leads to its instant, where the packets say why.

import { html, nothing } from 'lit';
import type { Freeze } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { define } from '../shell/element';
import { count, duration } from '../shell/format';
import { table, tableRow } from '../shell/parts';
import { strategy } from '../shell/strategy';

/** A longer list nobody reads. */
const MOST_LISTED = 12;

/** The freezes of the ticks that are held, the longest first. */
export function freezesByLength(): Freeze[] {
  return lab.ask({ freezes: { lane: 'a' } }).toSorted((a, b) => b.ms - a.ms || a.from - b.from);
}

/** Goes to a freeze's last tick, and to the packets that tell of it. */
export function goToFreeze({ to }: Freeze): void {
  lab.seek(to);
  lab.show('packets');
}

define('lab-freezes', () => {
  const freezes = freezesByLength();
  const { first, last, at } = lab.now;
  const held = `${((last - first) / lab.tickRate).toFixed(0)} s that are kept`;
  if (freezes.length === 0) return html`<p class="caption">A’s view never stood still in the ${held}.</p>`;
  const total = freezes.reduce((sum, { ms }) => sum + ms, 0);
  const more = freezes.length - MOST_LISTED;
  const rows = freezes.slice(0, MOST_LISTED).map((freeze) => {
    const isShown = !lab.running && at >= freeze.from && at <= freeze.to;
    const from = `${(freeze.from / lab.tickRate).toFixed(2)} s`;
    const link = html`<a href=${addressOf(freeze)} aria-current=${isShown ? 'true' : nothing} @click=${(event: MouseEvent) => go(event, freeze)}>${from}</a>`;
    return tableRow(link, [duration(freeze.ms)], isShown);
  });
  return html`
    <p class="caption">
      ${count(freezes.length)} freeze${freezes.length === 1 ? '' : 's'} of A’s view in the ${held}: runs of frames that show nothing newer than the one before, together ${duration(total)}. Choose one to see which packet it waited for${
        strategy() === 'snapshot' ? ', and the delay that would have covered it' : ''
      }.
    </p>
    ${table('Freezes of A’s view, the longest first', ['From', 'Length'], rows, 'compared freezes')}
    ${more > 0 ? html`<p class="caption">${count(more)} shorter ${more === 1 ? 'one is' : 'ones are'} not listed.</p>` : nothing}
  `;
});

/** A plain click stays in this laboratory, with all that a person did. A new tab opens the link. */
function go(event: MouseEvent, freeze: Freeze): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  goToFreeze(freeze);
}

/** The present link, at a freeze. */
function addressOf({ to }: Freeze): string {
  const parts = lab.permalink.split('&').filter((part) => !/^(at|show|packet)=/.test(part));
  return `#${[...parts, `at=${to}`, 'show=packets'].join('&')}`;
}
