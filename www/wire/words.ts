// Words about a connection and from its other end. Only sentences of this page are shown as they are.

import { shortName, visible } from '../shell/names';

const REFUSED = 'The browser did not do this. Reload the page, and try again';
/** Longest text that two pages exchange, letters. */
export const WORDS_MAX = 64;

/** Reasons for which a host ends a guest's play. A guest's page shows these as they are, and others as a quoted name. */
export const FAREWELLS = {
  ended: 'The host ended the session',
  world: 'The host opened another world',
  closed: 'The host’s page was closed',
  stopped: 'The host’s page has stopped',
  sent: 'The host has sent you away',
  flood: 'This page sent more than a host reads',
  silent: 'The host heard nothing for 5 s',
  full: 'Somebody plays with the host already',
  other: 'The host has another version of the lab, or other settings',
} as const;

const OWN: ReadonlySet<string> = new Set(Object.values(FAREWELLS));

/** Returns an error of this page in its words. A browser's exception is none of them: its text helps nobody. */
export function wordsOf(error: unknown): string {
  return error instanceof Error && error.constructor === Error ? visible(error.message) : REFUSED;
}

/** Says an error as a sentence. */
export function sentence(error: unknown): string {
  return ended(wordsOf(error));
}

/** Words with a full stop, unless they end in a mark. */
export function ended(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** Shows a host's reason: a known one as it is, any other as a name is shown. */
export function farewell(why: string): string {
  const plain = why.replace(/\.$/, '');
  return OWN.has(plain) ? plain : `The host ended it: ${shortName(why.slice(0, 4 * WORDS_MAX))}`;
}
