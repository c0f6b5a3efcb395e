// Whose cube is which, in words for each of the two.

import type { GuestRow } from '../../pkg/snapshot_web';
import { shortName } from '../shell/names';

const OWN = 'Yours is the red cube, grey at rest.';

/** Says to the host whose the two cubes are. */
export function hostsCubes(rows: readonly Pick<GuestRow, 'name' | 'status' | 'has_hand'>[]): string {
  const guest = rows.find(({ has_hand: has, status }) => has && status !== 'gone');
  if (guest === undefined) return `${OWN} The blue one stands until a guest is here.`;
  const who = shortName(guest.name);
  return guest.status === 'joining' ? `${OWN} ${who} joins, and gets the blue one.` : `${OWN} The blue one is driven by ${who}.`;
}

/** Says to a guest which cube is his. `steers` is the host's word; null before it, and while no host is there. */
export function guestsCube(steers: boolean | null): string {
  if (steers === null) return 'No cube is yours until the host says so.';
  return steers ? 'Yours is the blue cube.' : 'No cube is yours: another guest drives the blue one, and you watch.';
}
