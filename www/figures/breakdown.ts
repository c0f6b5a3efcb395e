// Where every bit goes: one packet as a bar, the same as a table, rung 0 to scale beside it, or lane B's packet if there is a B.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Change, type Live, lab } from '../lab';
import { LabElement } from '../shell/element';
import { count, measure, partOf, percent } from '../shell/format';
import { head, tableRow } from '../shell/parts';
import { ofKind, styled } from '../shell/styled';
import { bars, type KindBits, kindBits, segments, sum } from './bits';

/** Names of the items that share a packet's bits, each and all. */
const items = {
  cube: { each: 'a cube', all: 'cubes' },
  changed_cube: { each: 'a changed cube', all: 'cubes changed' },
  update: { each: 'an update', all: 'cubes updated' },
  input: { each: 'an input', all: 'inputs' },
};

@customElement('lab-breakdown')
export class Breakdown extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures', 'settings'];
  /** Kinds that were there since the settings changed keep their row, or the table would jump. */
  private readonly seen = new Set<string>();
  private seenFor = '';

  protected override render() {
    const rows = this.rows();
    if (lab.sendingB?.live !== undefined) return this.both(rows, lab.sendingB.live);
    const total = sum(rows, (row) => row.bits);
    const total0 = sum(rows, (row) => row.rung0);
    const { each, all } = items[lab.a.live.item];
    const carried = lab.a.live.items_per_packet;
    const payload = sum(rows, (row) => (row.kind === 'ip_udp' ? 0 : row.bits));
    const perSecond = Number(lab.a.settings['hz']) / 1000;
    const stale = lab.progress.state === 'stale';
    const perCargo = (bits: number): string => (carried > 0 ? measure(bits / carried) : '–');
    return html`
      ${bars(rows, stale)}
      <p class="caption">
        Above, the mean packet of the last second: ${count(total)} bits. Below, an uncompressed one: ${count(total0)} bits.
        ${total0 > 0 ? html`This packet is <strong>${partOf(total / total0)} an uncompressed one</strong>.` : nothing} ${stale ? html`<i class="hatch-key"></i> Still of the settings before.` : nothing}
      </p>
      <table>
        <caption class="unseen">
          Bits of a packet by kind
        </caption>
        <thead>
          <tr>
            <th scope="col">Kind of bit</th>
            <th scope="col">bits a packet</th>
            <th scope="col" class="spare">share</th>
            <th scope="col">kbit/s</th>
            <th scope="col">bits ${each}</th>
            <th scope="col">rung 0</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                <th scope="row">${nameOf(row)}</th>
                <td>${measure(row.bits)}</td>
                <td class="spare">${percent(total > 0 ? row.bits / total : 0)}</td>
                <td>${measure(row.bits * perSecond)}</td>
                <td>${row.kind === 'ip_udp' ? '' : perCargo(row.bits)}</td>
                <td class="quiet">${count(row.rung0)}</td>
              </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td>${count(total)}</td>
            <td class="spare">100 %</td>
            <td>${measure(total * perSecond)}</td>
            <td>${perCargo(payload)}</td>
            <td class="quiet">${count(total0)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="caption">
        ${measure(carried)} ${all} in a packet, ${count(lab.a.live.interacting_cubes)} cubes interact. The last row’s bits ${each}
        leave out the first row’s${lab.a.live.ack_kbps > 0 ? html`; acks on the way back cost ${measure(lab.a.live.ack_kbps)} kbit/s more` : nothing}.
      </p>
    `;
  }

  /** Rows of A's packet and B's side by side: a kind that one leaves out stands beside the other's bits. */
  private both(rows: readonly KindBits[], b: Live) {
    const a = lab.a.live;
    const total = sum(rows, (row) => row.bits);
    const totalB = sum(rows, (row) => row.b);
    const widest = Math.max(total, totalB, 1);
    const stale = lab.progress.state === 'stale';
    const { each } = items[a.item];
    const perCargo = (bits: number, { item, items_per_packet: carried }: Live): string => (carried > 0 && item === a.item ? measure(bits / carried) : '–');
    const bar = (bits: (row: KindBits) => number, of: number) =>
      html`<div class="scale ${stale ? 'provisional' : ''}" aria-hidden="true">
        <div class="bar now" ${styled({ width: `${(100 * of) / widest}%` })}>${segments(rows, bits, of, true)}</div>
      </div>`;
    return html`
      ${bar((row) => row.bits, total)} ${bar((row) => row.b, totalB)}
      <p class="caption">
        Above, A’s mean packet of the last second: ${count(total)} bits. Below, B’s: ${count(totalB)} bits. ${stale ? html`<i class="hatch-key"></i> Still of the settings before.` : nothing}
      </p>
      <table>
        <caption class="unseen">
          Bits of a packet by kind, of A and of B
        </caption>
        ${head('Kind of bit', 'A: bits a packet', 'B', `A: bits ${each}`, 'B')}
        <tbody>
          ${rows.map((row) => {
            const shares = row.kind === 'ip_udp' ? ['', ''] : [perCargo(row.bits, a), perCargo(row.b, b)];
            return tableRow(nameOf(row), [measure(row.bits), measure(row.b), ...shares]);
          })}
        </tbody>
        <tfoot>
          ${tableRow('All', [count(total), count(totalB), '', ''])}
        </tfoot>
      </table>
    `;
  }

  private rows(): KindBits[] {
    // While figures are still those of the settings before, what they have is not of these.
    const of = `${JSON.stringify(lab.a.settings)} ${lab.progress.state === 'stale'}`;
    if (this.seenFor !== of) this.seen.clear();
    this.seenFor = of;
    return kindBits(({ kind, bits, b, rung0 }) => {
      if (bits !== 0 || b !== 0 || rung0 !== 0) this.seen.add(kind);
      return this.seen.has(kind);
    });
  }
}

/** A kind of bit with its colour. */
function nameOf({ kind, name }: KindBits) {
  return html`<i class="swatch" ${ofKind(kind)}></i>${name}`;
}
