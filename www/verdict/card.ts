// The decision of another's verdict, which came by a link: to be read without the recording.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CardPoint, Limits, VerdictCard } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { copyPicture, savePicture } from '../links/canvas';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { table, tableRow, wide } from '../shell/parts';
import { resolved } from '../shell/theme';
import { ageInWords, card as decision, rungLabel, SHORT_S, wrong } from './parts';

const WIDTH_PX = 1000;
const EDGE_PX = 32;
const LINE_PX = 34;

@customElement('lab-verdict-card')
export class VerdictCardElement extends LabElement {
  @state() private said = '';

  protected override render() {
    const { card, limits } = lab.viewState;
    if (card === null) return nothing;
    return html`<section class="verdict-card" aria-label="Another’s verdict">
      ${decision({ ...card.recommended, rung: card.rung, class: card.class, network: card.network }, 'Send')}
      <p>${froze(card)}</p>
      <p class="caption"><strong>${origin()}</strong> ${about(card)} ${within(limits)}</p>
      ${
        card.front.length === 0
          ? nothing
          : wide(
              'Rates of the card',
              table(
                'Rates on the front of bandwidth, error and delay',
                ['Packets a second', 'kbit/s', 'surface error p95, mm', 'playout delay, ms', 'age, ms', 'freezes'],
                card.front.map((point) => tableRow(`${point.rate_hz}, ${point.mode}`, cells(point), isSame(point, card.recommended))),
              ),
            )
      }
      <div class="row">
        ${button('Save as a picture', () => this.picture(savePicture))} ${button('Copy as a picture', () => this.picture(copyPicture))}
        <span role="status">${this.said}</span>
      </div>
    </section>`;
  }

  private async picture(give: (canvas: HTMLCanvasElement) => Promise<string>): Promise<void> {
    const { card, limits } = lab.viewState;
    if (card !== null) this.said = await give(drawn(this, card, limits));
  }
}

function origin(): string {
  return location.hash.includes('motion=')
    ? 'Measured on the sender’s recording, not here. Drop the same file here to play it.'
    : 'Measured by the sender of this link, not here. Judge the motion yourself below.';
}

function froze({ recommended: point, seconds }: VerdictCard): string {
  const [least = 0, most = 0] = point.freezes;
  const runs = `eight runs of ${measure(seconds)} s`;
  const count = least === most ? String(most) : `${least} to ${most}`;
  return most === 0
    ? `No freeze seen in ${runs}${8 * seconds < SHORT_S ? ', too short to promise' : ''}.`
    : `${count} freezes in ${runs}, ${Math.round(point.longest_ms)} ms at the longest.`;
}

function howItPlays(card: VerdictCard): string {
  const { recommended: point } = card;
  const { name, value, words } = wrong(point);
  return `Interpolate by ${point.mode} with a playout delay of ${Math.round(point.delay_ms)} ms. The ${name} is ${value}: ${words}. In all, ${ageInWords(point)}. ${froze(card)}`;
}

const about = ({ objects, seconds, tick_rate_hz: hz }: VerdictCard): string =>
  `${objects} objects over ${measure(seconds)} s at ${hz} ticks a second, with headers.`;

function within({ surface_mm, view_mm, delay_ms, age_ms, kbps }: Limits): string {
  const all = [
    surface_mm === null ? '' : `${measure(surface_mm)} mm of surface error at p95`,
    view_mm === null ? '' : `${measure(view_mm)} mm of position error at p95`,
    delay_ms === null ? '' : `${measure(delay_ms)} ms of delay`,
    age_ms === null ? '' : `${measure(age_ms)} ms of age`,
    kbps === null ? '' : `${measure(kbps)} kbit/s`,
  ].filter((limit) => limit !== '');
  return all.length === 0 ? '' : `Limits: ${all.join(', ')}.`;
}

function cells(point: CardPoint): (string | number)[] {
  const [least = 0, most = 0] = point.freezes;
  return [
    measure(point.kbps),
    measure(point.surface_mm),
    Math.round(point.delay_ms),
    Math.round(point.behind_ms),
    least === most ? most : `${least} to ${most}`,
  ];
}

function isSame(a: CardPoint, b: CardPoint): boolean {
  return a.rate_hz === b.rate_hz && a.mode === b.mode && a.delay_ms === b.delay_ms;
}

/** The card as a picture: its sentences, and nothing that is not in it. */
function drawn(by: HTMLElement, card: VerdictCard, limits: Limits): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const style = getComputedStyle(by);
  const colour = (name: string): string => resolved(by, style.getPropertyValue(name).trim());
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const font = (weight: number, size: number): string => `${weight} ${size}px ${style.fontFamily}`;
  const words = (text: string, size: number): string[] => {
    context.font = font(400, size);
    const lines = [''];
    for (const word of text.split(' ')) {
      const line = `${lines.at(-1)} ${word}`.trim();
      if (context.measureText(line).width <= WIDTH_PX - 2 * EDGE_PX) lines[lines.length - 1] = line;
      else lines.push(word);
    }
    return lines;
  };
  const { recommended: point } = card;
  const head = `${point.rate_hz} packets a second, rung ${rungLabel(card.rung)}`;
  const body = words(howItPlays(card), 22);
  const small = words([about(card), within(limits), origin()].join(' '), 18);
  canvas.width = WIDTH_PX;
  canvas.height = 2 * EDGE_PX + 110 + (body.length + small.length + 1) * LINE_PX;
  context.fillStyle = colour('--paper');
  context.fillRect(0, 0, canvas.width, canvas.height);
  let y = EDGE_PX + 40;
  const write = (text: string, weight: number, size: number, name: string): void => {
    context.font = font(weight, size);
    context.fillStyle = colour(name);
    context.fillText(text, EDGE_PX, y, WIDTH_PX - 2 * EDGE_PX);
  };
  write(`${measure(point.kbps)} kbit/s`, 700, 48, '--ink');
  y += 46;
  write(head, 600, 26, '--ink');
  y += LINE_PX + 10;
  for (const line of body) {
    write(line, 400, 22, '--ink');
    y += LINE_PX;
  }
  for (const line of small) {
    write(line, 400, 18, '--muted');
    y += LINE_PX;
  }
  write(`Snapshot Lab · ${location.host}`, 400, 16, '--muted');
  return canvas;
}
