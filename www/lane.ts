// What the page knows of a lane.

import type { LaneName } from '../pkg/snapshot_web';

/** Both lanes, A first. */
export const lanes: readonly [LaneName, LaneName] = ['a', 'b'];

/** A lane's settings by their ids, and the lane's figures at this moment. */
export interface Lane<Figures> {
  settings: Record<string, string>;
  live: Figures;
}
