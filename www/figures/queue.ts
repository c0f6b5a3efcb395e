// The line for a packet of state synchronisation: who was sent, by what claim, and who came next and did not fit.

import { html, nothing } from 'lit';
import type { Inspection } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { count, measure } from '../shell/format';
import { cells, head } from '../shell/parts';

/** Shows the cubes that stood in line for a packet. Packets of other strategies have no line. */
export function queueOf({ queue, number }: Inspection) {
  if (queue.length === 0) return nothing;
  const sent = queue.filter((queued) => queued.sent).length;
  return html`<details class="queue">
    <summary>In line for this packet: ${count(sent)} cubes went in, ${queue.length > sent ? 'these came next and did not fit' : 'nobody was left out'}</summary>
    <table>
      ${head('Cube', 'Priority', 'Waited', 'Sent')}
      <tbody>
        ${queue.map(
          ({ cube, priority, waited_ms: waited, sent }) => html`<tr class=${sent ? '' : 'left-out'}>
            <th scope="row">
              ${button(cube === 0 ? 'player' : cube, () => lab.lookAt(number, cube), { kind: 'quiet' })}
            </th>
            ${cells(count(priority), `${waited === null ? '–' : waited >= 1000 ? `${measure(waited / 1000)} s` : `${Math.round(waited)} ms`}`, sent ? 'yes' : 'did not fit')}
          </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
