// Every codec's result, the fewest bytes first, among what was published.

import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChallengeVerdict } from '../../pkg/snapshot_web';
import { measure } from '../shell/format';
import { Cell, cells, head, tableRow } from '../shell/parts';
import { ofKind, styled } from '../shell/styled';

const AUTHOR = 'The author’s bit-packing';
const BEST = 'The challenge’s best entry';
/** Results on the original recording. */
const published = [
  { label: AUTHOR, bytes_per_packet_mean: 531.95 },
  { label: BEST, bytes_per_packet_mean: 445 },
];
/** Captures on which the entries of 2015 are known (README.md). Rung 11, which has nothing to train, tells which capture it is. */
const captures = [
  { name: 'mixed', changedFlags: 634.8, author: 526.0, best: 401.3 },
  { name: 'katamari', changedFlags: 905.9, author: 737.0, best: 538.8 },
  { name: 'hover-blow', changedFlags: 305.2, author: 263.6, best: 211.9 },
  { name: 'roll', changedFlags: 56.2, author: 52.6, best: 41.5 },
];
const PACKETS_PER_S = 60;

/** The key of a codec and its class. */
export function key({ codec, class: of }: ChallengeVerdict): string {
  return of === null ? codec : `${codec}-${of}`;
}

/** The codecs, the fewest bytes first. */
export function sorted(verdicts: readonly ChallengeVerdict[]): ChallengeVerdict[] {
  return verdicts.toSorted((a, b) => a.bytes_per_packet_mean - b.bytes_per_packet_mean);
}

export function table(verdicts: readonly ChallengeVerdict[], isWhole: boolean, drawn: ReadonlySet<string>, toggle: (key: string) => void) {
  const most = Math.max(...[...verdicts, ...published].map((row) => row.bytes_per_packet_mean));
  const same = isWhole ? captureOf(verdicts) : undefined;
  const here =
    same === undefined
      ? []
      : [
          { label: AUTHOR, bytes_per_packet_mean: same.author },
          { label: BEST, bytes_per_packet_mean: same.best },
        ];
  const rows = [
    ...verdicts.map((verdict) => ({ id: key(verdict), bytes: verdict.bytes_per_packet_mean, row: result(verdict, most, drawn, toggle) })),
    ...here.map((row) => ({ id: row.label, bytes: row.bytes_per_packet_mean, row: reference(row, most, `of 2015, on this capture, ${same?.name}`) })),
  ].toSorted((a, b) => a.bytes - b.bytes);
  return html`<table>
    <caption class="unseen">
      Bytes a packet, bandwidth and time of every codec, the fewest bytes first
    </caption>
    ${head('Codec, in the chart if ticked', 'bytes a packet', 'kbit/s', 'encode, µs', 'decode, µs', new Cell('spare', 'lossless'))}
    <tbody>
      ${repeat(
        rows,
        ({ id }) => id,
        ({ row }) => row,
      )}
    </tbody>
    <tbody class="elsewhere">
      <tr>
        <th scope="rowgroup" colspan="6">Published in 2015, on other data: a guide, no comparison</th>
      </tr>
      ${published.map((row) => reference(row, most, 'published, on the original data'))}
    </tbody>
  </table>`;
}

/** The known capture that these are of. */
function captureOf(verdicts: readonly ChallengeVerdict[]) {
  const bytes = verdicts.find(({ codec }) => codec === 'changed-flags')?.bytes_per_packet_mean;
  return captures.find(({ changedFlags }) => bytes !== undefined && Math.abs(bytes - changedFlags) < 0.06);
}

function result(verdict: ChallengeVerdict, most: number, drawn: ReadonlySet<string>, toggle: (key: string) => void) {
  const id = key(verdict);
  const name = html`<label class="check"
    ><input type="checkbox" .checked=${drawn.has(id)} @change=${() => toggle(id)} /><i class="swatch ${verdict.class ?? ''}" ${ofKind(`codec-${verdict.codec}`)}></i
    >${verdict.label}</label
  >`;
  const lossless = new Cell('spare', verdict.lossless ? 'yes' : html`<strong class="warm">no</strong>`);
  return tableRow(name, [size(verdict.bytes_per_packet_mean, most), verdict.kbps.toFixed(1), measure(verdict.encode_us), measure(verdict.decode_us), lossless]);
}

function reference({ label, bytes_per_packet_mean: bytes }: (typeof published)[number], most: number, where: string) {
  return html`<tr class="published">
    <th scope="row">${label} <small>${where}</small></th>
    ${cells(size(bytes, most), ((bytes * PACKETS_PER_S * 8) / 1000).toFixed(1), '', '', new Cell('spare', ''))}
  </tr>`;
}

function size(bytes: number, most: number) {
  return html`${bytes.toFixed(2)}<i class="size" aria-hidden="true" ${styled({ width: `${(100 * bytes) / Math.max(most, 1)}%` })}></i>`;
}
