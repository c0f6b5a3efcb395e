// The words of the page on each rung: what the articles say, and the idea, with a picture of what a part of a packet was and became.

import { html, nothing } from 'lit';
import type { Rung } from '../../pkg/snapshot_web';
import { percent } from '../shell/format';
import { ofKind, styled } from '../shell/styled';
import table from './rung-ideas.tsv?raw';

/** A part of a bar: the kind of bits that gives the colour, the words, and the number of bits. */
type Part = readonly [kind: string, words: string, bits: number];

interface Words {
  /** The section of the format. */
  section: string;
  articles: string;
  /** Parts before the rung; empty where the idea shrinks no part. */
  before: readonly Part[];
  after: readonly Part[];
  sentence: string;
}

/** By the rung's name. */
export const wordsOfRungs: ReadonlyMap<string, Words> = new Map(
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(read),
);

function read(line: string): [string, Words] {
  const [name = '', section = '', articles = '', before = '', after = '', sentence = ''] = line.split('\t');
  return [name, { section, articles, before: parts(before), after: parts(after), sentence }];
}

function parts(text: string): Part[] {
  const each = text === '' ? [] : text.split('; ').map((part) => part.split(', '));
  return each.map(([kind = '', words = '', bits]) => [kind, words, Number(bits)]);
}

/** The idea of a rung, and the saving against the rung before it on this motion. */
export function ideaOf(row: Rung, before: Rung | undefined) {
  const idea = wordsOfRungs.get(row.name);
  if (idea === undefined) return nothing;
  const most = Math.max(...[idea.before, idea.after].map(bits), 1);
  const saved = before === undefined || before.kbps === 0 ? undefined : 1 - row.kbps / before.kbps;
  return html`<div class="idea">
    <p>
      ${idea.sentence}
      ${saved === undefined ? nothing : saved >= 0 ? html`Here it saves <strong>${percent(saved)}</strong> of the rung before.` : html`Here it costs <strong>${percent(-saved)}</strong> more than the rung before.`}
      <a href="./format.html#${idea.section}" target="_blank">How its packets are written</a>
    </p>
    <div class="idea-bars" aria-hidden="true">${idea.before.length === 0 ? nothing : bar('before', idea.before, most)} ${bar(idea.before.length === 0 ? '' : 'now', idea.after, most)}</div>
  </div>`;
}

function bits(parts: readonly Part[]): number {
  return parts.reduce((sum, [, , bits]) => sum + bits, 0);
}

function bar(name: string, parts: readonly Part[], most: number) {
  return html`<span>${name}</span>
    <div>
      ${parts.length === 0 ? html`<em>nothing</em>` : parts.map(([kind, words, bits]) => html`<i class="segment" ${ofKind(kind)} ${styled({ width: `${(100 * bits) / most}%` })}></i><small>${words}</small>`)}
    </div>`;
}
