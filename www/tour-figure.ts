// A measured figure inside the tour's prose: <tour-figure claim="small">, over="large" for how many times, article for the articles'.

import { html, LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { measure, rateText } from './format';
import { tour, type TourClaim } from './tour';

@customElement('tour-figure')
export class TourFigure extends LitElement {
  @property() claim = '';
  @property() over = '';
  @property({ type: Boolean }) article = false;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    tour.addEventListener('change', this.renew);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    tour.removeEventListener('change', this.renew);
  }

  private readonly renew = (): void => {
    if (this.closest('[hidden]') === null) this.requestUpdate();
  };

  protected override render() {
    const claim = tour.claim(this.claim);
    if (claim === undefined) return html``;
    if (this.article) return html`<span class="of-article">${inUnit(claim.article ?? Number.NaN, claim.unit)}</span>`;
    const value = tour.value(this.claim);
    const by = this.over === '' ? 1 : tour.value(this.over);
    if (value === undefined || by === undefined) return html`<span class="measuring" title="Being measured on this page">measuring…</span>`;
    const text = this.over === '' ? inUnit(value, claim.unit) : measure(value / by);
    return html`<strong title="Measured on this page, just now">${text}</strong>`;
  }
}

/** A value of a claim as it is read out. */
export function inUnit(value: number, unit: TourClaim['unit']): string {
  if (Number.isNaN(value)) return 'nothing';
  switch (unit) {
    case 'kbps':
      return rateText(value);
    case 'mm':
      return value === 0 ? 'exactly 0 mm' : value >= 1000 ? `${measure(value / 1000)} m` : `${measure(value)} mm`;
    case 'ms':
      return value >= 1000 ? `${measure(value / 1000)} s` : `${measure(value)} ms`;
    case 'degrees':
      return `${measure(value)}°`;
    case 'percent':
      return `${Math.round(value)} %`;
    case 'bits':
      return Number.isInteger(value) ? `${value} bits` : `${value.toFixed(1)} bits`;
    case 'bytes':
      return `${Math.round(value)} B`;
    case 'frame':
      return String(value);
    case 'count':
      return Number.isInteger(value) ? measure(value).replace(/\.0$/, '') : value.toFixed(value < 20 ? 1 : 0);
  }
}
