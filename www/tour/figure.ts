// A measured figure inside the tour's prose: <tour-figure claim="small">, over="large" for how many times, article for the articles',
// bar for one of a list whose lengths are to be compared, none for how many of the seeds had not one such event (with bar, of all seeds), range for the spread
// of "how many times" over seeds. A claim about chance has its spread over many seeds beside it.

import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { measure, rateText } from '../shell/format';
import { styled } from '../shell/styled';
import { TourElement } from './control';
import { type TourClaim, tour } from './tour';

/** Rows of events have so many seeds or more, and are shown beside the figure; means have fewer. */
const EVENT_SEEDS = 24;

@customElement('tour-figure')
export class TourFigure extends TourElement {
  @property() claim = '';
  @property() over = '';
  @property({ type: Boolean }) article = false;
  @property({ type: Boolean }) bar = false;
  @property({ type: Boolean }) none = false;
  @property({ type: Boolean }) range = false;

  protected override shouldUpdate(): boolean {
    return this.closest<HTMLElement>('[data-step]')?.dataset['step'] === tour.step?.id;
  }

  protected override render() {
    const claim = tour.claim(this.claim);
    if (claim === undefined) return html``;
    if (this.article) return html`<span class="of-article">${inUnit(claim.article ?? Number.NaN, claim.unit)}</span>`;
    const chance = tour.chance(this.claim);
    if (this.none) {
      if (chance === undefined) return html``;
      const length = this.bar && chance.none > 0 ? barOf(chance.none / chance.seeds) : nothing;
      return html`<strong title="Runs with other seeds">${chance.none} of ${chance.seeds} runs</strong>${length}`;
    }
    if (this.range) {
      const ratios = tour.chance(`${this.claim}/${this.over}`);
      return html`${ratios === undefined ? nothing : html`<strong title="${ratios.seeds} runs with other seeds">${measure(ratios.low)} to ${measure(ratios.high)} times</strong>`}`;
    }
    const value = tour.value(this.claim);
    const by = this.over === '' ? 1 : tour.value(this.over);
    const isUnmeasured = value === undefined || by === undefined;
    if (isUnmeasured && tour.isUnmeasured) return html`<span class="measuring">not measured here</span>`;
    if (isUnmeasured) return html`<span class="measuring" title="Being measured on this page">measuring…</span>`;
    const text = this.over === '' ? inUnit(value, claim.unit) : measure(value / by);
    const isMean = chance !== undefined && chance.seeds < EVENT_SEEDS;
    const spread =
      chance === undefined || isMean || this.over !== ''
        ? nothing
        : html` <small class="spread" title="${chance.seeds} other runs: one lower, one higher, half of them up to ${inUnit(chance.middle, claim.unit)}"
            >(${chance.none === chance.seeds ? 'always' : chance.low === chance.high ? 'nearly always' : `${plain(chance.low, claim.unit)} to ${inUnit(chance.high, claim.unit)}`})</small
          >`;
    const range = isMean ? `; ${chance.seeds} other runs: ${inUnit(chance.low, claim.unit)} to ${inUnit(chance.high, claim.unit)}` : '';
    const window = windowOf(claim);
    return html`<strong title="Measured on this page, just now${window === '' ? '' : `, ${window}`}${range}">${text}${spread}</strong>${
      this.bar && value > 0 ? barOf(value / this.greatest()) : nothing
    }`;
  }

  /** The greatest measured figure of the same list: its bar is the whole width. */
  private greatest(): number {
    const beside = this.closest('.bars')?.querySelectorAll<TourFigure>('tour-figure') ?? [];
    const values = [...beside].map(({ claim }) => tour.value(claim) ?? 0);
    return Math.max(...values, Number.MIN_VALUE);
  }
}

/** A bar beside a figure, as long as its share of the whole width. */
function barOf(share: number) {
  return html`<i class="bar" aria-hidden="true" ${styled({ width: `${100 * share}%` })}></i>`;
}

/** The window of a figure in words, where it differs from the step's. */
export function windowOf({ at_s, seconds, unit }: TourClaim): string {
  if (at_s !== null) return unit === 'mm' || unit === 'count' ? `at ${measure(at_s)} s` : `over the second before ${measure(at_s)} s`;
  return seconds === null ? '' : `over the first ${seconds} s`;
}

/** The low end of a range, without the unit that its high end has. */
function plain(value: number, unit: TourClaim['unit']): string {
  return unit === 'count' || unit === 'percent' ? String(Math.round(value)) : inUnit(value, unit);
}

/** A value of a claim as it is read out. */
export function inUnit(value: number, unit: TourClaim['unit']): string {
  if (Number.isNaN(value)) return 'nothing';
  switch (unit) {
    case 'kbps':
      return rateText(value);
    case 'pixels':
      return `${measure(value)} pixels`;
    case 'mm':
      return value === 0 ? 'exactly 0 mm' : value >= 1000 ? `${measure(value / 1000)} m` : `${measure(value)} mm`;
    case 'ms':
      return value >= 1000 ? `${measure(value / 1000)} s` : `${measure(value)} ms`;
    case 'degrees':
      return `${measure(value)}°`;
    case 'percent':
      return `${Math.round(value)} %`;
    case 'bits':
      return Number.isInteger(value) || value >= 100 ? `${Math.round(value)} bit${value === 1 ? '' : 's'}` : `${value.toFixed(value < 1 ? 2 : 1)} bits`;
    case 'bytes':
      return `${Math.round(value)} B`;
    case 'frame':
      return String(value);
    case 'count':
      return Number.isInteger(value) ? measure(value).replace(/\.0$/, '') : value.toFixed(value < 100 ? 1 : 0);
  }
}
