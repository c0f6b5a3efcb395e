// The rate: limits to drag, the frontier as a plot, and the points on it.

import { html, nothing } from 'lit';
import type { Limits, RatePoint, Rates, VerdictAnswer } from '../../pkg/snapshot_web';
import type { LineChart } from '../figures/line-chart';
import '../figures/line-chart';
import { rateQuote } from '../blind-test/quote';
import { measure, rateText } from '../shell/format';
import { slider, table, tableRow, wide } from '../shell/parts';
import { froze } from './parts';
import { digits, place, valueAt } from './slider';

const STEPS = 100;
const words: readonly { id: keyof Limits; name: string; unit: string; of: (point: RatePoint) => number }[] = [
  { id: 'surface_mm', name: 'Surface error at p95', unit: 'mm', of: (point) => point.surface_error_mm_p95 },
  { id: 'delay_ms', name: 'Playout delay', unit: 'ms', of: (point) => point.delay_ms },
  { id: 'age_ms', name: 'Age end to end', unit: 'ms', of: (point) => point.behind_ms },
  { id: 'kbps', name: 'Bandwidth a player', unit: 'kbit/s', of: (point) => point.kbps },
];

/** The section of rates; while they are tried it says so. */
export function rateParts({ rates, network }: VerdictAnswer, limits: Limits, wish: (limits: Limits) => void) {
  if (rates === null) return html`<h3>The rate</h3><p class="caption">Other rates are being tried …</p>`;
  const { points, recommended } = rates;
  const heads = ['Packets a second', 'kbit/s', 'surface error p95, mm', 'playout delay, ms', 'age, ms', 'freezes', 'longest, ms', 'still ms a minute'];
  const sign = recommended.broken.length === 0 ? '✓ take' : 'nearest';
  const rows = front(rates).map(({ modes, rate_hz, cells, isTaken }) =>
    tableRow(html`${rate_hz}, ${modes.join(' or ')}${isTaken ? html` <strong>${sign}</strong>` : nothing}`, cells, isTaken),
  );
  return html`<h3>The rate over ${network}</h3>
    <div class="verdict-errors">
      ${words.map(({ id, name, unit, of }) => {
        const all = points.map(of).filter((value) => value > 0);
        const [least, most] = [Math.min(...all), Math.max(...all)];
        const value = limits[id] ?? (id === 'surface_mm' || id === 'delay_ms' ? recommended[id] : null);
        const said = value === null ? 'any' : `${digits(value)} ${unit}`;
        return html`<label>
          <span>${name} at most: <b>${said}</b></span>
          ${slider({ min: 0, max: STEPS, value: value === null ? STEPS : place(value, least, most, STEPS), said, disabled: !(most > least) }, (at) => {
            // At the end every point keeps the limit.
            const end = id === 'surface_mm' || id === 'delay_ms' ? Math.ceil(most) : null;
            // A limit of the surface takes the place of an older one of positions alone.
            const others = id === 'surface_mm' ? { ...limits, view_mm: null } : limits;
            wish({ ...others, [id]: at === STEPS ? end : Number(valueAt(at, least, most, STEPS).toPrecision(3)) });
          })}
        </label>`;
      })}
    </div>
    <lab-line-chart .chart=${frontier(rates)}></lab-line-chart>
    ${wide('Rates', table('Rates on the front of bandwidth, error and delay', heads, rows))} ${rateQuote(rates)}
    <p class="caption">
      Every rate is tried with rising delays until nothing freezes in eight runs with seeds of their own. A point is on the front if no other beats it by 1 % or more in one of the three, and is as good in the
      others. Only delays with as few freezes a minute as the setting Freezes allows count. The error is held against the motion at the shown instant, so the age is not in it. A burst of losses lasts a number of packets in this model: at a higher rate it is over sooner.
    </p>`;
}

/** Rows of the front, by rate. Points whose figures read alike are one row. */
function front({ points, recommended }: Rates) {
  const rows = new Map<string, { modes: string[]; rate_hz: number; cells: (string | number)[]; isTaken: boolean }>();
  for (const point of points) {
    const isTaken = isSame(point, recommended.point);
    if (!point.on_front && !isTaken) continue;
    const { rate_hz, mode } = point;
    const cells = [measure(point.kbps), measure(point.surface_error_mm_p95), Math.round(point.delay_ms), Math.round(point.behind_ms), ...froze(point)];
    const key = [rate_hz, ...cells].join(' ');
    const row = rows.get(key) ?? { modes: [], rate_hz, cells, isTaken: false };
    row.modes.push(mode);
    row.isTaken ||= isTaken;
    rows.set(key, row);
  }
  return [...rows.values()];
}

function isSame(a: RatePoint, b: RatePoint): boolean {
  return a.rate_hz === b.rate_hz && a.mode === b.mode && a.delay_ms === b.delay_ms;
}

function frontier({ points, recommended }: Rates): LineChart {
  const taken = (point: RatePoint): boolean => isSame(point, recommended.point);
  const shown = points.filter((point) => point.calm || taken(point)).toSorted((a, b) => a.kbps - b.kbps);
  const of = (kept: (point: RatePoint) => boolean) => shown.map((point) => (kept(point) ? point.surface_error_mm_p95 : null));
  return {
    key: '',
    title: 'Surface error at p95, mm, over kbit/s a player',
    label: `Surface error at p95 over bandwidth, ${points.length} points; the table below has those on the front`,
    lines: [
      { name: 'beaten', colour: '--line-soft', points: true },
      { name: 'on the front of bandwidth, error and delay', colour: '--position', points: true },
      { name: 'taken', colour: '--ink', points: true },
    ],
    look: { least: 0, times: (_first, last) => [0, last * 1.05], across: (kbps) => rateText(kbps) },
    data: [shown.map(({ kbps }) => kbps), of((point) => !point.on_front), of((point) => point.on_front), of(taken)],
  };
}
