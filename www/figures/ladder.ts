// What every rung of the articles' ladder costs on the very motion that is shown.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Rung, Rungs } from '../../pkg/snapshot_web';
import { lab } from '../lab';

import { LabElement } from '../shell/element';
import { count, measure, packetsASecond, percent, rateText } from '../shell/format';
import { Cell, cells, head } from '../shell/parts';
import { strategy } from '../shell/strategy';
import { styled } from '../shell/styled';
import { rungNamed, tables } from '../tables';
import { SeenQuestion } from './held';
import { isNarrow } from './link-data';
import { ideaOf, wordsOfRungs } from './rung-ideas';

/** The bars' scale is logarithmic between these. */
const LEAST_KBPS = 1;
const MOST_KBPS = 20_000;
/** Rungs below it send every cube, changed or not. */
const FIRST_DELTA_RUNG = 6;

@customElement('lab-ladder')
export class LadderFigure extends LabElement {
  private readonly question = new SeenQuestion(this, 'ladder');
  /** The row whose idea is shown. */
  @state() private opened = '';
  /** True if the shown figures are not final. */
  private partly = false;

  protected override begins() {
    return [this.question.follow()];
  }

  protected override render() {
    if (strategy() !== 'snapshot')
      return html`<p class="lesson">The ladder compares ways to encode snapshots. Choose the strategy “snapshots”, and every rung is measured on this motion.</p>`;
    const { answer, working, isStale, trouble } = this.question;
    this.partly = working || isStale || lab.now.progress !== 'done';
    const others = isNarrow('a') ? ['delivered', 'queue ms, p50 and p95', 'dropped'] : [new Cell('spare said-there', 'what the articles say')];
    const [rungs, ofB] = [answer?.a, answer?.b ?? undefined];
    return html`
      <p class="lesson">
        The same motion on every rung, over the same network. ${rungs === undefined ? nothing : dearer(rungs)} Choose a rung to see the views on it, and its idea.
      </p>
      ${
        rungs === undefined || rungs.last_tick === rungs.after_tick
          ? html`<p class="caption" role="status">${trouble !== '' ? trouble : lab.now.last > 0 ? 'The rungs are being worked out.' : 'Not a packet yet.'}</p>`
          : html`<p class="caption" role="status">
                ${this.partly ? html`<i class="hatch-key"></i> ${isStale ? 'Of other settings or another motion:' : 'So far, of'}` : 'Of'} the
                ${((rungs.last_tick - rungs.after_tick) / lab.tickRate).toFixed(1)} s from ${(rungs.after_tick / lab.tickRate).toFixed(1)} s to
                ${(rungs.last_tick / lab.tickRate).toFixed(1)} s, at ${packetsASecond(lab.a.hz)}.
                ${lab.running ? 'Pause to see all that is kept.' : nothing}
                ${whyWithout(rungs)}
                ${isNarrow('a') ? 'Each rung has a queue of its own. Its figures leave out the start, until the first acknowledgement is back and that queue can be empty.' : nothing}
                ${ofB === undefined ? nothing : html`<span class="of-b"><i></i>The mark is the same rung with B’s settings.</span>`}
              </p>
              <div class="wide">
                <table class="rungs">
                  <caption class="unseen">Every rung on this motion</caption>
                  ${head('Rung', 'log scale; the line is the goal', 'kbit/s', 'bytes a packet', new Cell('spare', 'bits a changed cube'), new Cell('spare', 'rounding, mm at most'), ...others)}
                  <tbody>
                    ${rungs.rows.map((row, place) => [this.row(row, rungs.goal_kbps, ofB?.rows[place]), this.idea(row, rungs.rows)])}
                  </tbody>
                </table>
              </div>`
      }
    `;
  }

  /** Chooses a row's rung, and opens or closes the rung's idea: the whole row is a button. */
  private press(row: Rung): void {
    this.opened = this.opened === keyOf(row) ? '' : keyOf(row);
    choose(row);
  }

  private idea(row: Rung, rows: readonly Rung[]) {
    if (this.opened !== keyOf(row)) return nothing;
    const before = rows.findLast((other) => other.rung === row.rung - 1 && (other.class === null || row.class === null || other.class === row.class));
    return html`<tr class="opened">
      <td colspan="9">${ideaOf(row, before)}</td>
    </tr>`;
  }

  private row(row: Rung, goalKbps: number, ofB: Rung | undefined) {
    const bits = row.bits_per_changed_cube === null || row.rung < FIRST_DELTA_RUNG ? '–' : measure(row.bits_per_changed_cube);
    const off = row.packets === 0 ? '–' : measure(row.surface_error_mm.worst);
    const queue = row.link_packets === 0 ? '–' : `${measure(row.queue_ms.p50)}, ${measure(row.queue_ms.p95)}`;
    const dropped = new Cell(row.lost_by_queue > 0 ? 'warm' : '', row.link_packets === 0 ? '–' : percent(row.lost_by_queue / row.link_packets));
    const said = new Cell('spare said-there', row.class === 'strict' ? '' : wordsOfRungs.get(row.name)?.articles);
    const others = isNarrow('a') ? [kbpsText(row.delivered_kbps), queue, dropped] : [said];
    const chosen = row.name === lab.a.codec && (row.class === null || row.class === lab.a.class);
    return html`<tr class="${chosen ? 'chosen' : ''} opens" @click=${() => this.press(row)}>
      <th scope="row">
        <button type="button" class="quiet" aria-pressed=${chosen} aria-expanded=${this.opened === keyOf(row)}>
          ${rungNamed(row.name)?.label}${row.class === null ? nothing : html` <small>${row.class}</small>`}
        </button>
      </th>
      <td aria-hidden="true">
        <div class="track">
          <i class="fill ${row.kbps > goalKbps ? 'over' : ''} ${this.partly ? 'provisional' : ''}" ${styled({ width: place(row.kbps) })}></i>
          ${ofB === undefined || ofB.packets === 0 ? nothing : html`<i class="of-b" ${styled({ left: place(ofB.kbps) })}></i>`}
          <i class="goal" ${styled({ left: place(goalKbps) })}></i>
        </div>
      </td>
      <td>${kbpsText(row.kbps)}${ofB === undefined || ofB.packets === 0 ? nothing : html`<small class="of-b">${kbpsText(ofB.kbps)} with B</small>`}</td>
      ${cells(count(row.bytes_per_packet), new Cell('spare', bits), new Cell('spare', off), ...others)}
    </tr>`;
  }
}

/** The rungs that send more than the rung before, on this motion. */
function dearer({ rows }: Rungs): string {
  const first = rows.filter(({ class: of }) => of === null || of === lab.a.class);
  const more = first.flatMap((row, place) => (row.kbps > (first[place - 1]?.kbps ?? Number.POSITIVE_INFINITY) ? [row.rung] : []));
  return more.length === 0 ? 'Each step sends less.' : `Each step sends less, but for rung ${more.join(' and ')}.`;
}

function keyOf(row: Rung): string {
  return `${row.name} ${row.class}`;
}

/** Why some rungs are left out: they simulate at both ends, for each packet, milliseconds. */
function whyWithout({ rows }: Rungs): string {
  const leftOut = tables().rungs.filter((rung) => !rows.some(({ name }) => name === rung.name));
  const [first] = leftOut;
  if (first === undefined) return '';
  const names = `Rung ${leftOut.map(({ number }) => number).join(' and ')} is left out`;
  return lab.state.motion === undefined
    ? `${names} above ${first.most_hz} packets a second: it would take minutes.`
    : `${names}: nothing simulates this motion.`;
}

function choose(row: Rung): void {
  if (row.class !== null) lab.set('class', row.class, 'a');
  lab.set('codec', row.name, 'a');
}

function kbpsText(kbps: number): string {
  return kbps < 1000 ? count(kbps) : rateText(kbps);
}

function place(kbps: number): string {
  const part = Math.log(Math.max(kbps, LEAST_KBPS) / LEAST_KBPS) / Math.log(MOST_KBPS / LEAST_KBPS);
  return `${Math.min(part, 1) * 100}%`;
}
