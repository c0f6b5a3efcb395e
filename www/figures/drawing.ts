// What figures on a canvas share: the size of their box, the colours of the theme, and a new picture when either changes.

import { kinds } from '../kinds';
import { onThemeChange } from '../theme';
import { resolved } from './plot';

/** A canvas that fills its width, in CSS pixels, drawn when asked to and when its look changes. */
export class Drawing {
  private readonly stop: () => void;
  private colours = new Map<string, string>();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly draw: (context: CanvasRenderingContext2D, width: number, colour: (name: string) => string) => void,
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

  destroy(): void {
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

/** Names of kinds of bits, for people. */
export const kindNames: ReadonlyMap<string, string> = new Map(kinds);
