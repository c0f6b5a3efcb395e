// A against B over the run: the figures of every tick that both hold, and how often chance turns a difference round.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Compared, ComparedFigure } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { count, measure } from '../shell/format';
import { head } from '../shell/parts';
import { HeldQuestion } from './held';
import { figureRow, row } from './table';

/** The newest comparison, for the report; undefined where none is of the present lanes. */
export function comparedNow(): Compared | undefined {
  return question.isStale ? undefined : question.answer;
}
/** One question for the panel and the report, which outlives both. */
const question = new HeldQuestion('comparison', 'comparison');

@customElement('lab-runs')
export class Runs extends LabElement {
  protected override begins() {
    return [question.follow()];
  }

  begin(): void {
    lab.pause(true);
    question.answer = undefined;
    question.ask('comparison');
  }

  protected override render() {
    const { answer: compared, working, isStale, stop, trouble } = question;
    return html`
      <div class="suggestions">
        ${working ? button('Stop', stop) : button(compared === undefined ? 'Compare over the run' : 'Compare anew', () => this.begin(), { kind: 'primary' })}
        <span class="caption" role="status">${working ? this.progress(compared) : isStale && compared !== undefined ? 'These figures are of other settings or another motion.' : trouble}</span>
      </div>
      ${compared === undefined || compared.rows.length === 0 ? nothing : runsTable(compared)}
    `;
  }

  private progress(compared: Compared | undefined): string {
    const { runs = 0, of = 8 } = compared ?? {};
    return lab.now.progress === 'done' ? `${runs} of ${of} runs of each lane are done` : 'waits until both lanes are worked out';
  }
}

/** The table of the run, with its time and its runs in the heading. */
export function runsTable({ rows, runs, of, after_tick: after, last_tick: last, by_offset: byOffset }: Compared) {
  const seconds = (tick: number): string => (tick / lab.tickRate).toFixed(1);
  const other = byOffset ? 'places of the recorded link' : 'seeds of the link';
  return html`
    <table class="compared">
      <caption class="caption">
        From ${seconds(after)} to ${seconds(last)} s. A and B are with the link’s own ${byOffset ? 'recording' : 'seed'}${
          runs > 1 ? `; the small figures are the least and the greatest over ${runs} ${other}` : ''
        }.
        ${runs < of ? '' : `A difference that has not the same sign in all ${of} is within chance.`}
      </caption>
      ${head('Over the run', 'A', 'B', 'B − A', `in ${runs} of ${of} runs`)}
      <tbody>
        ${rows.map((it) => {
          const [a, b] = [text(it.id, it.a), text(it.id, it.b)];
          return figureRow(it.id, [html`${a} ${range(it.id, it.range_a)}`, html`${b} ${range(it.id, it.range_b)}`, apart(a, b), sign(it, runs)]);
        })}
      </tbody>
    </table>
  `;
}

function text(id: string, value: number): string {
  return row(id).unit === 'count' ? count(value) : measure(value);
}

function range(id: string, [least = 0, most = 0]: readonly number[]) {
  const ends = [text(id, least), text(id, most)];
  return ends[0] === ends[1] ? nothing : html`<small>${ends.join('–')}</small>`;
}

/** Says in words in how many runs the difference has the same sign. */
function sign({ less, more }: ComparedFigure, runs: number): string {
  if (less === 0 && more === 0) return 'the same';
  if (runs === less || runs === more) return `B ${less > 0 ? 'less' : 'more'} in each`;
  return `within chance: less in ${less}, more in ${more}`;
}

/** The difference B − A of two shown figures, with its sign. It is taken after rounding: 51 and 18 stand beside −33. */
export function apart(a: string, b: string): string {
  const [from, to] = [a, b].map((text) => Number(text.replaceAll(',', '')));
  const decimals = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const value = Number(((to ?? Number.NaN) - (from ?? Number.NaN)).toFixed(decimals));
  return value === 0 ? '0' : `${value > 0 ? '+' : '−'}${Math.abs(value).toLocaleString('en', { minimumFractionDigits: decimals })}`;
}
