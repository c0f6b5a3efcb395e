// The bar of bits: the mean packet of the last second to scale, and the meaning of each of its fields, shown on a cube.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { bars, hasRoom, type KindBits, kindBits, segmentWords, sum } from '../figures/bits';
import { bitKinds } from '../figures/drawing';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { count, measure, percent } from '../shell/format';
import { SizedElement } from '../shell/sized';
import { ofKind } from '../shell/styled';

const BIT_65536THS = 65_536;

/** A chosen kind of bits, and a cube of the newest packet that has them. */
interface Field {
  kind: string;
  words: string;
  cube: number | undefined;
}

@customElement('lab-bar')
export class Bar extends SizedElement {
  @state() private field: Field | undefined;

  protected override render() {
    const rows = kindBits(({ bits, rung0 }) => bits > 0 || rung0 > 0);
    const [bits, rung0] = [sum(rows, (row) => row.bits), sum(rows, (row) => row.rung0)];
    // Who looks at another cube has left the field.
    const field = this.field?.cube === (lab.viewState.cube ?? undefined) ? this.field : undefined;
    const times = rung0 / Math.max(bits, 1);
    return html`${bars(rows, lab.now.progress === 'stale', this.widthPx, { chosen: field?.kind, choose: (kind) => this.choose(kind) })}
      <p>
        <strong>${bits === 0 ? 'nothing sent yet' : rung0 === 0 ? `${count(bits)} bits` : times < 1.05 ? 'not smaller' : `${times < 10 ? measure(times) : count(times)} times smaller`}</strong>
        <span title="The mean packet of the last second">${bits === 0 ? nothing : rung0 === 0 ? 'a packet' : `${count(bits)} bits a packet, last second`}</span>
      </p>
      <p class="told" role="status">${field === undefined ? this.outside(rows, bits) : told(field, rows, bits)}</p>`;
  }

  /** The kinds that have no room for their words in the bar. */
  private outside(rows: readonly KindBits[], total: number) {
    const narrow = rows.filter((row) => row.bits > 0 && !hasRoom(row, total, this.widthPx));
    return narrow.map((row) => html`<span class="outside"><i class="swatch" ${ofKind(row.kind)}></i>${segmentWords(row)}</span> `);
  }

  /** Tells of a kind, and looks at a cube that has it in the newest packet: the player’s, or the one that it costs most. A second click ends that. */
  private choose(kind: string): void {
    const isLeft = this.field?.kind === kind && this.field.cube === (lab.viewState.cube ?? undefined);
    this.field = isLeft ? undefined : { kind, ...found(kind) };
    lab.lookAt(lab.viewState.packet ?? undefined, this.field?.cube);
  }
}

/** A chosen kind: its bits, its share, and what it is for. */
function told({ kind, words }: Field, rows: readonly KindBits[], total: number) {
  const bits = rows.find((row) => row.kind === kind)?.bits ?? 0;
  return html`<i class="swatch" ${ofKind(kind)}></i><b>${bitKinds.get(kind)?.label}: ${count(bits)} bits, ${percent(bits / Math.max(total, 1))}</b>: ${words}`;
}

function found(kind: string): Omit<Field, 'kind'> {
  const meaning = bitKinds.get(kind)?.meaning ?? '';
  try {
    const { spans, number } = lab.ask({ inspect: { lane: 'a' } });
    const bits = (of: (span: (typeof spans)[number]) => boolean): number =>
      spans.reduce((sum, span) => sum + (of(span) ? span.length_65536ths : 0), 0) / BIT_65536THS;
    const owners = spans.filter((span) => span.kind === kind && span.cube !== null).toSorted((a, b) => b.length_65536ths - a.length_65536ths);
    const cube = owners.some((span) => span.cube === 0) ? 0 : owners[0]?.cube;
    if (cube === undefined || cube === null) return { words: `${meaning}.`, cube: undefined };
    const [own, all] = [bits((span) => span.cube === cube && span.kind === kind), bits((span) => span.cube === cube)];
    const name = cube === 0 && lab.state.motion === undefined ? 'your cube' : `cube ${cube}`;
    return { words: `${meaning}. ${measure(own)} of the ${measure(all)} bits of ${name}, now blue, in packet ${count(number)}.`, cube };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { words: `${meaning}.`, cube: undefined };
  }
}
