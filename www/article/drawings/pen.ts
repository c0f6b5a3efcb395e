// What all drawings share: colours, words, and the colours of a cube's fields.

export interface Pen {
  readonly context: CanvasRenderingContext2D;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly hair: string;
  readonly bad: string;
  readonly truth: string;
  readonly warm: string;
  readonly sound: string;
}

type Palette = Omit<Pen, 'context' | 'width' | 'height'>;
// As in the laboratory's style sheet, www/css/page.css.
const LIGHT: Palette = {
  paper: '#ffffff',
  ink: '#14161a',
  muted: '#5a616d',
  hair: '#e5e7eb',
  bad: '#c8102e',
  truth: '#0059ff',
  warm: '#9a4a00',
  sound: '#0a6b4f',
};
const DARK: Palette = {
  paper: '#0f1115',
  ink: '#eceef2',
  muted: '#9aa2b0',
  hair: '#262a32',
  bad: '#ff6b6b',
  truth: '#6ba6ff',
  warm: '#ffb454',
  sound: '#4cc79c',
};

/** The colour behind an element, each component 0 to 1. The element has one of its own. */
export function paperOf(element: Element): [number, number, number] {
  const [red = 255, green = 255, blue = 255] = (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
  return [red / 255, green / 255, blue / 255];
}

export function paletteOf(element: Element): Palette {
  return paperOf(element)[1] > 0.5 ? LIGHT : DARK;
}

export const FIELDS = [
  { name: 'orientation', bits: 128, colour: 'truth' },
  { name: 'position', bits: 96, colour: 'sound' },
  { name: 'velocity', bits: 96, colour: 'warm' },
  { name: 'colour', bits: 1, colour: 'bad' },
] as const;

export function words(pen: Pen, text: string, x: number, y: number, align: CanvasTextAlign = 'left', colour = pen.muted): void {
  const { context } = pen;
  context.strokeStyle = pen.paper;
  context.lineWidth = 3;
  context.fillStyle = colour;
  context.textAlign = align;
  context.textBaseline = 'alphabetic';
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

export function bar({ context }: Pen, colour: string, x: number, y: number, width: number, height: number): void {
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}

export function line({ context }: Pen, colour: string, thickness: number, ...points: readonly (readonly [number, number])[]): void {
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

export function cross(pen: Pen, x: number, y: number, half = 3.5): void {
  line(pen, pen.bad, 1.75, [x - half, y - half], [x + half, y + half]);
  line(pen, pen.bad, 1.75, [x - half, y + half], [x + half, y - half]);
}
