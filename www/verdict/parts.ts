// The parts of a verdict as a page shows them: a sentence, warnings, tables.

import { html, nothing } from 'lit';
import type { EngineRow, Freezes, InterpolationResult, VerdictAnswer, VerdictWarning, WidthAdvice, WidthPair } from '../../pkg/snapshot_web';
import { measure, percent } from '../shell/format';
import { cells, head } from '../shell/parts';
import { rungs } from '../tables';

const label = (number: number): string => rungs[number]?.label ?? String(number);

/** The settings to take: at the recommended rate, and until that is known at the rate that was asked for. */
export function taking(answer: VerdictAnswer) {
  const { rates, taken, link, rung, window } = answer;
  if (rates === null) return { link, played: taken.played, kbps: taken.kbps, rate_hz: window.send_rate_hz, why: rung.why, broken: [] };
  const { point, why, broken } = rates.recommended;
  return { link: rates.recommended.link, played: point, kbps: point.kbps, rate_hz: point.rate_hz, why, broken };
}

/** The settings to take and why, and how well they do. */
export function summary(answer: VerdictAnswer, about: string) {
  const { rung, motion, window, interpolation } = answer;
  const { played, kbps, rate_hz, why, broken } = taking(answer);
  const { freezes } = played;
  return html`<div class="verdict-summary">
    <p class="verdict-rung">
      ${broken.length === 0 ? 'Take' : 'Nothing keeps all limits. Nearest is'} rung <strong>${label(rung.number)}</strong>${rung.class === null ? nothing : html`, ${rung.class}`}, at <strong>${rate_hz} packets a second</strong>:
      <strong>${measure(kbps)} kbit/s</strong>
    </p>
    <p>
      Interpolate by <strong>${played.mode}</strong> with a playout delay of <strong>${Math.round(played.delay_ms)} ms</strong>: errors of
      ${measure(played.position_error_mm_p95)} mm and ${measure(played.orientation_error_deg_p95)}° at p95, ${Math.round(played.behind_ms)} ms old on average.
      <strong
        >${inRuns(freezes)}.</strong
      >
      ${interpolation.jumps === 0 ? nothing : html`${interpolation.jumps} jumps are counted apart.`}
    </p>
    <p>${why}</p>
    <p class="caption">
      Of ${about}: ${motion.objects} objects, ${percent(motion.moving_share)} of them moving, up to ${measure(motion.speed_max_m_s)} m/s, over
      ${measure(window.seconds)} s at ${window.tick_rate_hz} ticks a second, with headers.
    </p>
  </div>`;
}

/** Freezes in words: how many in a run, and how long. */
export function inRuns({ most, longest_ms, ms_per_minute, ...freezes }: Freezes): string {
  if (most === 0) return 'No freezes in eight runs';
  return `${range({ most, ...freezes })} freezes in eight runs, ${Math.round(longest_ms)} ms at the longest: ${Math.round(ms_per_minute)} ms a minute`;
}

function range({ least, most }: Pick<Freezes, 'least' | 'most'>): string {
  return least === most ? String(most) : `${least} to ${most}`;
}

/** The cells of freezes: their number in eight runs, the longest, and the time a minute. */
export function froze({ freezes }: Pick<InterpolationResult, 'freezes'>) {
  return html`${cells(range(freezes), Math.round(freezes.longest_ms), Math.round(freezes.ms_per_minute))}`;
}

export function warningList(warnings: readonly VerdictWarning[]) {
  if (warnings.length === 0) return nothing;
  return html`<ul class="verdict-warnings" aria-label="Warnings">
    ${warnings.map(({ name, text }) => html`<li><strong>${name.replaceAll('-', ' ')}</strong> ${text}</li>`)}
  </ul>`;
}

const widths = (pair: WidthPair): string => `${pair.small_bits} and ${pair.large_bits} bits`;

/** Bits, widths and bounds in words. */
export function settled(advice: WidthAdvice) {
  const best = advice.position.bits_per_changed_cube + advice.orientation.bits_per_changed_cube;
  const corners = advice.best_bounds.map((corner) => corner.join(', ')).join(' to ');
  const [bits = 0, bestBits = 0] = advice.absolute_bits;
  return html`<ul class="verdict-settled">
    ${advice.kept ? nothing : html`<li><strong>No bits that can be set keep this error:</strong> these are the most.</li>`}
    <li>
      Widths on rungs 9 to 11: ${widths(advice.position)} of positions, ${widths(advice.orientation)} of orientations. A changed object takes
      ${measure(best)} bits, ${measure(advice.set_bits_per_changed_cube)} with the widths that are set.
    </li>
    <li>Bounds: ${corners} m. An absolute position takes ${bestBits} bits${bits === bestBits ? nothing : html`, ${bits} within the bounds that are set`}.</li>
  </ul>`;
}

export function rungsTable(answer: VerdictAnswer) {
  const least = Math.min(...answer.rungs.map(({ kbps }) => kbps));
  return html`<div class="wide" role="group" tabindex="0" aria-label="Bits on each rung">
    <table class="compared">
      <caption class="unseen">Bits on each rung</caption>
      ${head('Rung', 'kbit/s', 'of the least', 'bytes a packet', `over ${answer.mtu_bytes} bytes`)}
      <tbody>
        ${answer.rungs.map(
          (row) =>
            html`<tr class=${row.rung === answer.rung.number ? 'chosen' : ''}>
              <th scope="row">${label(row.rung)}${row.rung === answer.rung.number ? html` <strong>✓ take</strong>` : nothing}</th>
              ${cells(measure(row.kbps), percent(row.kbps / Math.max(least, Number.MIN_VALUE)), measure(row.bytes_per_packet), row.packets_over_mtu)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function playedTable({ interpolation: { best, tried, jumps } }: VerdictAnswer) {
  const isBest = (row: (typeof tried)[number]): boolean => row.mode === best.mode && row.delay_ms === best.delay_ms;
  return html`<div class="wide" role="group" tabindex="0" aria-label="Ways of interpolation">
      <table class="compared">
        <caption class="unseen">Ways of interpolation with playout delays</caption>
        ${head('Way', 'delay, ms', 'age, ms', 'mm p95', 'degrees p95', 'freezes', 'longest, ms', 'still ms a minute')}
        <tbody>
          ${tried.map(
            (row) =>
              html`<tr class=${isBest(row) ? 'chosen' : ''}>
                <th scope="row">${row.mode}${isBest(row) ? html` <strong>✓ take</strong>` : nothing}</th>
                ${cells(Math.round(row.delay_ms), Math.round(row.behind_ms), measure(row.position_error_mm_p95), measure(row.orientation_error_deg_p95))}
                ${froze(row)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="caption">
      p95 over the moving objects at all shown instants. ${jumps} jumps are counted apart: no way interpolates between two lives of an object, and where the
      right view is before or after a jump there is no error. Age is the mean time from an instant to its display: a longer delay costs that. Delays rise until nothing
      freezes. Less than two send intervals are not advised.
    </p>`;
}

export function enginesTable({ engines, rungs: all, rung }: VerdictAnswer) {
  const own = all.find((row) => row.rung === rung.number)?.payload_kbps ?? 0;
  const times = (row: EngineRow): string => (own > 0 ? `${measure(row.payload_kbps / own)} times` : '–');
  return html`<div class="wide" role="group" tabindex="0" aria-label="Other engines">
      <table class="compared engines">
        <caption class="unseen">Other engines at their default settings, payload alone</caption>
        ${head('Engine', 'kbit/s', `of rung ${rung.number}`, 'sends a second', 'bytes a packet')}
        <tbody>
          <tr class="chosen">
            <th scope="row">Rung ${label(rung.number)}, payload alone</th>
            ${cells(measure(own), '', '', '')}
          </tr>
          ${engines.map(
            (row) =>
              html`<tr>
                <th scope="row">${row.name} ${row.version}</th>
                ${cells(measure(row.payload_kbps), times(row), row.rate_hz, measure(row.bytes_per_packet))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="caption">
      Models of what each sends by default, counted message by message on this motion with its own thresholds and rate. Default settings, payload alone.
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
