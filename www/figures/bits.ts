// The bits of a packet by kind, as rows and as the segments of a bar.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { strategy } from '../shell/strategy';
import { ofKind, styled } from '../shell/styled';
import { tables } from '../tables';

/** Bits of one kind in the mean packet of the last second. */
export interface KindBits {
  kind: string;
  name: string;
  bits: number;
  /** Bits in lane B. */
  b: number;
  /** Bits on rung 0. */
  rung0: number;
}

/** Narrower segments than this part of the bar have no room for their name. */
const ROOM_FOR_NAME = 0.1;

/** Rows of all kinds that `isKept` keeps. */
export function kindBits(isKept: (row: KindBits) => boolean): KindBits[] {
  const b = lab.sendingNowB?.ledger_bits_per_packet;
  const { ledger_bits_per_packet: now, uncompressed_bits_per_packet: rung0 } = lab.now.a;
  const isTcp = strategy() === 'lockstep' && lab.a.transport === 'tcp';
  return tables()
    .bit_kinds.map(({ name: kind, label: name }) => ({
      kind,
      name: kind === 'ip_udp' && isTcp ? 'IP + TCP header' : name,
      bits: now[kind] ?? 0,
      b: b?.[kind] ?? 0,
      rung0: rung0[kind] ?? 0,
    }))
    .filter(isKept);
}

/** Returns true if a segment of so many bits has room for its name. */
export function hasRoom(bits: number, total: number): boolean {
  return bits > ROOM_FOR_NAME * total;
}

/** Segments of a bar as long as `total` bits. */
export function segments(rows: readonly KindBits[], bits: (row: KindBits) => number, total: number, named: boolean) {
  return rows.map((row) => {
    const part = total > 0 ? Math.max(bits(row), 0) / total : 0;
    if (part === 0) return nothing;
    return html`<i class="segment" title=${row.name} ${ofKind(row.kind)} ${styled({ 'flex-grow': String(part) })}
      >${named && hasRoom(bits(row), total) ? html`<span>${row.name}</span>` : nothing}</i
    >`;
  });
}

/**
 * The mean packet as a bar, and below it an uncompressed packet to scale. The wedge between the two bars begins at the part
 * of the uncompressed packet that the mean packet has.
 */
export function bars(rows: readonly KindBits[], isStale: boolean) {
  const [total, total0] = [sum(rows, ({ bits }) => bits), sum(rows, ({ rung0 }) => rung0)];
  const part = `${Math.min(100, (100 * total) / Math.max(total0, 1))}%`;
  return html`<div class="bars-to-scale" aria-hidden="true">
    <div class="bar now ${isStale ? 'provisional' : ''}">${segments(rows, ({ bits }) => bits, total, true)}</div>
    <i class="wedge" ${styled({ '--part': part })}></i>
    <div class="bar rung0">${segments(rows, ({ rung0 }) => rung0, total0, false)}</div>
  </div>`;
}

export function sum(rows: readonly KindBits[], value: (row: KindBits) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
