// The bar of bits: the mean packet of the last second by kind, beside an uncompressed one.

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { bars, kindBits, sum } from '../figures/bits';
import { type Change, lab } from '../lab';
import { LabElement } from '../shell/element';
import { count, partOf } from '../shell/format';

@customElement('lab-bar')
export class Bar extends LabElement {
  protected override readonly shows: readonly Change[] = ['figures'];

  protected override render() {
    const rows = kindBits(({ bits, rung0 }) => bits > 0 || rung0 > 0);
    const [bits, rung0] = [sum(rows, (row) => row.bits), sum(rows, (row) => row.rung0)];
    return html`<div class="bars">${bars(rows, lab.progress.state === 'stale')}</div>
      <p title="The mean packet of the last second. Below it an uncompressed packet; the bracket is this packet's part.">
        <strong>${count(bits)} bits a packet</strong> <span>${rung0 > 0 ? partOf(bits / rung0) : '– of'} ${count(rung0)} uncompressed</span>
      </p>`;
  }
}
