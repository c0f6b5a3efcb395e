// Runs a jitter buffer against recorded arrivals, in a Worker below the person's own code: `receive(snapshot)` and `show(now)` are theirs.
// buffer.ts puts both texts into one Worker; the tests put them into one function.

/**
 * @typedef {{ tick: number, arrival: number, poses: Float32Array }} Snapshot
 * @typedef {{ tickMs: number, cubes: number, truth: Float32Array[], snapshots: Snapshot[] }} Task
 * @typedef {{ frames: number, still: number, behindMs: number, errorMm: number }} Score
 */

/**
 * Plays the buffer frame by frame. A frame is still if it advances by less than a quarter of a tick. Errors are rms over interacting cubes, against the
 * truth of the shown instant.
 * @param {Task} task
 * @param {(snapshot: Snapshot) => void} receive
 * @param {(now: number) => { before: Snapshot, after: Snapshot, part: number } | undefined} show
 * @returns {Score}
 */
// biome-ignore lint/correctness/noUnusedVariables: the Worker's last line calls it.
function scoreBuffer({ tickMs, cubes, truth, snapshots }, receive, show) {
  const coming = [...snapshots].sort((a, b) => a.arrival - b.arrival);
  let [frames, still, behind, squares, compared, last] = [0, 0, 0, 0, 0, Number.NEGATIVE_INFINITY];
  for (let tick = 0; tick < truth.length; tick++) {
    const now = tick * tickMs;
    while (coming[0] !== undefined && coming[0].arrival <= now) receive(/** @type {Snapshot} */ (coming.shift()));
    const shown = show(now);
    if (shown === undefined) continue;
    const { before, after, part } = shown;
    if (before === undefined || after === undefined || !(part >= 0 && part <= 1)) {
      throw new Error('show() must return { before, after, part }: two snapshots, and a part from 0 to 1');
    }
    const instant = before.tick + part * (after.tick - before.tick);
    frames += 1;
    if (instant - last < 0.25) still += 1;
    last = instant;
    behind += (tick - instant) * tickMs;
    const [floor, ceiling] = [truth[Math.floor(instant)], truth[Math.min(Math.ceil(instant), truth.length - 1)]];
    if (floor === undefined || ceiling === undefined) throw new Error(`there is no tick ${instant}`);
    for (let cube = 0; cube < cubes; cube++) {
      if (floor[4 * cube + 3] === 0) continue;
      compared += 1;
      for (let axis = 0; axis < 3; axis++) {
        const at = 4 * cube + axis;
        const is = mixed(floor[at], ceiling[at], instant - Math.floor(instant));
        squares += (mixed(before.poses[at], after.poses[at], part) - is) ** 2;
      }
    }
  }
  return { frames, still, behindMs: behind / frames, errorMm: 1000 * Math.sqrt(squares / Math.max(compared, 1)) };
}

/**
 * @param {number | undefined} from
 * @param {number | undefined} to
 * @param {number} part
 */
function mixed(from = 0, to = 0, part) {
  return from + (to - from) * part;
}
