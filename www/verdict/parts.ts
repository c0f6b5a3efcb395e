// The parts of a verdict as a page shows them: a sentence, warnings, tables.

import { html, nothing } from 'lit';
import type { Freezes, InterpolationResult, VerdictAnswer, VerdictWarning, WidthAdvice, WidthPair } from '../../pkg/snapshot_web';
import { figure } from '../figures/figure';
import { lab } from '../lab';
import { measure, percent } from '../shell/format';
import { table, tableRow, wide } from '../shell/parts';
import { modeNamed, tables } from '../tables';

export const rungLabel = (number: number): string => tables().rungs[number]?.label ?? String(number);

/** A decision: what a game sends, and what its players see. */
export interface Decision {
  rung: number;
  class: string | null;
  rate_hz: number;
  kbps: number;
  mode: string;
  delay_ms: number;
  behind_ms: number;
  /** The network in words. */
  network: string;
  surface_mm: number;
  surface_px: number;
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
  const { rung, rate_hz, kbps, mode, delay_ms, network } = of;
  const error = wrong(of);
  const row = modeNamed(mode);
  const way = row?.is_held ? 'the newest packet is shown' : row?.extrapolates ? 'then extrapolated' : `then ${mode} interpolation`;
  return html`<p class="verdict-rung">
      ${before} <strong>${rate_hz} packets a second</strong> with <strong>${coding(rung)}</strong>: <strong>${measure(kbps)} kbit/s</strong> to each player, over ${network}.
    </p>
    <dl class="counters">
      ${figure('send rate', `${rate_hz} a second`, `a packet every ${Math.round(1000 / rate_hz)} ms`)}
      ${figure('to each player', `${measure(kbps)} kbit/s`, `with headers; rung ${rungLabel(rung)}${of.class === null ? '' : `, ${of.class}`}`)}
      ${figure('playout delay', `${Math.round(delay_ms)} ms`, `${way}; ${ageInWords(of)}`)}
      ${figure(error.name, error.value, error.words)}
    </dl>`;
}

/** The age of what is shown, as the sum of its parts in whole ms. */
export function ageInWords({ delay_ms, behind_ms }: Pick<Decision, 'delay_ms' | 'behind_ms'>): string {
  const [age, delay] = [Math.round(behind_ms), Math.round(delay_ms)];
  return `what is shown is ${age} ms old on average: ${delay} ms of delay, ${age - delay} ms of the fastest packet and of waiting`;
}

/** The error of a decision: that of the surface. */
export function wrong({
  surface_mm: surface,
  surface_px: pixels,
  error_mm: mm,
  error_deg: degrees,
}: Pick<Decision, 'surface_mm' | 'surface_px' | 'error_mm' | 'error_deg'>) {
  const turned = degrees > 0 ? ` and turned by ${measure(degrees)}°` : '';
  return {
    name: 'surface error',
    value: `${measure(surface)} mm`,
    words: `no corner of 95 % of the objects is shown farther from its place: ${measure(pixels)} pixels at 10 m; their centres are ${measure(mm)} mm off${turned}`,
  };
}

/** The settings to take and why, and how well they do; between them the ways to take them. */
export function summary(answer: VerdictAnswer, about: string, ways: unknown) {
  const { rung, motion, window, rates } = answer;
  const { played, kbps } = answer.taken;
  const { why, broken } = rates?.recommended ?? { why: rung.why, broken: [] };
  const decision = {
    rung: rung.number,
    class: rung.class,
    rate_hz: window.send_rate_hz,
    kbps,
    mode: played.mode,
    delay_ms: played.delay_ms,
    behind_ms: played.behind_ms,
    network: answer.network,
    surface_mm: played.surface_error_mm_p95,
    surface_px: played.surface_error_px_p95,
    error_mm: played.position_error_mm_p95,
    error_deg: motion.turns ? played.orientation_error_deg_p95 : 0,
  };
  return html`<div class="verdict-summary">
    ${card(decision, broken.length === 0 ? 'Send' : 'Nothing keeps all limits. Nearest: send')} ${ways}
    <p>
      <strong>${inRuns(played.freezes, window.seconds)}.</strong> ${motion.jumps === 0 ? nothing : html`${motion.jumps} jumps are counted apart.`} ${why}
    </p>
    <p class="caption">
      Of ${about}: ${motion.objects} objects, ${percent(motion.moving_share)} of them moving, up to ${measure(motion.speed_max_m_s)} m/s, over
      ${lab.now.last > window.last_tick ? 'the first ' : ''}${measure(window.seconds)} s at ${window.tick_rate_hz} ticks a second.
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

/** The bits by their surface error: what is taken, what it saves, and the pairs that it was chosen from. */
export function balanceParts({ rate_hz: hz, surface }: WidthAdvice) {
  const { pairs, taken, set, wanted_mm: wanted } = surface;
  const saved = 1 - taken.kbps / Math.max(set.kbps, Number.MIN_VALUE);
  const isSet = taken === set || (taken.position_bits === set.position_bits && taken.orientation_bits === set.orientation_bits);
  const rows = pairs.map((pair) => {
    const isTaken = pair.position_bits === taken.position_bits && pair.orientation_bits === taken.orientation_bits;
    const cells = [pair.orientation_bits, measure(pair.surface_mm), measure(pair.kbps)];
    return tableRow(html`${pair.position_bits}${isTaken ? html` <strong title="of the settings to take">✓</strong>` : nothing}`, cells, isTaken);
  });
  return html`<p>
      ${taken.position_bits} bits for each coordinate of a position and ${taken.orientation_bits} bits for each component of an orientation: the cheapest pair whose rounding moves no corner by more than ${measure(wanted)} mm.
      ${
        isSet
          ? 'These are the default bits.'
          : `${saved < 0 ? `${percent(-saved)} more` : `${percent(saved)} less`} bandwidth than the default bits, ${set.position_bits} and ${set.orientation_bits}, whose rounding moves a corner by up to ${measure(set.surface_mm)} mm.`
      }
    </p>
    ${wide('Pairs of bits', table(`Pairs of bits on rung 12 at ${hz} packets a second`, ['Bits of a coordinate', 'bits of a component', 'rounding at most, mm', 'kbit/s'], rows))}`;
}

const widths = (pair: WidthPair): string => `${pair.small_bits} and ${pair.large_bits} bits`;

/** Bits, widths and bounds in words. */
export function settled(advice: WidthAdvice, turns: boolean) {
  const best = advice.position.bits_per_changed_cube + advice.orientation.bits_per_changed_cube;
  const corners = advice.best_bounds.map((corner) => corner.join(', ')).join(' to ');
  const [bits = 0, bestBits = 0] = advice.absolute_bits;
  return html`<ul class="verdict-settled">
    ${advice.surface.kept ? nothing : html`<li><strong>No bits that can be set keep this error:</strong> these are the most.</li>`}
    <li>
      Widths of differences on rungs 9 to 11: ${widths(advice.position)} for a coordinate${turns ? html`, ${widths(advice.orientation)} for a component of an orientation` : nothing}. A changed
      object then takes ${measure(best)} bits in a packet, and ${measure(advice.set_bits_per_changed_cube)} bits with the default widths.
    </li>
    <li>Bounds: ${corners} m. A whole position takes ${bestBits} bits within them${bits === bestBits ? nothing : html`, and ${bits} bits within the default bounds`}.</li>
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

export function playedTable({ taken: { played: best }, tried, motion: { jumps, turns } }: VerdictAnswer) {
  const heads = [
    'Way',
    'delay, ms',
    'age, ms',
    'surface error p95, mm',
    'position p95, mm',
    ...(turns ? ['orientation p95, degrees'] : []),
    'freezes',
    'longest, ms',
    'still ms a minute',
  ];
  const rows = tried.map((way) => {
    const isBest = way.mode === best.mode && way.delay_ms === best.delay_ms;
    const errors = [measure(way.surface_error_mm_p95), measure(way.position_error_mm_p95), ...(turns ? [measure(way.orientation_error_deg_p95)] : [])];
    return tableRow(taken(way.mode, isBest), [Math.round(way.delay_ms), Math.round(way.behind_ms), ...errors, ...froze(way)], isBest);
  });
  return html`${wide('Ways of interpolation', table('Ways of interpolation with playout delays', heads, rows))}
    <p class="caption">
      p95 over the moving objects at all shown instants. ${jumps} jumps are counted apart: no way interpolates between two lives of an object, and where the
      right view is before or after a jump there is no error. Age is the mean time from an instant to its display: a longer delay costs that. Delays rise until nothing
      freezes. Less than two send intervals are not advised.
    </p>`;
}

export function enginesTable({ engines, rungs: all, rung, payload_kbps: own, window: { send_rate_hz: hz } }: VerdictAnswer) {
  const row = all.find((one) => one.rung === rung.number);
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
