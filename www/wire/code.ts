// An invitation or its answer as a code: a text that a person copies, or that a link carries.

import { checked, type Terms } from './terms';

/** Longest code that is read, and longest text in it: characters, and bytes. */
export const CODE_MAX = 65_536;
const VERSION = '1';
/** Part of a link before a code. */
export const CODE_PART = 'code=';

/** An invitation has the link of the host's world. */
export interface Code {
  kind: 'invitation' | 'answer';
  /** Random letters by which an answer finds its invitation. */
  id: string;
  /** The world's link; empty in an answer. */
  words: string;
  terms: Terms;
}

/** Writes a code. */
export async function codeOf({ kind, id, words, terms }: Code): Promise<string> {
  const { ufrag, pwd, fingerprint, setup, candidates } = terms;
  const lines = [kind, id, words.replaceAll('\n', ' '), ufrag, pwd, fingerprint.replaceAll(':', ''), setup, ...candidates];
  const text = lines.join('\n');
  const stream = new Blob([`${checksum(text)}\n${text}`]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(String.fromCharCode(...bytes));
  return `${VERSION}.${letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/**
 * Reads the last code of a text. Chats and mails put a code into a link or brackets, break it into lines, quote it, and add words
 * or a full stop. Throws an error whose message a person can read.
 */
export async function readCode(given: string): Promise<Code> {
  if (given.length > CODE_MAX) throw new Error('This is too long for a code');
  const text = given.replaceAll(UNSEEN, '').replaceAll(/%3e/gi, '>');
  const at = text.lastIndexOf(CODE_PART);
  const begin = at < 0 ? text : text.slice(at + CODE_PART.length).replace(/^3D(?=\d)/, '');
  const found = at < 0 ? [...begin.matchAll(/(?<![\w.-])\d{1,3}\.(?=[\w-])/g)].at(-1) : /^\d{1,3}\.(?=[\w-])/.exec(begin);
  if (found == null) throw new Error('This is no code');
  const [version = ''] = found[0].split('.');
  if (version !== VERSION) throw new Error('This code is of another version of the lab: reload both pages');
  const lines = linesOf(begin.slice(found.index + found[0].length));
  // The end of a broken code is where its checksum is right: the words behind it look like a code, too.
  let letters = '';
  for (const line of lines) {
    letters += line;
    const code = await decoded(letters);
    if (code !== undefined) return code;
  }
  throw new Error(BROKEN);
}

/** Characters that mails and chats put between letters, where nobody sees them. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** The next line of a code: what ends a line, and marks of a quote before the next one. */
const BREAK = /^(?:=?[ \t]*\r?\n[ \t>|]*|[ \t]*>[ \t>|]*|[ \t]+)/;
const LINES_MAX = 100;

/** The letters of a code line by line, as far as nothing else stands between. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length < LINES_MAX) {
    const [line = ''] = /^[\w-]+/.exec(rest) ?? [];
    if (line === '') break;
    lines.push(line);
    rest = rest.slice(line.length);
    const between = BREAK.exec(rest)?.[0] ?? '';
    if (between === '') break;
    rest = rest.slice(between.length);
  }
  return lines;
}

/** Decodes the letters of a code; undefined if they are not a whole one. */
async function decoded(letters: string): Promise<Code | undefined> {
  const lines = (await unpacked(letters))?.split('\n');
  if (lines === undefined || lines.shift() !== checksum(lines.join('\n'))) return undefined;
  const [kind, id = '', words = '', ufrag = '', pwd = '', hex = '', setup = '', ...candidates] = lines;
  if ((kind !== 'invitation' && kind !== 'answer') || !/^[\w-]{1,32}$/.test(id)) return undefined;
  const terms = checked({ ufrag, pwd, fingerprint: hex.replaceAll(/..(?=.)/g, '$&:'), setup, candidates });
  return terms === undefined ? undefined : { kind, id, words, terms };
}

const BROKEN = 'This code is not whole: copy all of it';

/** Eight digits by which a part of a code is known: FNV-1a over UTF-16. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Decodes and decompresses, up to the limit; undefined if that fails. */
async function unpacked(letters: string): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      if (text.length > CODE_MAX) {
        await reader.cancel();
        return undefined;
      }
    }
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}
