// The parts of a link, told apart by their keys as Rust knows them.

import { fixed_facts } from '../../pkg/snapshot_web';

let known: { looking: ReadonlySet<string>; acts: ReadonlySet<string> } | undefined;

/** Read once: nothing can be asked of the wasm after a failure. */
function kinds(): { looking: ReadonlySet<string>; acts: ReadonlySet<string> } {
  if (known === undefined) {
    const { looking_keys: looking, act_keys: acts } = fixed_facts();
    known = { looking: new Set(looking), acts: new Set(acts) };
  }
  return known;
}

function partsOf(link: string): [key: string, part: string][] {
  return link.split('&').map((part) => [part.slice(0, part.indexOf('=')), part]);
}

/** A link without its instant, its figure and its viewer's choices. Back does not undo them. */
export function settingsOf(link: string): string {
  return partsOf(link)
    .filter(([key]) => !kinds().looking.has(key))
    .map(([, part]) => part)
    .join('&');
}

/** Returns true if a link says what a person did. */
export function hasActs(link: string): boolean {
  return partsOf(link).some(([key]) => kinds().acts.has(key));
}
