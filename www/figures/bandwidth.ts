// The one figure that everything is about: kbit/s, beside the goal and beside sending everything.

import { html, nothing } from 'lit';
import { moves } from '../front/hand';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { count, duration, measure, partOf, percent, rate, rateText } from '../shell/format';
import { styled } from '../shell/styled';
import { freezesByLength, goToFreeze } from './freezes';
import { goal } from './goal';
import { fullness } from './link-data';

/** The meter is logarithmic between these. */
const LEAST_KBPS = 4;
const MOST_KBPS = 40_000;
/** Marks of the logarithmic scale, kbit/s. */
const DECADES = [10, 100, 1000, 10_000];

/** Whose the goal is. */
const OWNERS: Readonly<Record<string, string>> = { goal: 'Fiedler’s', limit: 'your', budget: 'the' };

/** Part of a queue's length from which the page calls the queue full, before it drops packets. */
const FULL = 0.9;

/** The rate before a hand moved a control, kbit/s. The motion goes on, and changes the rate, too: this tells both apart. */
let before = 0;

define('lab-bandwidth', () => {
  const { kbps, uncompressed_kbps: all } = lab.now.a;
  if (!moves.value) before = kbps;
  const { value, unit } = rate(kbps);
  const { name, kbps: most } = goal();
  const link = fullness();
  const isFull = link !== undefined && (link.dropped > 0 || link.waitMs > FULL * Number(lab.a.queue));
  const words = isFull ? `${percent(link.dropped)} of the last second’s packets found the queue full; the newest waited ${measure(link.waitMs)} ms` : '';
  return html`
    <p class="big" title="Mean of the last second"><span class="value">${value}</span> <span class="unit">${unit}</span><small class="over">last second</small>${moves.value && before > 0 ? html`<small class="was">${rateText(before)} before</small>` : nothing}</p>
    <div class="meter" aria-hidden="true" title="On a log scale, kbit/s; marks at the ${name} of ${count(most)} and at ${rateText(all)} uncompressed">
      <i class="fill ${kbps > most ? 'over' : ''}" ${styled({ width: place(kbps) })}></i>
      ${DECADES.map((kbps) => html`<i class="decade" ${styled({ left: place(kbps) })}><small>${count(kbps)}</small></i>`)}
      <i class="mark ${all > most ? 'before' : ''}" ${styled({ left: place(most) })}><small><span>${OWNERS[name]} </span>${name} ${count(most)}</small></i>
      <i class="mark all ${all > most ? '' : 'before'}" ${styled({ left: place(all) })}><small>uncompressed</small></i>
    </div>
    ${isFull ? html`<strong class="link-full" title=${words}>link full</strong>` : nothing}
  `;
});

/** The same figure in words: beside the goal, the whole run and an uncompressed motion. */
define('lab-rate', () => {
  const { kbps, kbps_mean: mean, uncompressed_kbps: all, time_s: time } = lab.now.a;
  const { name, kbps: most } = goal();
  return html`<p class="row words">
    <span
      >last second: ${kbps > most ? html`<strong class="warm">${rateText(kbps - most)} over</strong>` : html`<strong>${count(most - kbps)} below</strong>`}
      ${name === 'goal' ? 'the articles’ goal' : name === 'limit' ? 'your limit' : 'the budget'} of ${count(most)} kbit/s</span
    >
    <span>mean of ${time.toFixed(0)} s: <strong>${rateText(mean)}</strong></span>
    <span><strong>${all > 0 ? partOf(kbps / all) : '– of'}</strong> ${rateText(all)} uncompressed</span>
    ${worstFreeze()}
  </p>`;
});

/** The way to the longest freeze of the held ticks, where there is one. */
function worstFreeze() {
  const worst = freezesByLength()[0];
  if (worst === undefined) return nothing;
  return button(`worst freeze: ${duration(worst.ms)}`, () => goToFreeze(worst), {
    kind: 'quiet',
    title: 'Go to the longest freeze of A’s view in the kept seconds',
  });
}

/** The part of the meter's length at which a rate lies. */
function part(kbps: number): number {
  return Math.min(Math.log(Math.max(kbps, LEAST_KBPS) / LEAST_KBPS) / Math.log(MOST_KBPS / LEAST_KBPS), 1);
}

function place(kbps: number): string {
  return `${part(kbps) * 100}%`;
}
