// What the page knows of a lane.

import type { LaneName, SettingTexts } from '../pkg/snapshot_web';

/** Both lanes, A first. */
export const lanes: readonly [LaneName, LaneName] = ['a', 'b'];

/** A lane's settings by their ids. Ids that are known here have types of their own; a setting of the schema is read by any text. */
export type Settings = SettingTexts & Readonly<Record<string, string | undefined>>;

/** A lane's settings by their ids, and the lane's figures at this moment. */
export interface Lane<Figures> {
  settings: Settings;
  live: Figures;
}
