// Names and words from outside, such as a file's name: of any length, with any characters. They speak for themselves alone.

const MOST_LETTERS = 60;
/** Characters of control, of format and of direction, and the ends of lines; not the two that join letters and emoji. */
const UNSEEN = '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]';
/** A name by `shortName`, or one such character. */
const NAME_OR_UNSEEN = new RegExp(`“\\u2068(?:(?!${UNSEEN}).)*\\u2069”|${UNSEEN}`, 'gu');

/** A text whose unseen characters are shown as such: ␛, [U+202E]. Names by `shortName` in it stay. */
export function visible(text: string): string {
  return text.replace(NAME_OR_UNSEEN, (found) => {
    const code = found.codePointAt(0) ?? 0;
    if (found.startsWith('“')) return found;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/**
 * A name in quotes, which it cannot end, with at most 60 letters: its beginning and its end. The two marks isolate it as <bdi> does,
 * in labels and pictures, too: letters that run from right to left turn nothing around them.
 */
export function shortName(name: string): string {
  const letters = [...visible(name.replace(/[“”]/g, '"'))];
  const short = letters.length <= MOST_LETTERS ? letters : [...letters.slice(0, MOST_LETTERS - 13), '…', ...letters.slice(-12)];
  return `“\u2068${short.join('')}\u2069”`;
}
