// The bar of bits: the mean packet of the last second by kind, beside an uncompressed one.

import { html } from 'lit';
import { bars, hasRoom, kindBits, sum } from '../figures/bits';
import { lab } from '../lab';
import { define } from '../shell/element';
import { count, partOf } from '../shell/format';
import { ofKind } from '../shell/styled';

define('lab-bar', () => {
  const rows = kindBits(({ bits, rung0 }) => bits > 0 || rung0 > 0);
  const [bits, rung0] = [sum(rows, (row) => row.bits), sum(rows, (row) => row.rung0)];
  const unnamed = rows.filter((row) => !hasRoom(row.bits, bits));
  return html`${bars(rows, lab.now.progress === 'stale')}
    <p>
      <strong title="The mean packet of the last second">${count(bits)} bits a packet</strong>
      <span title="The lower bar, to scale: the same snapshot as floats">${rung0 > 0 ? partOf(bits / rung0) : '– of'} ${count(rung0)} uncompressed</span>
    </p>
    <p class="others">${unnamed.map(({ kind, name }) => html`<i class="swatch" ${ofKind(kind)}></i>${name} `)}</p>`;
});
