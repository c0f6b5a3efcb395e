// Curves of a game's client over the distance from its own cube: age of the states that it has, and error of the picture. Beside them the server's bill.

import { html, nothing } from 'lit';
import type { DistanceBand, HandLive, LaneName } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { define } from '../shell/element';
import { count, measure, rateText } from '../shell/format';
import { figure } from './figure';
import './line-chart';
import type { ChartLine, LineChart } from './line-chart';

/** The place of the last band, which has no upper end, on the axis. */
const LAST_M = 100;

interface Lane {
  name: LaneName;
  live: HandLive;
}

define('lab-distance', () => {
  const lanes: Lane[] = [];
  for (const name of ['a', 'b'] as const) {
    const live = lab.now[name];
    if (live?.strategy === 'game' && live.by_distance.length > 0) lanes.push({ name, live });
  }
  if (lanes.length === 0) return nothing;
  return html`<h3>By distance from your cube</h3>
    <p class="lesson">
      Moving cubes over the last second. The age of what the client has counts to the newest packet’s departure. The error is that of the drawn cube, at
      the instant that the picture shows.
    </p>
    <dl class="counters">${lanes.map(bill)}</dl>
    <div class="pair">
      <lab-line-chart .chart=${curves(lanes, 'Age', 'ms', 50, ({ age_ms: mean, age_max_ms: most }) => [mean, most])}></lab-line-chart>
      <lab-line-chart .chart=${curves(lanes, 'Error', 'mm', 50, ({ error_mm: mean, error_max_mm: most }) => [mean, most])}></lab-line-chart>
    </div>`;
});

function bill({ name, live }: Lane) {
  const of = lab.sendingB === undefined ? '' : `${name.toUpperCase()}: `;
  const { clients_served: clients, server_kbps: kbps, missing_cubes: missing } = live;
  const served = `over ${count(clients)} client${clients === 1 ? '' : 's'}, ${rateText(kbps / clients)} each`;
  return html`${figure(`${of}server to its clients`, rateText(kbps), served)}
  ${figure(`${of}cubes not there yet`, count(missing), 'of those that your client sees')}`;
}

function curves(lanes: Lane[], title: string, unit: string, least: number, of: (band: DistanceBand) => [number, number]): LineChart {
  const bands = lanes[0]?.live.by_distance ?? [];
  const places = bands.map(({ to_m: to }, at) => ((bands[at - 1]?.to_m ?? 0) + (to ?? 2 * LAST_M - (bands[at - 1]?.to_m ?? 0))) / 2);
  const isAlone = lanes.length === 1;
  const lines: ChartLine[] = [];
  const columns: (number | null)[][] = [];
  for (const { name, live } of lanes) {
    const colour = name === 'a' ? '--ink' : '--lane-b';
    const values = live.by_distance.map((band) => (band.cubes === 0 ? undefined : of(band)));
    for (const [at, which] of ['mean', 'worst'].entries()) {
      const column = values.map((value) => value?.[at] ?? null);
      const textAt = (place: number | undefined) => {
        const value = place === undefined ? undefined : column[place];
        return value === undefined || value === null ? undefined : `${measure(value)} ${unit}`;
      };
      lines.push({ name: isAlone ? which : `${name.toUpperCase()}, ${which}`, colour, textAt, ...(at === 1 ? { dash: [4, 4] } : {}) });
      columns.push(column);
    }
  }
  const nameOf = (place: number | undefined): string => {
    const band = place === undefined ? undefined : bands[place];
    if (band === undefined || place === undefined) return '';
    return band.to_m === null ? `beyond ${bands[place - 1]?.to_m ?? 0} m` : `${bands[place - 1]?.to_m ?? 0} to ${band.to_m} m`;
  };
  return {
    key: `${title} ${lanes.map(({ name }) => name).join('')}`,
    title: `${title}, ${unit}`,
    label: `${title} in ${unit} by distance from your cube in m`,
    data: [places, ...columns],
    lines,
    look: { least, times: () => [0, LAST_M * 1.05], across: (m) => `${m} m` },
    reading: { at: nameOf, otherwise: 'no distance chosen', first: 0 },
  };
}
