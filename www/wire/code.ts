// An invitation or its answer as a code: a text that a person copies, or that a link carries.

import { checked, type Terms } from './terms';

/** Longest code that is read, and longest text in it: characters, and bytes. */
export const CODE_MAX = 65_536;
const VERSION = '1';
/** Part of a link before a code. */
export const CODE_PART = 'code=';

/** An invitation has the link of the host's world, an answer the name of the guest. */
export interface Code {
  kind: 'invitation' | 'answer';
  /** Random letters by which an answer finds its invitation. */
  id: string;
  /** The world's link, or the guest's name. */
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

/** Reads a code, or a link with one. It throws in words. */
export async function readCode(given: string): Promise<Code> {
  if (given.length > CODE_MAX) throw new Error('This is too long for a code');
  const at = given.lastIndexOf(CODE_PART);
  const text = (at < 0 ? given : given.slice(at + CODE_PART.length)).trim();
  const [, version, letters] = /^(\d+)\.([\w-]+)$/.exec(text) ?? [];
  if (version === undefined || letters === undefined) throw new Error('This is no code');
  if (version !== VERSION) throw new Error('This code is of another version of the lab: reload both pages');
  const lines = (await unpacked(letters)).split('\n');
  if (lines.shift() !== checksum(lines.join('\n'))) throw new Error(BROKEN);
  const [kind, id = '', words = '', ufrag = '', pwd = '', hex = '', setup = '', ...candidates] = lines;
  if ((kind !== 'invitation' && kind !== 'answer') || !/^[\w-]{1,32}$/.test(id)) throw new Error(BROKEN);
  const terms = checked({ ufrag, pwd, fingerprint: hex.replaceAll(/..(?=.)/g, '$&:'), setup, candidates });
  if (terms === undefined) throw new Error(BROKEN);
  return { kind, id, words, terms };
}

const BROKEN = 'This code is not whole: copy all of it';

/** Eight digits by which a part of a code is known: FNV-1a over UTF-16. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Decodes and decompresses, up to the limit. */
async function unpacked(letters: string): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      if (text.length > CODE_MAX) {
        await reader.cancel();
        throw new Error(BROKEN);
      }
    }
    return text + decoder.decode();
  } catch {
    throw new Error(BROKEN);
  }
}
