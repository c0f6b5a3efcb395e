// Whose cube is which, in words for each of the two.

import type { HostedGuest } from '../../pkg/snapshot_web';

const OWN = 'Yours is the red cube, grey at rest.';

/** Says to the host whose the two cubes are. */
export function hostsCubes(guest: Pick<HostedGuest, 'is_playing'> | undefined): string {
  if (guest === undefined) return `${OWN} The blue one stands until a guest is here.`;
  return guest.is_playing ? `${OWN} The blue one is driven by the guest.` : `${OWN} A guest joins, and gets the blue one.`;
}

/** Says to a guest which cube is his. */
export function guestsCube(plays: boolean): string {
  return plays ? 'Yours is the blue cube.' : 'No cube is yours until you play with the host.';
}
