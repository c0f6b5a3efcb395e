// A visitor's own threshold in a verdict: the least rate that by their answers they cannot tell from the reference, and what it saves.

import { html, nothing } from 'lit';
import type { RatePoint, Rates } from '../../pkg/snapshot_web';
import { measure, rateText } from '../shell/format';
import { readableOutcome } from './kept';

const REFERENCE_HZ = 60;

/** The cheapest of the points at a rate that play without freezes. */
function cheapest(points: readonly RatePoint[], rateHz: number): RatePoint | undefined {
  const at = points.filter((point) => point.calm && point.rate_hz === rateHz);
  return at.toSorted((one, other) => one.kbps - other.kbps)[0];
}

/** The saving of the least rate of the verdict that the visitor cannot tell from 60 a second. Nothing without such a test, or such a rate. */
export function rateQuote({ points }: Rates) {
  const found = readableOutcome('rate');
  if (found === undefined || found.not_told === null || found.told === null) return nothing;
  const { not_told: least, trials } = found;
  const rates = [...new Set(points.map(({ rate_hz }) => rate_hz))].filter((rate) => rate >= least).sort((one, other) => one - other);
  const [rate] = rates;
  const [few, many] = [rate, REFERENCE_HZ].map((rate) => (rate === undefined ? undefined : cheapest(points, rate)));
  if (few === undefined || many === undefined || few.rate_hz >= many.rate_hz || few.kbps >= many.kbps) return nothing;
  return html`<p class="own-eyes">
    <strong>Your own eyes:</strong> at ${few.rate_hz} a second. By ${trials} answers you cannot tell ${measure(least)} from ${REFERENCE_HZ}. It takes ${rateText(few.kbps)} a player,
    and ${REFERENCE_HZ} a second take ${rateText(many.kbps)}: ${Math.round(100 * (1 - few.kbps / many.kbps))} % less.
  </p>`;
}
