// A report of lanes A and B: settings, network, figures of the run, plots and link, on one page to print.

import { html, nothing, svg } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { LaneName } from '../../pkg/snapshot_web';
import { lab, lanes } from '../lab';
import { address } from '../links/link';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { shortName } from '../shell/names';
import { head, tableRow } from '../shell/parts';
import { figure } from './figure';
import { comparedNow, type Runs, runsTable } from './runs';
import { figureValue, hasB, heading, row } from './table';

const PLOTTED = ['kbps', 'position_error_mm.rms', 'behind_ms'];
const PLOT = { width: 640, height: 120, left: 52 };
/** Places along a plot: more are not seen. */
const PLACES = 600;

const dialog = document.querySelector<HTMLDialogElement>('#report');

@customElement('lab-report')
export class Report extends LabElement {
  protected override render() {
    if (dialog?.open !== true) return nothing;
    const compared = comparedNow();
    const { first, last } = lab.now;
    return html`
      <article class="report">
        <h1 id="report-heading" tabindex="-1">Snapshot Lab: ${lab.b === undefined ? 'settings and figures' : 'A against B'}</h1>
        <p>
          ${lab.state.motion === undefined ? html`The scene is “${lab.a.scene}”` : html`The motion is ${lab.motionName}`}, from ${(first / lab.tickRate).toFixed(1)} to
          ${(last / lab.tickRate).toFixed(1)} s. ${lab.state.trace === undefined ? '' : html`The network is the recording ${lab.traceName}.`}
        </p>
        <p class="link"><a href=${address()}>${address()}</a></p>
        ${lab.state.motion === undefined && lab.state.trace === undefined ? nothing : html`<p>The link names these files but does not carry them: keep them beside it.</p>`}
        ${lab.client === undefined ? nothing : html`<p>B is the client’s file ${lab.clientName}.</p>`}
        <h2>Settings that are not the usual ones, and settings that differ</h2>
        ${this.settings()}
        <h2>Figures of the run</h2>
        ${
          lab.client !== undefined
            ? this.judgement(lab.client)
            : compared === undefined || compared.runs === 0
              ? html`<p role="status">The run is being measured…</p>`
              : html`${compared.runs < compared.of ? html`<p role="status">${compared.runs} of ${compared.of} runs of each lane are done.</p>` : nothing}${runsTable(compared)}`
        }
        <h2>Over time</h2>
        ${PLOTTED.map((id) => this.plot(id))}
      </article>
      <div class="row end">
        ${button('Print', () => window.print(), { kind: 'primary' })}
        ${button('Close', () => dialog.close())}
      </div>
    `;
  }

  /** The judgement of the client whose drawing is lane B. */
  private judgement({ file, words }: NonNullable<typeof lab.client>) {
    return html`<p>B is what ${shortName(file.name)} drew. The judge says of it:</p>
      <dl class="counters">${words.figures.map(([name, value]) => figure(name, value))}</dl>
      ${words.lists.map(([name, all]) => html`<p><strong>${name}</strong>: ${all}</p>`)}`;
  }

  private settings() {
    const settings = new Map(
      [...lab.ask({ schema: { lane: 'a' } }), ...(lab.sendingB === undefined ? [] : lab.ask({ schema: { lane: 'b' } }))].map((setting) => [
        setting.id,
        setting,
      ]),
    );
    const of = (lane: LaneName, id: string): string | undefined => lab.state[lane]?.[id];
    // The driver and the seed of its draws are no part of a motion from elsewhere.
    const isThere = ({ group }: { group: string }): boolean => lab.state.motion === undefined || group !== 'World';
    const changed = [...settings.values()]
      .filter(isThere)
      .filter(({ id, default: usual }) => of('a', id) !== usual || (lab.sendingB !== undefined && of('b', id) !== of('a', id)));
    if (changed.length === 0) return html`<p>None.</p>`;
    const shown = lanes.filter((lane) => lane === 'a' || lab.sendingB !== undefined);
    const rows = changed.map(({ id, label, unit, group, choices }) => {
      const inWords = (text: string | undefined): string => choices?.find((choice) => choice.id === text)?.label ?? text ?? '–';
      const values = shown.map((lane) => `${inWords(of(lane, id))} ${choices === undefined ? unit : ''}`);
      return tableRow(`${group}: ${label}`, values);
    });
    return html`<table class="compared">${head('Setting', ...shown.map((lane) => lane.toUpperCase()))}<tbody>${rows}</tbody></table>`;
  }

  /** A figure of both lanes over all ticks that are held. */
  private plot(id: string) {
    const { first, last } = lab.now;
    const seconds = (last - first) / lab.tickRate;
    const lines = lanes
      .filter((lane) => lane === 'a' || hasB(id))
      .filter((lane) => figureValue(lab.now[lane], id) !== undefined)
      .map((lane) => {
        const columns = lab.numbers({ recent: { lane, ids: [id], seconds } });
        const length = columns.length / 2;
        const step = Math.max(Math.floor(length / PLACES), 1);
        const points: [number, number][] = [];
        for (let place = 0; place < length; place += step) {
          // The greatest of the places between: a peak must not fall between two.
          const values = [...columns.subarray(length + place, Math.min(length + place + step, 2 * length))].filter((value) => !Number.isNaN(value));
          if (values.length > 0) points.push([columns[place] ?? 0, values.reduce((most, value) => Math.max(most, value))]);
        }
        return { lane, points };
      });
    const most = lines.flatMap(({ points }) => points).reduce((sum, [, value]) => Math.max(sum, value), 0) || 1;
    const { width, height, left } = PLOT;
    const x = (time: number): number => left + ((time - first / lab.tickRate) / Math.max(seconds, 0.001)) * (width - left);
    const y = (value: number): number => height - (value / most) * (height - 8);
    return html`<figure>
      <figcaption>${heading(row(id))}${lines.length > 1 ? ': A solid, B dashed' : ''}</figcaption>
      <svg viewBox="0 0 ${width} ${height + 18}" role="img" aria-label=${heading(row(id))}>
        ${[0, most].map((value) => svg`<text x=${left - 6} y=${y(value) + 4} text-anchor="end">${measure(value)}</text><line x1=${left} x2=${width} y1=${y(value)} y2=${y(value)} class="hair" />`)}
        ${lines.map(({ lane, points }) => svg`<polyline class=${`of-${lane}`} points=${points.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(' ')} />`)}
        ${svg`<text x=${left} y=${height + 15}>${(first / lab.tickRate).toFixed(0)} s</text><text x=${width} y=${height + 15} text-anchor="end">${(last / lab.tickRate).toFixed(0)} s</text>`}
      </svg>
    </figure>`;
  }
}

/** Opens the report, and measures the run for it where that is not done. */
export function openReport(runs: Runs | null): void {
  if (comparedNow() === undefined) runs?.begin();
  dialog?.showModal();
  dialog?.querySelector<Report>('lab-report')?.requestUpdate();
}

// Paper has no use for views and controls: the page prints as its report.
let isForPaper = false;
window.addEventListener('beforeprint', () => {
  isForPaper = document.querySelector('dialog[open]') === null && lab.failure === undefined;
  if (isForPaper) openReport(null);
});
window.addEventListener('afterprint', () => isForPaper && dialog?.close());
