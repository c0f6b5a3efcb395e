// The idea of each rung: a sentence, a picture of what a part of a packet was and became, and its section of the format.

import { html, nothing } from 'lit';
import type { Rung } from '../../pkg/snapshot_web';
import { percent } from '../shell/format';
import { ofKind, styled } from '../shell/styled';

/** A part of a bar: the kind of bits that gives the colour, the words, and the number of bits. */
type Part = readonly [kind: string, words: string, bits: number];

interface Idea {
  sentence: string;
  /** Parts before the rung; empty where the idea shrinks no part. */
  before: readonly Part[];
  after: readonly Part[];
  section: string;
}

/** By the rung's number. Bits are those of the articles’ widths. */
const ideas: readonly Idea[] = [
  {
    sentence: 'Every cube is sent whole, as floats.',
    before: [],
    after: [
      ['position', '3 floats: 96', 96],
      ['orientation', '4 floats: 128', 128],
      ['linear_velocity', '3 floats: 96', 96],
    ],
    section: 's5',
  },
  {
    sentence: 'A quaternion has length 1: send the three smallest components and which one is left out.',
    before: [['orientation', '4 floats: 128', 128]],
    after: [['orientation', '2 + 3 × 9', 29]],
    section: 's7',
  },
  {
    sentence: 'A velocity has a bound and needs few steps: integers in place of floats.',
    before: [['linear_velocity', '3 floats: 96', 96]],
    after: [['linear_velocity', '3 × 11', 33]],
    section: 's7',
  },
  {
    sentence: 'Most cubes lie still: one bit says so, and their velocity is not sent.',
    before: [['linear_velocity', '33', 33]],
    after: [['flags', '1', 1.5]],
    section: 's5',
  },
  {
    sentence: 'The receiver estimates velocities from adjacent snapshots: none are sent.',
    before: [
      ['flags', '1', 1.5],
      ['linear_velocity', '33', 33],
    ],
    after: [],
    section: 's5',
  },
  {
    sentence: 'The field has bounds and 512 steps a metre are enough: integers in place of floats.',
    before: [['position', '3 floats: 96', 96]],
    after: [['position', '18 + 18 + 14', 50]],
    section: 's7',
  },
  {
    sentence: 'Both ends know an acknowledged snapshot: a cube that has not changed since costs one bit.',
    before: [
      ['position', '50', 50],
      ['orientation', '29', 29],
    ],
    after: [['flags', '1', 1.5]],
    section: 's4',
  },
  {
    sentence: 'While few cubes change, their indices cost less than 901 bits, one for each cube.',
    before: [['flags', '901 × 1', 90]],
    after: [['index', '10 for each changed cube', 30]],
    section: 's4',
  },
  {
    sentence: 'Changed cubes are often near each other: send the gap to the one before, and short gaps in few bits.',
    before: [['index', '10', 40]],
    after: [['index', '5.5', 22]],
    section: 's4',
  },
  {
    sentence: 'A cube has moved only a little since the baseline: send the difference, and small ones in few bits.',
    before: [['position', '50', 50]],
    after: [['position', 'about 26', 26]],
    section: 's6',
  },
  {
    sentence: 'The same for orientations, as long as the same component is left out.',
    before: [['orientation', '29', 29]],
    after: [['orientation', 'about 23', 23]],
    section: 's6',
  },
  {
    sentence: 'A cube may have moved without turning, or turned on the spot: two flags spare the part that stayed.',
    before: [
      ['position', 'position', 26],
      ['orientation', 'orientation', 23],
    ],
    after: [
      ['flags', '2', 2.5],
      ['position', 'position', 26],
    ],
    section: 's5',
  },
  {
    sentence: 'What is likely costs less than a bit: every symbol is coded with a probability that adapts.',
    before: [['orientation', 'whole bits', 23]],
    after: [['orientation', 'fractions of bits', 15]],
    section: 's14',
  },
  {
    sentence: 'Both ends predict each cube from its own motion and from cubes near it; only the miss is coded.',
    before: [['position', 'difference from the baseline', 26]],
    after: [['position', 'difference from the prediction', 11]],
    section: 's15',
  },
  {
    sentence: 'Both ends simulate from the baseline with the keys that were pressed; only the miss is coded.',
    before: [['position', 'difference from the prediction', 11]],
    after: [['position', 'difference from the simulation', 8]],
    section: 's16',
  },
];

/** The idea of a rung, and the saving against the rung before it on this motion. */
export function ideaOf(row: Rung, before: Rung | undefined) {
  const idea = ideas[row.rung];
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
