// The seam between the loop of ticks and others who share the world.

import { signal } from '@preact/signals-core';

/** A session in which others share the world. */
export interface Sharing {
  /** Adds the keys of others to the input of the next tick. */
  beforeTick(input: number): number;
  afterTick(): void;
  /** Follows the ticks of a frame. */
  pass(): void;
}

/** The session, while there is one: the second cube is a guest's then. */
export const sharing = signal<Sharing | undefined>(undefined);
