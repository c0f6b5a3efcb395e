// The run's figures as files.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { LabElement } from '../element';
import { lab, type Change } from '../lab';
import { address } from '../link';

@customElement('lab-export')
export class Export extends LabElement {
  protected override readonly shows: readonly Change[] = [];

  protected override render() {
    return html`
      <button type="button" @click=${() => save('csv', 'text/csv', csv())}>Download CSV</button>
      <button type="button" @click=${() => save('json', 'application/json', json())}>Download JSON</button>
      <p class="caption">
        CSV: ten samples a second of what the charts show, up to ten minutes. JSON: the same, the run’s summary as
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

function save(extension: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = `snapshot-lab-${lab.settings['scene']}-${lab.live.tick}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
