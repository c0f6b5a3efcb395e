// Where every bit goes: one packet as a bar, the same as a table, rung 0 to scale beside it, or lane B's packet if there is a B.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Live, lab } from '../lab';
import { count, measure, partOf, percent } from '../shell/format';
import { Cell, head, tableRow } from '../shell/parts';
import { SizedElement } from '../shell/sized';
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
export class Breakdown extends SizedElement {
  /** Kinds that were there since the settings changed keep their row, or the table would jump. */
  private readonly seen = new Set<string>();
  private seenFor = '';

  protected override render() {
    const rows = this.rows();
    if (lab.sendingNowB !== undefined) return this.both(rows, lab.sendingNowB);
    const total = sum(rows, (row) => row.bits);
    const total0 = sum(rows, (row) => row.rung0);
    const { each, all } = items[lab.now.a.item];
    const carried = lab.now.a.items_per_packet;
    const payload = sum(rows, (row) => (row.kind === 'ip_udp' ? 0 : row.bits));
    const perSecond = Number(lab.a.hz) / 1000;
    const stale = lab.now.progress === 'stale';
    const perCargo = (bits: number): string => (carried > 0 ? measure(bits / carried) : '–');
    return html`
      ${bars(rows, stale, this.widthPx)}
      <p class="caption">
        The mean packet of the last second has ${count(total)} bits. The upper bar is an uncompressed one, to scale: ${count(total0)} bits.
        ${total0 > 0 ? html`This packet is <strong>${partOf(total / total0)} an uncompressed one</strong>.` : nothing} ${stale ? html`<i class="hatch-key"></i> Not updated yet, from the settings before.` : nothing}
      </p>
      ${byKind(
        'Bits of a packet by kind',
        ['bits a packet', new Cell('spare', 'share'), 'kbit/s', `bits ${each}`, 'rung 0'],
        rows,
        ({ kind, bits, rung0 }) => {
          const share = new Cell('spare', percent(total > 0 ? bits / total : 0));
          return [measure(bits), share, measure(bits * perSecond), kind === 'ip_udp' ? '' : perCargo(bits), new Cell('quiet', count(rung0))];
        },
        [count(total), new Cell('spare', '100 %'), measure(total * perSecond), perCargo(payload), new Cell('quiet', count(total0))],
      )}
      <p class="caption">
        ${measure(carried)} ${all} in a packet, ${count(lab.now.a.interacting_cubes)} cubes interact. The last row’s bits ${each}
        leave out the first row’s${lab.now.a.ack_kbps > 0 ? html`; acks on the way back cost ${measure(lab.now.a.ack_kbps)} kbit/s more` : nothing}.
      </p>
    `;
  }

  /** Rows of A's packet and B's side by side: a kind that one leaves out stands beside the other's bits. */
  private both(rows: readonly KindBits[], b: Live) {
    const a = lab.now.a;
    const total = sum(rows, (row) => row.bits);
    const totalB = sum(rows, (row) => row.b);
    const widest = Math.max(total, totalB, 1);
    const stale = lab.now.progress === 'stale';
    const { each } = items[a.item];
    const perCargo = (bits: number, { item, items_per_packet: carried }: Live): string => (carried > 0 && item === a.item ? measure(bits / carried) : '–');
    const bar = (bits: (row: KindBits) => number, of: number) =>
      html`<div class="scale sized ${stale ? 'provisional' : ''}" aria-hidden="true">
        <div class="bar now" ${styled({ width: `${(100 * of) / widest}%` })}>${segments(rows, bits, of, (this.widthPx * of) / widest)}</div>
      </div>`;
    return html`
      ${bar((row) => row.bits, total)} ${bar((row) => row.b, totalB)}
      <p class="caption">
        Above, A’s mean packet of the last second: ${count(total)} bits. Below, B’s: ${count(totalB)} bits. ${stale ? html`<i class="hatch-key"></i> Not updated yet, from the settings before.` : nothing}
      </p>
      ${byKind(
        'Bits of a packet by kind, of A and of B',
        ['A: bits a packet', 'B', `A: bits ${each}`, 'B'],
        rows,
        (row) => [measure(row.bits), measure(row.b), ...(row.kind === 'ip_udp' ? ['', ''] : [perCargo(row.bits, a), perCargo(row.b, b)])],
        [count(total), count(totalB), '', ''],
      )}
    `;
  }

  private rows(): KindBits[] {
    // While figures are still those of the settings before, what they have is not of these.
    const of = `${JSON.stringify(lab.a)} ${lab.now.progress === 'stale'}`;
    if (this.seenFor !== of) this.seen.clear();
    this.seenFor = of;
    return kindBits(({ kind, bits, b, rung0 }) => {
      if (bits !== 0 || b !== 0 || rung0 !== 0) this.seen.add(kind);
      return this.seen.has(kind);
    });
  }
}

/** A table with a row for each kind of bit, and one for all. */
function byKind(caption: string, heads: readonly unknown[], rows: readonly KindBits[], of: (row: KindBits) => unknown[], all: readonly unknown[]) {
  return html`<table>
    <caption class="unseen">${caption}</caption>
    ${head('Kind of bit', ...heads)}
    <tbody>
      ${rows.map((row) => tableRow(html`<i class="swatch" ${ofKind(row.kind)}></i>${row.name}`, of(row)))}
    </tbody>
    <tfoot>
      ${tableRow('All', all)}
    </tfoot>
  </table>`;
}
