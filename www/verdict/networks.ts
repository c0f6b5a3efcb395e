// Several networks: one setting for all that are ticked, and its loss on each against that network's own best.

import { html, nothing } from 'lit';
import type { NetworkRow, VerdictAnswer } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { measure } from '../shell/format';
import { table, tableRow, wide } from '../shell/parts';
import { tables } from '../tables';
import { inRuns } from './parts';

export function networkParts({ networks, window }: VerdictAnswer, chosen: readonly string[], choose: (ids: string[]) => void, take: (link: string) => void) {
  const own = lab.state.trace === undefined ? 'as set' : lab.traceName;
  const all = [{ id: 'own', label: own }, ...tables().link_presets];
  const others = chosen.filter((id) => id !== 'own');
  return html`<h3>Several networks</h3>
    <div class="verdict-networks" role="group" aria-label="Networks that one setting serves">
      ${all.map(
        ({ id, label }) =>
          html`<label
            ><input
              type="checkbox"
              name=${id}
              .checked=${chosen.includes(id)}
              ?disabled=${chosen.length === 1 && chosen.includes(id)}
              @change=${() => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
            />${label}</label
          >`,
      )}
      ${button(others.length > 0 ? 'only this one' : 'all', () => choose(others.length > 0 ? ['own'] : all.map(({ id }) => id)), { kind: 'quiet' })}
    </div>
    ${networks === null ? html`<p class="caption">Networks are tried after the rates …</p>` : answered(networks, window.seconds, take)}`;
}

type Networks = NonNullable<VerdictAnswer['networks']>;

const lines: readonly { name: string; of: (row: NetworkRow) => string }[] = [
  { name: 'latency one way, ms', of: ({ conditions }) => conditions?.latency_ms ?? '' },
  { name: 'jitter, ms', of: ({ conditions }) => conditions?.jitter_ms ?? '' },
  { name: 'loss, %', of: ({ conditions }) => conditions?.loss_percent ?? '' },
  { name: 'kbit/s', of: (row) => measure(row.kbps) },
  { name: 'delay that it needs, ms', of: (row) => String(Math.round(row.own_best.delay_ms)) },
  { name: 'still ms a minute', of: (row) => String(Math.round(row.own_best.freezes.ms_per_minute)) },
  { name: 'surface error p95, mm', of: (row) => measure(row.own_best.surface_error_mm_p95) },
  { name: 'with the common delay: still ms a minute', of: (row) => String(Math.round(row.common.freezes.ms_per_minute)) },
  { name: 'longest freeze, ms', of: (row) => String(Math.round(row.common.freezes.longest_ms)) },
  { name: 'it adds: delay, ms', of: (row) => signed(row.delay_more_ms, 0) },
  { name: 'still ms a minute', of: (row) => signed(row.still_more_ms_per_minute, 0) },
  { name: 'surface error p95, mm', of: (row) => signed(row.error_more_mm, 2) },
];

function signed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) > 0 ? `+${text}` : Number(text) === 0 ? '0' : text;
}

function answered(networks: Networks, seconds: number, take: (link: string) => void) {
  const { rows, rate_hz, mode, delay_ms, most_ms, worst, link } = networks;
  const others = rows.filter(({ served }) => !served).map(({ label }) => label);
  const named = rows.find(({ id }) => id === worst);
  const frozen = named?.common.freezes;
  const heads = rows.map(
    ({ id, label, served }) =>
      html`${label}${id === worst ? html` <small>worst served</small>` : nothing}${served ? nothing : html` <small>not served</small>`}`,
  );
  const figures = lines.map(({ name, of }) => tableRow(name, rows.map(of)));
  return html`<p>
      A playout delay of <strong>${Math.round(delay_ms)} ms</strong> by ${mode} at ${rate_hz} packets a second serves ${others.length === 0 ? `all ${rows.length}` : `${rows.length - others.length} of ${rows.length}`}
      networks. ${others.length === 0 ? nothing : html`It does not serve ${others.join(', ')}: ${others.length === 1 ? 'that needs' : 'these need'} more than ${Math.round(most_ms)} ms.`}
      ${
        named === undefined || frozen === undefined || frozen.most === 0
          ? html`None that it serves freezes in eight runs of ${measure(seconds)} s. ${named?.label ?? ''} asks for the longest delay.`
          : html`The worst is ${named.label}: ${inRuns(frozen, seconds)}.`
      }
      ${button('Use it here', () => take(link), { kind: 'quiet' })}
    </p>
    ${wide('Networks', table('Each network’s own best, and the loss with the common delay', ['', ...heads], figures, 'compared networks'))}
    <p class="caption">
      Delays count from the fastest packet: they leave the latency out. The common delay is the shortest with few freezes on every ticked network that ${Math.round(most_ms)} ms or less can serve. Players did not mind a constant delay of up to 300 ms
      (Normoyle and others, 2014). A limit of the playout delay above takes its place. Each network tries the same delays, and the first is as in the table of rates.
    </p>`;
}
