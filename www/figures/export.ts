// The run's figures as files.

import { html } from 'lit';
import { lab, lanes } from '../lab';

import { address } from '../links/link';
import { button } from '../shell/button';
import { download } from '../shell/download';
import { define } from '../shell/element';

define('lab-export', () => {
  const failed = lab.failure !== undefined;
  return html`
    ${lanes
      .filter((lane) => lane === 'a' || lab.b !== undefined)
      .map((lane) =>
        button(
          `Download figures${lab.b === undefined ? '' : ` of ${lane.toUpperCase()}`}`,
          () => download('csv', new Blob([lab.ask({ figures_csv: { lane } }) ?? ''], { type: 'text/csv' })),
          { disabled: failed },
        ),
      )}
    ${button('Download JSON', () => download('json', new Blob([json()], { type: 'application/json' })), { disabled: failed })}
    <p class="caption">
      Figures: every figure at each tick of the newest minute, as CSV. JSON: the run’s summary as
      <code>snapshot-lab run --json</code> prints it, and the link.
    </p>
  `;
});

function json(): string {
  return JSON.stringify({ link: address(), report: lab.ask('report') }, null, 2);
}
