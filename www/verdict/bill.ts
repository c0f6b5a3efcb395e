// A server's bill: players, share in sight and hours give traffic, a month's gigabytes and the encoder's share of a core.

import { html, nothing } from 'lit';
import type { BillInputs, ServerTraffic, VerdictAnswer } from '../../pkg/snapshot_web';
import { count, measure, percent, rateText } from '../shell/format';
import { cells } from '../shell/parts';

const inputs: readonly { id: keyof BillInputs; name: string; min: number; max: number; step: string; scale: number }[] = [
  { id: 'players', name: 'Players at once', min: 1, max: 100_000, step: '1', scale: 1 },
  { id: 'in_sight', name: 'Objects in sight, %', min: 0, max: 100, step: 'any', scale: 100 },
  { id: 'hours_a_day', name: 'Hours a day', min: 0, max: 24, step: 'any', scale: 1 },
];

export function billParts({ server }: VerdictAnswer, bill: BillInputs, wish: (bill: BillInputs) => void) {
  return html`<h3>A server’s bill</h3>
    <div class="verdict-numbers">
      ${inputs.map(
        ({ id, name, min, max, step, scale }) =>
          html`<label
            ><span>${name}</span
            ><input
              type="number"
              name=${id}
              min=${min}
              max=${max}
              step=${step}
              .value=${String(Number((bill[id] * scale).toPrecision(6)))}
              @change=${(event: Event) => {
                const { valueAsNumber } = event.target as HTMLInputElement;
                if (Number.isFinite(valueAsNumber)) wish({ ...bill, [id]: Math.min(Math.max(valueAsNumber, min), max) / scale });
              }}
          /></label>`,
      )}
    </div>
    ${server === null ? html`<p class="caption">Engines are counted after the rates …</p>` : table(server)}`;
}

function table(server: NonNullable<VerdictAnswer['server']>) {
  const { rate_hz, traffic, over_1200_share, encoder_us_per_packet: us, encoder_cores: cores, engines } = server;
  const row = (name: unknown, hz: number, one: ServerTraffic, chosen = false) =>
    html`<tr class=${chosen ? 'chosen' : ''}>
      <th scope="row">${name}</th>
      ${cells(hz, rateText(one.player_kbps), rateText(one.kbps), count(one.gb_a_month))}
    </tr>`;
  return html`<p>
      <strong>${rateText(traffic.kbps)}</strong> out, <strong>${count(traffic.gb_a_month)} GB</strong> in 30 days.
      ${us === null || cores === null ? nothing : html`Encoding takes ${measure(us)} µs a packet as measured here: ${measure(cores)} of a core.`}
      ${over_1200_share === 0 ? 'No datagram is over 1,200 bytes, which nearly every path carries whole.' : html`${percent(over_1200_share)} of the datagrams are over 1,200 bytes: some paths do not carry them whole.`}
    </p>
    <div class="wide" role="group" tabindex="0" aria-label="Traffic of a server">
      <table class="compared">
        <caption class="unseen">Traffic of a server, beside other engines</caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col">sends a second</th>
            <th scope="col">a player</th>
            <th scope="col">all players</th>
            <th scope="col">GB in 30 days</th>
          </tr>
        </thead>
        <tbody>
          ${row('These settings', rate_hz, traffic, true)}
          ${engines.map((engine) => [
            row(engine.name, engine.rate_hz, engine.default_rate),
            engine.rate_hz === rate_hz ? nothing : row(html`<small>at the taken rate</small>`, rate_hz, engine.my_rate),
          ])}
        </tbody>
      </table>
    </div>
    <p class="caption">
      One header a packet is counted for each. Payload and encoding are scaled by the share in sight: the motion was measured with all objects.
    </p>`;
}
