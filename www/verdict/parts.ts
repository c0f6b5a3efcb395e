// The parts of a verdict as a page shows them: a sentence, warnings, tables.

import { html, nothing } from 'lit';
import type { Freezes, InterpolationResult, VerdictAnswer, VerdictWarning, WidthAdvice, WidthPair } from '../../pkg/snapshot_web';
import { figure } from '../figures/figure';
import { measure, percent } from '../shell/format';
import { table, tableRow, wide } from '../shell/parts';
import { tables } from '../tables';

export const rungLabel = (number: number): string => tables().rungs[number]?.label ?? String(number);

/** The settings to take: at the recommended rate, and until that is known at the rate that was asked for. */
export function taking(answer: VerdictAnswer) {
  const { rates, taken, link, rung, window } = answer;
  if (rates === null) return { link, played: taken.played, kbps: taken.kbps, rate_hz: window.send_rate_hz, why: rung.why, broken: [] };
  const { point, why, broken } = rates.recommended;
  return { link: rates.recommended.link, played: point, kbps: point.kbps, rate_hz: point.rate_hz, why, broken };
}

/** A decision: what a game sends, and what its players see. */
export interface Decision {
  rung: number;
  class: string | null;
  rate_hz: number;
  kbps: number;
  mode: string;
  delay_ms: number;
  behind_ms: number;
  error_mm: number;
  /** 0 where nothing turns. */
  error_deg: number;
}

/** A rung in the words of a game's programmer. */
function coding(rung: number): string {
  const row = tables().rungs[rung];
  if (row?.position === 'modelled') return `${row.predicted_from === null ? '' : 'prediction and '}arithmetic coding`;
  return row?.cubes === 'all' ? 'whole snapshots' : 'bit-packed deltas';
}

/** A decision as a sentence and four numbers. */
export function card(of: Decision, before: string) {
  const { rung, rate_hz, kbps, mode, delay_ms, behind_ms, error_mm, error_deg } = of;
  const way = { none: 'the newest packet is shown', extrapolate: 'then extrapolated' }[mode] ?? `then ${mode} interpolation`;
  return html`<p class="verdict-rung">
      ${before} <strong>${rate_hz} packets a second</strong> with <strong>${coding(rung)}</strong>: <strong>${measure(kbps)} kbit/s</strong> a player.
    </p>
    <dl class="counters">
      ${figure('send rate', `${rate_hz}/s`, `a packet every ${Math.round(1000 / rate_hz)} ms`)}
      ${figure('to each player', `${measure(kbps)} kbit/s`, `with headers; rung ${rungLabel(rung)}${of.class === null ? '' : `, ${of.class}`}`)}
      ${figure('buffered for', `${Math.round(delay_ms)} ms`, `${way}; ${Math.round(behind_ms)} ms old on average`)}
      ${figure('error', `${measure(error_mm)} mm`, `${error_deg > 0 ? `and ${measure(error_deg)}°, ` : ''}at p95: 95 % of what is shown is nearer`)}
    </dl>`;
}

/** The settings to take and why, and how well they do; between them the ways to take them. */
export function summary(answer: VerdictAnswer, about: string, ways: unknown) {
  const { rung, motion, window, interpolation } = answer;
  const { played, kbps, rate_hz, why, broken } = taking(answer);
  const decision = {
    rung: rung.number,
    class: rung.class,
    rate_hz,
    kbps,
    mode: played.mode,
    delay_ms: played.delay_ms,
    behind_ms: played.behind_ms,
    error_mm: played.position_error_mm_p95,
    error_deg: motion.turns ? played.orientation_error_deg_p95 : 0,
  };
  return html`<div class="verdict-summary">
    ${card(decision, broken.length === 0 ? 'Send' : 'Nothing keeps all limits. Nearest: send')} ${ways}
    <p>
      <strong>${inRuns(played.freezes, window.seconds)}.</strong> ${interpolation.jumps === 0 ? nothing : html`${interpolation.jumps} jumps are counted apart.`} ${why}
    </p>
    <p class="caption">
      Of ${about}: ${motion.objects} objects, ${percent(motion.moving_share)} of them moving, up to ${measure(motion.speed_max_m_s)} m/s, over
      ${measure(window.seconds)} s at ${window.tick_rate_hz} ticks a second.
    </p>
  </div>`;
}

/** Play of less time without a freeze promises nothing, s. */
export const SHORT_S = 30;

/** Freezes in words: how many in a run of so many seconds, and how long. */
export function inRuns({ most, longest_ms, ms_per_minute, ...freezes }: Freezes, seconds: number): string {
  const runs = `eight runs of ${measure(seconds)} s`;
  if (most === 0) return `No freeze seen in ${runs}${8 * seconds < SHORT_S ? ', too short to promise' : ''}`;
  return `${range({ most, ...freezes })} freezes in ${runs}, ${Math.round(longest_ms)} ms at the longest: ${Math.round(ms_per_minute)} ms a minute`;
}

function range({ least, most }: Pick<Freezes, 'least' | 'most'>): string {
  return least === most ? String(most) : `${least} to ${most}`;
}

/** The cells of freezes: their number in eight runs, the longest, and the time a minute. */
export function froze({ freezes }: Pick<InterpolationResult, 'freezes'>): (string | number)[] {
  return [range(freezes), Math.round(freezes.longest_ms), Math.round(freezes.ms_per_minute)];
}

/** The head of a row, with a sign where it is of the settings to take. */
function taken(name: string, isTaken: boolean) {
  return html`${name}${isTaken ? html` <strong title="of the settings to take">✓</strong>` : nothing}`;
}

export function warningList(warnings: readonly VerdictWarning[]) {
  if (warnings.length === 0) return nothing;
  return html`<ul class="verdict-warnings" aria-label="Warnings">
    ${warnings.map(({ name, text }) => html`<li><strong>${name.replaceAll('-', ' ')}</strong> ${text}</li>`)}
  </ul>`;
}

const widths = (pair: WidthPair): string => `${pair.small_bits} and ${pair.large_bits} bits`;

/** Bits, widths and bounds in words. */
export function settled(advice: WidthAdvice, turns: boolean) {
  const best = advice.position.bits_per_changed_cube + advice.orientation.bits_per_changed_cube;
  const corners = advice.best_bounds.map((corner) => corner.join(', ')).join(' to ');
  const [bits = 0, bestBits = 0] = advice.absolute_bits;
  return html`<ul class="verdict-settled">
    ${advice.kept ? nothing : html`<li><strong>No bits that can be set keep this error:</strong> these are the most.</li>`}
    <li>
      Widths on rungs 9 to 11: ${widths(advice.position)} of positions${turns ? html`, ${widths(advice.orientation)} of orientations` : nothing}. A changed object takes
      ${measure(best)} bits, ${measure(advice.set_bits_per_changed_cube)} with the widths that are set.
    </li>
    <li>Bounds: ${corners} m. An absolute position takes ${bestBits} bits${bits === bestBits ? nothing : html`, ${bits} within the bounds that are set`}.</li>
  </ul>`;
}

export function rungsTable(answer: VerdictAnswer) {
  const least = Math.min(...answer.rungs.map(({ kbps }) => kbps));
  const heads = ['Rung', 'kbit/s', 'of the least', 'bytes a packet', `over ${answer.mtu_bytes} bytes`];
  const rows = answer.rungs.map(({ rung, kbps, bytes_per_packet: bytes, packets_over_mtu: over }) => {
    const isTaken = rung === answer.rung.number;
    return tableRow(taken(rungLabel(rung), isTaken), [measure(kbps), percent(kbps / Math.max(least, Number.MIN_VALUE)), measure(bytes), over], isTaken);
  });
  return wide('Bits on each rung', table('Bits on each rung', heads, rows));
}

export function playedTable({ interpolation: { best, tried, jumps }, motion: { turns } }: VerdictAnswer) {
  const heads = ['Way', 'delay, ms', 'age, ms', 'mm p95', ...(turns ? ['degrees p95'] : []), 'freezes', 'longest, ms', 'still ms a minute'];
  const rows = tried.map((way) => {
    const isBest = way.mode === best.mode && way.delay_ms === best.delay_ms;
    const errors = [measure(way.position_error_mm_p95), ...(turns ? [measure(way.orientation_error_deg_p95)] : [])];
    return tableRow(taken(way.mode, isBest), [Math.round(way.delay_ms), Math.round(way.behind_ms), ...errors, ...froze(way)], isBest);
  });
  return html`${wide('Ways of interpolation', table('Ways of interpolation with playout delays', heads, rows))}
    <p class="caption">
      p95 over the moving objects at all shown instants. ${jumps} jumps are counted apart: no way interpolates between two lives of an object, and where the
      right view is before or after a jump there is no error. Age is the mean time from an instant to its display: a longer delay costs that. Delays rise until nothing
      freezes. Less than two send intervals are not advised.
    </p>`;
}

export function enginesTable({ engines, rungs: all, rung, window: { send_rate_hz: hz } }: VerdictAnswer) {
  const row = all.find((one) => one.rung === rung.number);
  const own = row?.payload_kbps ?? 0;
  const times = (kbps: number): string => (own > 0 ? `${measure(kbps / own)} times` : '–');
  const heads = ['Engine', `kbit/s at ${hz} a second`, `of rung ${rung.number}`, 'bytes a packet', 'kbit/s by default', 'default sends a second'];
  const rows = [
    tableRow(`Rung ${rungLabel(rung.number)}, payload alone`, [measure(own), '', measure(row?.bytes_per_packet ?? 0), '', ''], true),
    ...engines.map(({ name, version, equal, payload_kbps: kbps, rate_hz: usual }) =>
      tableRow(`${name} ${version}`, [measure(equal.payload_kbps), times(equal.payload_kbps), measure(equal.bytes_per_packet), measure(kbps), usual]),
    ),
  ];
  return html`${wide('Other engines', table('Other engines at equal rate and at their defaults, payload alone', heads, rows, 'compared engines'))}
    <p class="caption">
      Models of what each sends, counted message by message on this motion with its own default thresholds: first at the verdict's rate, then at the engine's default rate.
      Payload alone.
    </p>
    <details class="verdict-sources">
      <summary>Sources, and what is left out</summary>
      <dl>
        ${engines.map(
          (row) =>
            html`<dt>${row.name} ${row.version}</dt>
              <dd>${row.delivery}. From ${row.source}. ${row.leaves_out}.</dd>`,
        )}
      </dl>
    </details>`;
}
