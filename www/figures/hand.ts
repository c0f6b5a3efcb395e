// What the driver's hand feels of the network: how late its keys show, and each correction of what was predicted.

import { html, nothing } from 'lit';
import type { CorrectionCause, HandCorrection, HandLive } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { count, measure } from '../shell/format';
import { table, tableRow } from '../shell/parts';
import { figure } from './figure';

/** A longer list nobody reads. */
const MOST_LISTED = 12;

const CAUSES: Record<CorrectionCause, string> = {
  keys: 'keys that were missing',
  rival: 'the rival’s keys',
  unpredicted: 'a cube not predicted',
  values: 'rounded values',
};

const whole = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} ms`);
const ms = (value: number | null): string => (value === null ? '–' : `${measure(value)} ms`);

/** The answer of a driver's screen to a key, in words: the own cube's, and that of cubes which are not predicted. */
export function handInWords({ hand_ms: own, hand_others_ms: others }: HandLive): string {
  return `own cube ${whole(own)} after a key${others === null || others === own ? '' : `, others ${whole(others)}`}`;
}

/** Goes to the last instant of the wrong prediction. */
export function goToCorrection({ at }: HandCorrection): void {
  lab.seek(at - 1);
}

define('lab-hand', () => {
  const { a: settings } = lab;
  const live = lab.now.a;
  if (live.strategy !== 'game') return nothing;
  const waits = settings.predict === 'wait';
  return html`<dl class="counters">
      ${figure('key to own cube', ms(live.hand_ms), waits ? 'there, early by the margin, back, and the playout delay' : 'predicted: the next tick')}
      ${settings.predict === 'all' ? nothing : figure('key to other cubes', ms(live.hand_others_ms), 'of those that are not predicted')}
      ${figure('key to server', ms(live.hand_server_ms), 'until its tick acts on it')}
      ${figure('keys missing', count(live.keys_missing), `${count(live.keys_late)} came late, ${count(live.keys_lost)} did not come; ${count(live.keys_repeated)} others came by a copy`)}
      ${figure('keys early by', ms(live.key_margin_ms), `the client’s clock is ${measure(Math.abs(live.clock_percent))} % ${live.clock_percent < 0 ? 'slower' : 'faster'}`)}
      ${figure('predicted cubes', count(live.predicted_cubes), `${count(live.simulated_now)} tick${live.simulated_now === 1 ? '' : 's'} in this frame, ${measure(live.forks_mb)} MB of worlds to go back to`)}
    </dl>
    ${waits ? nothing : list(lab.ask({ corrections: { lane: 'a' } }))}`;
});

function list(corrections: HandCorrection[]) {
  const held = `${((lab.now.last - lab.now.first) / lab.tickRate).toFixed(0)} s that are kept`;
  if (corrections.length === 0) return html`<p class="caption">No correction in the ${held}.</p>`;
  const largest = corrections.toSorted((a, b) => b.own_mm - a.own_mm || b.mm - a.mm || a.at - b.at);
  const more = largest.length - MOST_LISTED;
  const rows = largest.slice(0, MOST_LISTED).map((correction) => {
    const { at, mm, own_mm: own, cubes, ticks, cause } = correction;
    const name = button(`${(at / lab.tickRate).toFixed(2)} s`, () => goToCorrection(correction), { kind: 'why' });
    const took = ms(lab.costMs(at + 1) ?? null);
    return tableRow(name, [`${measure(own)} mm`, `${measure(mm)} mm`, count(cubes), `${count(ticks)} ticks`, took, CAUSES[cause]], lab.now.at === at - 1);
  });
  return html`<p class="caption">
      ${count(corrections.length)} correction${corrections.length === 1 ? '' : 's'} in the ${held}. Choose one: the view shows what was predicted, and the outline where the server has it. “Took” is the whole tick’s time on this machine.
    </p>
    ${table('Corrections, the largest of the own cube first', ['At', 'Own cube', 'Worst cube', 'Cubes', 'Again', 'Took', 'Because of'], rows, 'compared freezes')}
    ${more > 0 ? html`<p class="caption">${count(more)} smaller ${more === 1 ? 'one is' : 'ones are'} not listed.</p>` : nothing}`;
}
