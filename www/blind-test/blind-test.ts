// Can you tell? The choice of a blind test, and what the tests of this browser have found.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { BlindTestOut } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { select } from '../shell/parts';
import { tables } from '../tables';
import { gpu } from '../views/gpu';
import { keptFile, keptOutcome, testIds } from './kept';
import { publishedTable } from './published';
import { openTest } from './trial';

const PAIR = 'pair';

@customElement('lab-blind-test')
export class BlindTestElement extends LabElement {
  @state() private chosen = '';
  @state() private said = '';
  private readonly isSoftware = gpu() === 'software';

  protected override render() {
    const { tell } = lab.viewState;
    const test = this.chosen !== '' ? this.chosen : (tell?.test ?? (lab.b === undefined ? 'rate' : PAIR));
    const isKept = keptFile(test) !== undefined;
    const tests: [string, string][] = tables().blind_tests.map(({ id, label }) => [id, label]);
    if (lab.b !== undefined) tests.push([PAIR, 'A and B as they are set']);
    return html`
      ${tell === null ? nothing : html`<p class="asked"><strong>${tell.question}</strong> ${button('Leave it', () => lab.apply({ look: 'leave_outcome' }), { kind: 'quiet' })}</p>`}
      <p class="lesson">
        A is the motion at its best, B is a worse copy, and X is one of the two. Watch each as often as you like, then say which X is. What you cannot tell apart need not be sent.
      </p>
      <div class="row">
        ${select('Test', tests, test, (id) => (this.chosen = id))}
        ${button(isKept ? 'Go on' : 'Begin', () => openTest(test, false), { kind: 'primary' })}
        ${isKept ? button('Begin anew', () => openTest(test, true)) : nothing}
      </div>
      <p class="caption">
        ${test === PAIR ? '16 answers.' : '40 answers, some five minutes. Stop at any time: what is known so far stays.'} Nothing leaves this browser, unless you share it.
        ${matchMedia('(prefers-reduced-motion: reduce)').matches ? 'The test shows moving pictures. Nothing moves until you press A, B or X.' : nothing}
      </p>
      ${this.isSoftware ? html`<p class="warned">No graphics card draws here. Frames come late, and the outcome cannot be trusted.</p>` : nothing}
      ${this.found()} ${publishedTable()}
      <p role="status" class="caption">${this.said}</p>
    `;
  }

  /** The outcome of each kept test. */
  private found() {
    const all = testIds().filter((test) => keptFile(test) !== undefined);
    if (all.length === 0) return nothing;
    return html`<h4>What you told apart</h4>
      <ul class="found">
        ${all.map((test) => {
          const out = keptOutcome(test);
          const save = button('Save the answers', () => saveAnswers(test), { label: `Save the answers of ${test}` });
          if (out === undefined || typeof out === 'string') return html`<li>The answers of “${test}” cannot be read: ${out}. They are kept. ${save}</li>`;
          return html`<li>
            ${out.sentence}
            <span class="row">${button('Copy a link', () => void this.copyLink(out), { label: `Copy a link: ${out.question}`, title: out.question })} ${save}</span>
          </li>`;
        })}
      </ul>`;
  }

  private async copyLink(out: BlindTestOut): Promise<void> {
    const link = new URL(`#${lab.ask({ link_of_outcome: { outcome: out.text } })}`, location.href).href;
    try {
      await navigator.clipboard.writeText(link);
      this.said = `The link is copied. It asks: ${out.question}`;
    } catch {
      // Without a secure context there is no clipboard.
      this.said = link;
    }
  }
}

function saveAnswers(test: string): void {
  download('tell.csv', new Blob([keptFile(test) ?? ''], { type: 'text/csv' }));
}
