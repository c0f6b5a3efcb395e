// What figures on a canvas share: the size of their box, the colours of the theme, and a new picture when either changes.

import type { BitKind } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { LabElement } from '../shell/element';
import { onThemeChange, resolved } from '../shell/theme';
import { tables } from '../tables';

type Draw = (context: CanvasRenderingContext2D, width: number, colour: (name: string) => string) => void;

/** A canvas as wide as its element, in CSS pixels. It draws on request, and when size or theme change. */
class Drawing {
  private readonly stop: () => void;
  private colours = new Map<string, string>();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly draw: Draw,
  ) {
    const resized = new ResizeObserver(() => this.redraw());
    resized.observe(canvas);
    const forget = onThemeChange(() => {
      this.colours.clear();
      this.redraw();
    });
    this.stop = () => {
      resized.disconnect();
      forget();
    };
  }

  redraw(): void {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const context = canvas.getContext('2d');
    if (context === null || width === 0 || height === 0) return;
    const scale = devicePixelRatio;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    this.draw(context, width, (name) => this.colour(name));
  }

  destroy(): undefined {
    this.stop();
  }

  private colour(name: string): string {
    const known = this.colours.get(name);
    if (known !== undefined) return known;
    const colour = resolved(this.canvas, getComputedStyle(this.canvas).getPropertyValue(name).trim());
    this.colours.set(name, colour);
    return colour;
  }
}

/** An element with a canvas, which is drawn after each rendering. */
export abstract class DrawnElement extends LabElement {
  private drawing: Drawing | undefined;

  protected abstract draw(...on: Parameters<Draw>): void;

  protected override updated(): void {
    const canvas = this.querySelector('canvas');
    if (canvas === null) this.drawing = this.drawing?.destroy();
    else this.drawing ??= new Drawing(canvas, (...on) => this.draw(...on));
    this.drawing?.redraw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.drawing = this.drawing?.destroy();
  }
}

/** Returns true if the shown figures are still partly of the settings before, or known for the last second alone. */
export function isUnmade(): boolean {
  return lab.now.progress === 'stale' || lab.now.progress === 'provisional';
}

/** Right in what is shown provisionally, s: its lane began a little earlier. */
const PROVISIONAL_S = 1;
const HATCH_PX = 7;

/** Hatches the times whose figures are still to be worked out; what is shown there is of the settings before. */
export function hatchMade(context: CanvasRenderingContext2D, x: (time: number) => number, top: number, bottom: number, colour: (name: string) => string): void {
  if (!isUnmade()) return;
  const right = context.canvas.clientWidth;
  const to = lab.now.progress === 'provisional' ? Math.min(x(lab.now.a.time_s - PROVISIONAL_S), right) : right;
  context.save();
  context.beginPath();
  context.rect(0, top, Math.max(to, 0), bottom - top);
  context.clip();
  context.strokeStyle = colour('--line-soft');
  context.lineWidth = 1;
  context.beginPath();
  for (let at = -(bottom - top); at < to; at += HATCH_PX) {
    context.moveTo(at, bottom);
    context.lineTo(at + bottom - top, top);
  }
  context.stroke();
  context.restore();
}

/** Names of kinds of bits, for people. */
export const bitKinds: ReadonlyMap<string, BitKind> = new Map(tables().bit_kinds.map((kind) => [kind.name, kind]));
