// The bits of a packet by kind, as rows and as the segments of a bar.

import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { lab } from '../lab';
import { count } from '../shell/format';
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

/** Room of a letter in a segment, and of the edges beside its words, px. */
const [LETTER_PX, EDGES_PX] = [7.2, 22];

/** A kind with its bits, as on a segment. */
export const segmentWords = ({ name, bits }: Pick<KindBits, 'name' | 'bits'>): string => `${name} ${count(bits)}`;

/** Returns true if a segment has room for its words. */
export function hasRoom(row: KindBits, total: number, barPx: number): boolean {
  return (row.bits / Math.max(total, 1)) * barPx >= segmentWords(row).length * LETTER_PX + EDGES_PX;
}

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

/** A choice of one kind, by its segment: the radio buttons of one name are one stop of the Tab key. */
export interface KindChoice {
  chosen: string | undefined;
  choose: (kind: string) => void;
}

/** Segments of a bar as long as `total` bits, and `barPx` wide. */
export function segments(rows: readonly KindBits[], bits: (row: KindBits) => number, total: number, barPx: number, choice?: KindChoice) {
  return rows.map((row) => {
    const { kind, name } = row;
    const part = total > 0 ? Math.max(bits(row), 0) / total : 0;
    if (part === 0) return nothing;
    const shown = { ...row, bits: bits(row) };
    const words = hasRoom(shown, total, barPx) ? html`<span>${segmentWords(shown)}</span>` : nothing;
    const size = styled({ 'flex-grow': String(part) });
    if (choice === undefined) return html`<i class="segment" title=${segmentWords(shown)} ${ofKind(kind)} ${size}>${words}</i>`;
    return html`<label class="segment" title=${segmentWords(shown)} ${ofKind(kind)} ${size}
      ><input
        type="radio"
        name="kind"
        class="unseen"
        aria-label=${name}
        .checked=${live(choice.chosen === kind)}
        @click=${() => choice.choose(kind)}
      />${words}</label
    >`;
  });
}

/** The mean packet as the sliver of an uncompressed one, to scale, and below it opened by a wedge: its kinds of bits. */
export function bars(rows: readonly KindBits[], isStale: boolean, barPx: number, choice?: KindChoice) {
  const [total, total0] = [sum(rows, ({ bits }) => bits), sum(rows, ({ rung0 }) => rung0)];
  const part = styled({ '--part': `${Math.min(100, (100 * total) / Math.max(total0, 1))}%` });
  const scale = html`<div class="bar rung0 sized" aria-hidden="true" ${part}><i class="sliver"></i><span>${count(total0)} bits uncompressed</span></div>
    <i class="wedge" ${part}></i>`;
  const kind = `bar now ${isStale ? 'provisional' : ''}`;
  return html`<div class="bars-to-scale">
    ${total0 > 0 ? scale : nothing}
    ${
      choice === undefined
        ? html`<div class=${kind} aria-hidden="true">${segments(rows, ({ bits }) => bits, total, barPx)}</div>`
        : html`<div class=${kind} role="radiogroup" aria-label="Bits of the packet by kind">${segments(rows, ({ bits }) => bits, total, barPx, choice)}</div>`
    }
  </div>`;
}

export function sum(rows: readonly KindBits[], value: (row: KindBits) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
