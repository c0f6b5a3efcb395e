// The drawing of each kind.

import type { DrawingName } from '../figures';
import type { Drawing } from '../protocol';
import { arcs } from './arcs';
import { bars } from './bars';
import { components } from './components';
import { fields } from './fields';
import { lines } from './lines';
import { type Pen, paletteOf } from './pen';
import { stills } from './stills';
import { widths } from './widths';

const KINDS: Readonly<Record<DrawingName, (pen: Pen, drawing: Drawing) => void>> = { arcs, bars, components, fields, lines, stills, widths };

/** Draws the kind on a canvas of this size in CSS pixels, in the colours of its style. */
export function draw(kind: DrawingName, canvas: HTMLCanvasElement, drawing: Drawing): void {
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const scale = Math.min(2, devicePixelRatio);
  const size = [Math.round(width * scale), Math.round(height * scale)] as const;
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = `${width < 500 ? 11 : 13}px ${getComputedStyle(canvas).fontFamily}`;
  KINDS[kind]({ context, width, height, ...paletteOf(canvas) }, drawing);
}
