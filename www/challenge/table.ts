// Every codec's result, the fewest bytes first, among what was published.

import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Verdict } from '../../pkg/snapshot_web';
import { measure } from '../format';
import { styled } from '../styled';

/** Results on the original data, which is another recording: the challenge's author, and its best entry. */
const published = [
  { label: 'The author’s bit-packing', bytes_per_packet_mean: 531.95 },
  { label: 'The challenge’s best entry', bytes_per_packet_mean: 445 },
];
const PACKETS_PER_S = 60;

/** What a codec is known by. */
export function key({ codec, class: of }: Verdict): string {
  return of === null ? codec : `${codec}-${of}`;
}

/** The codecs, the fewest bytes first. */
export function sorted(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.toSorted((a, b) => a.bytes_per_packet_mean - b.bytes_per_packet_mean);
}

export function table(verdicts: readonly Verdict[], drawn: ReadonlySet<string>, toggle: (key: string) => void) {
  const most = Math.max(...[...verdicts, ...published].map((row) => row.bytes_per_packet_mean));
  const rows = [
    ...verdicts.map((verdict) => ({ id: key(verdict), bytes: verdict.bytes_per_packet_mean, row: result(verdict, most, drawn, toggle) })),
    ...published.map((row) => ({ id: row.label, bytes: row.bytes_per_packet_mean, row: reference(row, most) })),
  ].toSorted((a, b) => a.bytes - b.bytes);
  return html`<table>
    <caption class="unseen">
      Bytes a packet, bandwidth and time of every codec, the fewest bytes first
    </caption>
    <thead>
      <tr>
        <th scope="col">Codec, in the chart if ticked</th>
        <th scope="col">bytes a packet</th>
        <th scope="col">kbit/s</th>
        <th scope="col">encode, µs</th>
        <th scope="col">decode, µs</th>
        <th scope="col" class="spare">lossless</th>
      </tr>
    </thead>
    <tbody>
      ${repeat(
        rows,
        ({ id }) => id,
        ({ row }) => row,
      )}
    </tbody>
  </table>`;
}

function result(verdict: Verdict, most: number, drawn: ReadonlySet<string>, toggle: (key: string) => void) {
  const id = key(verdict);
  return html`<tr>
    <th scope="row">
      <label class="check"
        ><input type="checkbox" .checked=${drawn.has(id)} @change=${() => toggle(id)} /><i class="swatch codec-${verdict.codec} ${verdict.class ?? ''}"></i
        >${verdict.label}</label
      >
    </th>
    <td>${size(verdict.bytes_per_packet_mean, most)}</td>
    <td>${verdict.kbps.toFixed(1)}</td>
    <td>${measure(verdict.encode_us)}</td>
    <td>${measure(verdict.decode_us)}</td>
    <td class="spare">${verdict.lossless ? 'yes' : html`<strong class="warm">no</strong>`}</td>
  </tr>`;
}

function reference({ label, bytes_per_packet_mean: bytes }: (typeof published)[number], most: number) {
  return html`<tr class="published">
    <th scope="row">${label} <small>published, on the original data</small></th>
    <td>${size(bytes, most)}</td>
    <td>${((bytes * PACKETS_PER_S * 8) / 1000).toFixed(1)}</td>
    <td></td>
    <td></td>
    <td class="spare"></td>
  </tr>`;
}

function size(bytes: number, most: number) {
  return html`${bytes.toFixed(2)}<i class="size" aria-hidden="true" ${styled({ width: `${(100 * bytes) / Math.max(most, 1)}%` })}></i>`;
}
