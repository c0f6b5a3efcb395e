// Names of files as people and archives have them, which may be of any length.

const MOST_LETTERS = 60;

/** A name with at most 60 letters: its beginning and its end. */
export function shortName(name: string): string {
  const letters = [...name];
  return letters.length <= MOST_LETTERS ? name : `${letters.slice(0, MOST_LETTERS - 13).join('')}…${letters.slice(-12).join('')}`;
}
