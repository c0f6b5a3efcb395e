// A netcode of one's own, judged by two recordings: what the server had, and what a client drew.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { JudgementWords } from '../../pkg/snapshot_web';
import { figure } from '../figures/figure';
import { judgeClient, showClient } from '../motion/client';
import { askColumns } from '../motion/columns';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { shortName } from '../shell/names';

const ends = ['server', 'client'] as const;
type End = (typeof ends)[number];

@customElement('lab-judge')
export class JudgeElement extends LabElement {
  private readonly files: Partial<Record<End, File>> = {};
  @state() private said = '';
  @state() private judged: { words: JudgementWords; show: () => void } | undefined;
  /** The question about the client's unit or axes, and the options that take it so. */
  @state() private question: { options: string } | undefined;
  @state() private share: number | undefined;
  private end = (): void => {};

  /** Escape stops the work, wherever the focus is. */
  protected override begins() {
    const stop = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && this.share !== undefined) this.tell('Stopped.');
    };
    window.addEventListener('keydown', stop);
    return [() => window.removeEventListener('keydown', stop)];
  }

  protected override render() {
    return html`<p class="lesson">
        Two recordings of one game: what the server had, and what one client drew, at any frame rate. <a href="./motion.html" target="_blank">Recorders</a> write both. An object has one id in
        both; the clocks need not agree.
      </p>
      ${ends.map(
        (end) => html`<label>
          ${end === 'server' ? 'What the server had' : 'What the client drew'}
          <input type="file" accept=".csv,.tsv,.txt,.bin,.xz" @change=${(event: Event) => this.take(end, (event.target as HTMLInputElement).files?.[0])} />
        </label>
        ${this.files[end] === undefined ? nothing : button(`Columns, axes, units of the ${end}’s file`, () => void this.askFor(end, ''))}`,
      )}
      <p role="status">${this.said}</p>
      ${
        this.share === undefined
          ? nothing
          : html`<div class="verdict-work">
              <progress max="1" .value=${this.share} aria-label="The comparison’s work"></progress>
              ${button('Cancel', () => this.tell(''))}
            </div>`
      }
      ${this.question === undefined ? nothing : button('Judge it so', () => this.judge(this.question?.options ?? ''), { kind: 'primary' })}
      ${
        this.judged === undefined
          ? nothing
          : html`${button('Show the client as lane B', this.judged.show, { kind: 'primary' })}
              <p class="verdict-summary">${this.judged.words.sentence}</p>
              <dl class="counters">${this.judged.words.main.map(([name, value]) => figure(name, value))}</dl>
              <details>
                <summary>All figures, and where they come from</summary>
                <dl class="counters">${this.judged.words.figures.map(([name, value]) => figure(name, value))}</dl>
                ${this.judged.words.lists.map(([name, all]) => html`<p><strong>${name}</strong>: ${all}</p>`)}
              </details>`
      }`;
  }

  private take(end: End, file: File | undefined): void {
    if (file === undefined) return;
    this.files[end] = file;
    this.judge('');
  }

  /** Asks what a file does not tell, and judges again with the answer. */
  private async askFor(end: End, refused: string): Promise<void> {
    const file = this.files[end];
    if (file !== undefined) await askColumns(file, refused, (answered) => this.take(end, answered));
  }

  /** Judges both files, once they are there. `taken` are options that change the client's positions. */
  private judge(taken: string): void {
    const { server, client } = this.files;
    this.judged = undefined;
    this.tell('');
    if (server === undefined || client === undefined) return;
    this.tell(`Judging ${shortName(client.name)} by ${shortName(server.name)} …`);
    this.share = 0;
    this.end = judgeClient(server, client, taken, (answer) => {
      if ('comparing' in answer) {
        this.share = answer.comparing;
        return;
      }
      // The form shows the rest of a question about columns.
      this.tell('refused' in answer ? answer.refused.replace(/the header: (which column is which\?).*/s, '$1') : '');
      const [, end, refused] = ('refused' in answer && /^The (server|client)’s file: (.*)/s.exec(answer.refused)) || [];
      if (refused !== undefined) void this.askFor(end as End, refused);
      if ('question' in answer) this.ask(answer.question, answer.options);
      if ('compared' in answer) this.judged = { words: answer.compared, show: () => showClient(server, client, answer) };
    });
  }

  private ask(question: string, options: string): void {
    this.tell(`${question.slice(0, 1).toUpperCase()}${question.slice(1)}`);
    this.question = { options };
  }

  /** Says a sentence, and ends the Worker before. */
  private tell(said: string): void {
    this.end();
    this.end = (): void => {};
    this.question = this.share = undefined;
    this.said = said;
  }
}
