// The run's figures as files.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { lab, type Change } from '../lab';
import { address } from '../links/link';

@customElement('lab-export')
export class Export extends LabElement {
  protected override readonly shows: readonly Change[] = ['failed'];

  protected override render() {
    const failed = lab.failure !== undefined;
    return html`
      <button type="button" ?disabled=${failed} @click=${() => download('csv', new Blob([csv()], { type: 'text/csv' }))}>Download CSV</button>
      <button type="button" ?disabled=${failed} @click=${() => download('json', new Blob([json()], { type: 'application/json' }))}>Download JSON</button>
      <p class="caption">
        CSV: ten samples a second of what the charts show, of the newest minute. JSON: the same, the run’s summary as
        <code>snapshot-lab run --json</code> prints it, and the link.
      </p>
    `;
  }
}

function csv(): string {
  const samples = lab.page.samples();
  const names = Object.keys(samples[0] ?? { time_s: 0 });
  return [names, ...samples.map((sample) => names.map((name) => sample[name]))].map((row) => row.join(',')).join('\r\n');
}

function json(): string {
  return JSON.stringify({ link: address(), report: lab.page.report(), samples: lab.page.samples() }, null, 2);
}
