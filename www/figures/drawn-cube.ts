// A cube that lies as a quaternion says, to be turned by dragging.

import { html, svg } from 'lit';

/** rad a CSS px of a drag. */
const TURN = 0.012;
const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
/** The corners of each side, in a ring. */
const SIDES = [
  [0, 1, 3, 2],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
];

/** The cube, seen from in front and a little above; hears how far it is dragged. */
export function drawnCube(quaternion: readonly number[], drag: (right: number, down: number) => void) {
  const corners = CORNERS.map((corner) => rotated(quaternion, corner));
  const sides = SIDES.map((ring, side) => ({ side, ring: ring.map((place) => corners[place] ?? []) }))
    .map(({ side, ring }) => ({ side, ring, depth: ring.reduce((sum, [, y = 0]) => sum + y, 0) }))
    .toSorted((a, b) => b.depth - a.depth)
    .slice(3);
  const points = (ring: number[][]): string => ring.map(([x = 0, y = 0, z = 0]) => `${(x + 0.12 * y).toFixed(3)},${(-z - 0.18 * y).toFixed(3)}`).join(' ');
  const move = (event: PointerEvent): void => {
    if ((event.currentTarget as Element).hasPointerCapture(event.pointerId)) drag(event.movementX, event.movementY);
  };
  return html`<svg
    class="drawn-cube"
    viewBox="-2.2 -2.2 4.4 4.4"
    aria-hidden="true"
    @pointerdown=${(event: PointerEvent) => (event.currentTarget as Element).setPointerCapture(event.pointerId)}
    @pointermove=${move}
  >
    ${sides.map(({ side, ring }) => svg`<polygon class="side-${side >> 1}" points=${points(ring)}></polygon>`)}
  </svg>`;
}

/** Turned on by a drag: to the right about the upright axis, down about that from left to right. */
export function turned(quaternion: readonly number[], right: number, down: number): number[] {
  const about = (x: number, z: number): number[] => [x, 0, z, 1];
  return times(about((down * TURN) / 2, (right * TURN) / 2), quaternion);
}

/** Multiplies two quaternions. The product has no unit length. */
function times([ax = 0, ay = 0, az = 0, aw = 0]: readonly number[], [bx = 0, by = 0, bz = 0, bw = 0]: readonly number[]): number[] {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function rotated(quaternion: readonly number[], [x = 0, y = 0, z = 0]: readonly number[]): number[] {
  const [i = 0, j = 0, k = 0, w = 0] = quaternion;
  return times(times(quaternion, [x, y, z, 0]), [-i, -j, -k, w]).slice(0, 3);
}
