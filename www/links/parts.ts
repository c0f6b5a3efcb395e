// The parts of a link, told apart by their keys as Rust knows them.

import { tables } from '../tables';

function partsOf(link: string): [key: string, part: string][] {
  return link.split('&').map((part) => [part.slice(0, part.indexOf('=')), part]);
}

/** A link without its instant, its figure and its viewer's choices. Back does not undo them. */
export function settingsOf(link: string): string {
  return partsOf(link)
    .filter(([key]) => !tables().looking_keys.includes(key))
    .map(([, part]) => part)
    .join('&');
}

/** Returns true if a link says what a person did. */
export function hasActs(link: string): boolean {
  return partsOf(link).some(([key]) => tables().act_keys.includes(key));
}
