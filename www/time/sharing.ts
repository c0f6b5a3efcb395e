// The seam between the loop of ticks and others who share the world.

import { signal } from '@preact/signals-core';

/** A session in which others share the world. */
export interface Sharing {
  /** Follows a tick, or a frame without one. */
  pass(): void;
}

/** The session, while there is one: the second cube is a guest's then. */
export const sharing = signal<Sharing | undefined>(undefined);
