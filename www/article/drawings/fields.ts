// One snapshot, cube by cube: a bar of four fields each, bright where the cube has changed.

import type { Drawing } from '../protocol';
import { bar, FIELDS, type Pen, words } from './pen';

const ROWS = 17;

export function fields(pen: Pen, { changed }: Drawing): void {
  const { context, width, height } = pen;
  const columns = Math.ceil(changed.length / ROWS);
  const top = 20;
  const [dx, dy] = [width / columns, (height - top) / ROWS];
  const all = FIELDS.reduce((sum, { bits }) => sum + bits, 0);
  changed.forEach((isChanged, cube) => {
    const [x, y] = [Math.floor(cube / ROWS) * dx, top + (cube % ROWS) * dy];
    context.globalAlpha = isChanged ? 1 : 0.22;
    let at = x;
    for (const { bits, colour } of FIELDS) {
      const wide = Math.max((bits / all) * (dx - 2), 0.8);
      bar(pen, pen[colour], at, y, wide, Math.max(1, dy - 1.5));
      at += wide;
    }
  });
  context.globalAlpha = 1;
  let x = 0;
  for (const { name, bits, colour } of FIELDS) {
    bar(pen, pen[colour], x, 5, 9, 9);
    const text = width < 500 ? name : `${name}, ${bits} ${bits === 1 ? 'bit' : 'bits'}`;
    words(pen, text, x + 13, 14);
    x += 13 + context.measureText(text).width + 14;
  }
}
