// The camera of a figure: it follows the large cube, as the laboratory's does (crate/web/src/views/camera.rs).

export type Vector = readonly [number, number, number];
/** Sixteen numbers, column after column, as WebGL takes them. */
export type Matrix = Float32Array;

const FIELD_OF_VIEW_RAD = (40 * Math.PI) / 180;
const NEAR_M = 0.2;
const FAR_M = 400;
/** Share of the remaining way to its goal that the camera covers in a tick. */
const EASE_PER_TICK = 0.15;
/** Height of the large cube's centre above the place that the camera looks at, m. */
const BELOW_M = 1;

export const minus = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [a - x, b - y, c - z];
const dot = ([a, b, c]: Vector, [x, y, z]: Vector): number => a * x + b * y + c * z;
const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x];
export function unit(v: Vector): Vector {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}

export class Camera {
  #target: Vector | undefined;
  #scale = 1;
  readonly #offset: Vector;

  constructor([round, above, cm]: readonly [number, number, number]) {
    const [azimuth, elevation] = [(round * Math.PI) / 180, (above * Math.PI) / 180];
    const m = cm / 100;
    this.#offset = [m * Math.cos(elevation) * Math.sin(azimuth), -m * Math.cos(elevation) * Math.cos(azimuth), m * Math.sin(elevation)];
  }

  /** Moves towards the middle of the large cube's places in all views, for so many ticks. */
  follow(players: readonly Vector[], ticks: number): void {
    const bound = (axis: 0 | 1 | 2, take: (...all: number[]) => number): number => take(...players.map((player) => player[axis]));
    const low: Vector = [bound(0, Math.min), bound(1, Math.min), bound(2, Math.min)];
    const high: Vector = [bound(0, Math.max), bound(1, Math.max), bound(2, Math.max)];
    const goal: Vector = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2 - BELOW_M];
    const goalScale = Math.min(2.5, Math.max(1, (Math.hypot(...minus(high, low)) / 2 + 1.5) / 5));
    const from = this.#target;
    const part = from === undefined || ticks < 0 ? 1 : 1 - (1 - EASE_PER_TICK) ** ticks;
    const eased = (axis: 0 | 1 | 2): number => (from ?? goal)[axis] + (goal[axis] - (from ?? goal)[axis]) * part;
    this.#target = [eased(0), eased(1), eased(2)];
    this.#scale += (goalScale - this.#scale) * part;
  }

  get target(): Vector {
    return this.#target ?? [0, 0, 0];
  }

  get place(): Vector {
    const [x, y, z] = this.target;
    const [a, b, c] = this.#offset;
    return [x + a * this.#scale, y + b * this.#scale, z + c * this.#scale];
  }

  /** From the world to the picture of this width and height. A flat picture is nearer: it has room beside the ball, not above it. */
  viewProjection(width: number, height: number): Matrix {
    const f = Math.max(1, width / height / 1.75) / Math.tan(FIELD_OF_VIEW_RAD / 2);
    const depth = NEAR_M - FAR_M;
    // biome-ignore format: a matrix
    const projection = new Float32Array([
      (f * height) / width, 0, 0, 0,
      0, f, 0, 0,
      0, 0, (FAR_M + NEAR_M) / depth, -1,
      0, 0, (2 * FAR_M * NEAR_M) / depth, 0,
    ]);
    return times(projection, lookAt(this.place, this.target, [0, 0, 1]));
  }

  /** Pixels of a metre at a distance of a metre, in a picture of this height. */
  pixelsOfMetre(height: number): number {
    return height / (2 * Math.tan(FIELD_OF_VIEW_RAD / 2));
  }
}

export function times(a: Matrix, b: Matrix): Matrix {
  const product = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let i = 0; i < 4; i++) product[column * 4 + row] = (product[column * 4 + row] ?? 0) + (a[i * 4 + row] ?? 0) * (b[column * 4 + i] ?? 0);
    }
  }
  return product;
}

export function lookAt(from: Vector, to: Vector, up: Vector): Matrix {
  const back = unit(minus(from, to));
  const right = unit(cross(up, back));
  const above = cross(back, right);
  // biome-ignore format: a matrix
  return new Float32Array([
    right[0], above[0], back[0], 0,
    right[1], above[1], back[1], 0,
    right[2], above[2], back[2], 0,
    -dot(right, from), -dot(above, from), -dot(back, from), 1,
  ]);
}

/** A view without perspective, of a square with this half side. */
export function orthographic(half: number, near: number, far: number): Matrix {
  // biome-ignore format: a matrix
  return new Float32Array([
    1 / half, 0, 0, 0,
    0, 1 / half, 0, 0,
    0, 0, -2 / (far - near), 0,
    0, 0, -(far + near) / (far - near), 1,
  ]);
}
