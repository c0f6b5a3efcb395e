// Why these widths: how far cubes are from their baselines, with the small and the large range to drag, and what any pair costs.

import { html, nothing, svg } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { WidthBin, WidthCounts, WidthPair, WidthPart } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { count } from '../shell/format';
import { slider } from '../shell/parts';
import { SizedElement } from '../shell/sized';
import { rungOfA, strategy } from '../shell/strategy';
import { ofKind } from '../shell/styled';
import { tables } from '../tables';
import { SeenQuestion } from './held';
import { isNarrow } from './link-data';

/** The last rung that sends differences in ranges. */
const LAST_OF_RANGES = tables().rungs.findLast(({ position }) => position === 'relative')?.number;
/** Places in the drawing, px. */
const [HEIGHT, LEFT, TOP, BOTTOM] = [200, 44, 34, 26];
/** Magnitudes shown at least: to 2^10. */
const LEAST_OCTAVES = 10;

type Range = 'small' | 'large';

interface Quantity {
  name: string;
  /** The settings' name for it. */
  id: 'pos' | 'rot';
  part: WidthPart;
  unit: string;
  /** The name of its bits' colour. */
  kind: string;
}

@customElement('lab-widths')
export class WidthsFigure extends SizedElement {
  @state() private dragging: { id: Quantity['id']; range: Range } | undefined;
  private readonly question = new SeenQuestion(this, 'widths');

  protected override begins() {
    return [...super.begins(), this.question.follow()];
  }

  protected override render() {
    if (strategy() !== 'snapshot')
      return html`<p class="lesson">Small and large ranges are used by snapshots. Choose the strategy “snapshots”, and the cost of all widths on this motion is counted here.</p>`;
    const { answer: counts, trouble } = this.question;
    return html`
      <p class="lesson">
        A cube is mostly near its baseline. A small difference is sent in few bits, a large one in more, and beyond both the value is sent whole. Drag the lines: too narrow a range, and values spill into the next; too wide, and every value pays for it.
      </p>
      ${counts === undefined || counts.changed_cubes === 0 ? html`<p class="caption" role="status">${trouble === '' ? 'Nothing has changed yet: let it play for a moment.' : trouble}</p>` : this.counted(counts)}
    `;
  }

  /** True while some of the held ticks are not counted. */
  private get partly(): boolean {
    return this.question.working || this.question.isStale;
  }

  private counted(counts: WidthCounts) {
    const steps = `steps of 1/${2 ** Number(lab.a.pos)} m`;
    const quantities: Quantity[] = [
      { name: 'Position', id: 'pos', part: asSet('pos', counts.position), unit: steps, kind: 'position' },
      { name: 'Orientation', id: 'rot', part: asSet('rot', counts.orientation), unit: `codes of ${lab.a.rot} bits`, kind: 'orientation' },
    ];
    const rung = rungOfA();
    return html`
      <p class="caption" role="status">
        ${this.partly ? html`<i class="hatch-key"></i> So far, of` : 'Of'} the ${((counts.last_tick - counts.after_tick) / lab.tickRate).toFixed(1)} s up to
        ${(counts.last_tick / lab.tickRate).toFixed(1)} s: ${count(counts.changed_cubes)} changed cubes in ${count(counts.packets)} packets, against their own
        baselines. ${lab.running ? 'Pause to count all that is kept.' : nothing}
        ${isNarrow('a') ? html`<strong>Through a bottleneck</strong> baselines are those of this link’s own packets: other widths make other packets, which change the queue and so the baselines.` : nothing}
        ${rung === undefined || rung.position === 'relative' ? nothing : html`<strong>Rung ${rung.number} sends no ranges:</strong> counted is what rung ${LAST_OF_RANGES} would send.`}
      </p>
      <ul class="width-legend">
        <li><i class="swatch small"></i> sent small</li>
        <li><i class="swatch large"></i> sent large</li>
        <li><i class="swatch whole"></i> beyond: the value is sent whole</li>
        <li><b>▼</b> the best</li>
        <li><b>◇</b> the articles’</li>
      </ul>
      <div class="pair">${quantities.map((quantity) => this.quantity(quantity))}</div>
    `;
  }

  private quantity(quantity: Quantity) {
    const { name, id, part } = quantity;
    const { chosen, best, articles } = part;
    const isBest = same(chosen, best);
    return html`<section class="widths" ${ofKind(quantity.kind)} aria-labelledby="widths-${id}">
      <h3 id="widths-${id}">${name}: number of components by their difference from the baseline, in ${quantity.unit}</h3>
      <p class="costs">
        <strong>${chosen.bits_per_changed_cube.toFixed(2)}</strong> bits a changed cube with ${pairText(chosen)}${isBest ? ', the best there is' : ''}.
        <span>The articles’ ${pairText(articles)}: ${articles.bits_per_changed_cube.toFixed(2)}.</span>
        <span>The best, ${pairText(best)}: ${best.bits_per_changed_cube.toFixed(2)}${saving(articles, best)}.</span>
      </p>
      ${this.drawing(quantity)}
      <div class="ranges">${this.slider(quantity, 'small')} ${this.slider(quantity, 'large')}</div>
      <p class="actions">
        ${button('Use the best', () => use(id, best), { kind: 'primary', disabled: isBest })}
        ${button('Use the articles’', () => use(id, undefined), { disabled: isAuto(id) })}
      </p>
    </section>`;
  }

  /** Counts on a log scale over magnitudes on a log scale: a range of n bits ends at 2^(n-1). */
  private drawing({ id, name, part }: Quantity) {
    const { widthPx } = this;
    const scale = new Scale(part, widthPx);
    const { chosen, best, articles } = part;
    const bars = part.histogram.filter(({ components }) => components > 0);
    const of = (range: Range): number => scale.x(range === 'small' ? reach(chosen).small : reach(chosen).large);
    const middle = (HEIGHT - BOTTOM + TOP) / 2;
    return html`<svg
      class="histogram sized ${this.dragging?.id === id ? 'dragged' : ''} ${this.partly ? 'provisional' : ''}"
      viewBox="0 0 ${widthPx} ${HEIGHT}"
      role="img"
      aria-label="${name}: ${summary(part)}"
      @pointerdown=${(event: PointerEvent) => this.grab(event, id, scale, part)}
      @pointermove=${(event: PointerEvent) => this.drag(event, scale, part)}
      @pointerup=${() => (this.dragging = undefined)}
      @pointercancel=${() => (this.dragging = undefined)}
    >
      <defs>
        <pattern id="hatch-${id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="hatch" d="M0 0V6" />
        </pattern>
      </defs>
      ${scale
        .counts()
        .map(
          (value) =>
            svg`<path class="grid" d="M${LEFT} ${scale.y(value)}H${widthPx}" /><text class="tick end" x=${LEFT - 6} y=${scale.y(value) + 4}>${short(value)}</text>`,
        )}
      ${scale
        .octaves()
        .map(
          (octave) =>
            svg`<path class="grid" d="M${scale.x(2 ** octave)} ${HEIGHT - BOTTOM}v4" /><text class="tick" x=${scale.x(2 ** octave)} y=${HEIGHT - 8}>${short(2 ** octave)}</text>`,
        )}
      ${bars.map((bin) => {
        const [from, to, y] = [scale.x(bin.least - 1 || 0.71), scale.x(bin.most), scale.y(bin.components)];
        const range = rangeOf(bin, chosen);
        const box = { x: from + 0.5, y, width: Math.max(to - from - 1, 1), height: Math.max(HEIGHT - BOTTOM - y, 1) };
        return svg`<rect class=${range} x=${box.x} y=${box.y} width=${box.width} height=${box.height}></rect>${
          range === 'whole' ? svg`<rect x=${box.x} y=${box.y} width=${box.width} height=${box.height} fill="url(#hatch-${id})"></rect>` : nothing
        }`;
      })}
      ${[
        { sign: '◇', pair: articles, y: 12 },
        { sign: '▼', pair: best, y: 25 },
      ].map(({ sign, pair, y }) =>
        [reach(pair).small, reach(pair).large].map((magnitude) => svg`<text class="mark" x=${scale.x(magnitude)} y=${y}>${sign}</text>`),
      )}
      ${(['small', 'large'] as const).map((range) => {
        const x = of(range);
        return svg`<path class="edge ${range}" d="M${x} ${TOP - 4}V${HEIGHT - BOTTOM}" /><rect class="grip" x=${x - 5} y=${middle - 14} width="10" height="28" rx="4" />
          <text class="edge-name" x=${x + 8} y=${range === 'small' ? TOP + 8 : TOP + 24}>${range}, ${range === 'small' ? chosen.small_bits : chosen.large_bits} bits</text>`;
      })}
    </svg>`;
  }

  private slider({ id, name, part }: Quantity, range: Range) {
    const setting = `${id}-${range}`;
    const { number } = lab.row(setting) ?? {};
    const bits = range === 'small' ? part.chosen.small_bits : part.chosen.large_bits;
    const edge = reach(part.chosen)[range];
    const said = `${bits} bits, ${part.chosen.bits_per_changed_cube.toFixed(2)} bits a changed cube`;
    return html`<label>
      <span>${range === 'small' ? 'Small' : 'Large'} range<span class="unseen"> of ${name.toLowerCase()}</span>: ${bits} bits, −${count(edge)} to ${count(edge - 1)}</span>
      ${slider({ min: number?.min ?? 2, max: number?.max ?? 24, value: bits, said }, (to) => set(id, range, to, part))}
    </label>`;
  }

  /** The nearer of the two lines comes along. */
  private grab(event: PointerEvent, id: Quantity['id'], scale: Scale, part: WidthPart): void {
    const x = place(event);
    const { small, large } = reach(part.chosen);
    const near = Math.abs(scale.x(small) - x) <= Math.abs(scale.x(large) - x) ? 'small' : 'large';
    this.dragging = { id, range: near };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.drag(event, scale, part);
  }

  private drag(event: PointerEvent, scale: Scale, part: WidthPart): void {
    if (this.dragging === undefined || (event.type === 'pointermove' && event.buttons === 0)) return;
    const { id, range } = this.dragging;
    const magnitude = scale.magnitude(place(event));
    const beyond = range === 'small' ? magnitude : Math.max(magnitude - reach(part.chosen).small, 1);
    set(id, range, Math.round(Math.log2(beyond)) + 1, part);
  }
}

/** The scale of the drawing. */
class Scale {
  private readonly octavesShown: number;
  private readonly most: number;

  constructor(
    part: WidthPart,
    private readonly widthPx: number,
  ) {
    const farthest = Math.max(part.histogram.at(-1)?.most ?? 1, 1.3 * reach(part.chosen).large, reach(part.best).large, reach(part.articles).large);
    this.octavesShown = Math.max(Math.ceil(Math.log2(farthest)), LEAST_OCTAVES);
    this.most = Math.max(...part.histogram.map(({ components }) => components), 10);
  }

  x(magnitude: number): number {
    return LEFT + ((Math.log2(magnitude) + 0.5) / (this.octavesShown + 0.5)) * (this.widthPx - LEFT - 18);
  }

  magnitude(x: number): number {
    return 2 ** (((x - LEFT) / (this.widthPx - LEFT - 18)) * (this.octavesShown + 0.5) - 0.5);
  }

  y(components: number): number {
    const part = (Math.log10(Math.max(components, 1)) + 0.3) / (Math.log10(this.most) + 0.3);
    return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
  }

  counts(): number[] {
    const all = Array.from({ length: Math.floor(Math.log10(this.most)) + 1 }, (_, power) => 10 ** power);
    return all.length > 5 ? all.filter((_, power) => power % 2 === 0) : all;
  }

  octaves(): number[] {
    return Array.from({ length: Math.floor(this.octavesShown / 2) + 1 }, (_, at) => 2 * at);
  }
}

/** Magnitude m stands for a difference of -m or m - 1: a range of n bits holds those up to 2^(n-1). */
function reach({ small_bits: small, large_bits: large }: WidthPair): { small: number; large: number } {
  return { small: 2 ** (small - 1), large: 2 ** (small - 1) + 2 ** (large - 1) };
}

function rangeOf({ most }: WidthBin, chosen: WidthPair): string {
  const { small, large } = reach(chosen);
  return most <= small ? 'small' : most <= large ? 'large' : 'whole';
}

/** The pointer's place in the drawing, px. */
function place(event: PointerEvent): number {
  return event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
}

/** Sets the bits of one range. The other range gives way where the two would cross. */
function set(id: Quantity['id'], range: Range, bits: number, part: WidthPart): void {
  const { min, max } = lab.row(`${id}-${range}`)?.number ?? { min: 2, max: 24 };
  const to = Math.min(Math.max(bits, min), max);
  const { small_bits: small, large_bits: large } = part.chosen;
  if (to === (range === 'small' ? small : large)) return;
  if (range === 'small' && to > large) lab.set(`${id}-large`, String(to), 'a');
  if (range === 'large' && to < small) lab.set(`${id}-small`, String(to), 'a');
  lab.set(`${id}-${range}`, String(to), 'a');
}

function use(id: Quantity['id'], pair: WidthPair | undefined): void {
  lab.set(`${id}-small`, pair === undefined ? 'auto' : String(pair.small_bits), 'a');
  lab.set(`${id}-large`, pair === undefined ? 'auto' : String(pair.large_bits), 'a');
}

/** The counts with the pair that is set now: a drag changes it, and the counts stay. */
function asSet(id: Quantity['id'], part: WidthPart): WidthPart {
  const { articles, pairs } = part;
  const bits = (range: Range, auto: number): number => (lab.a[`${id}-${range}`] === 'auto' ? auto : Number(lab.a[`${id}-${range}`]));
  const small_bits = bits('small', articles.small_bits);
  // The large range is as wide as the small one at least.
  const large_bits = Math.max(bits('large', articles.large_bits), small_bits);
  const chosen = pairs.find((pair) => same(pair, { ...pair, small_bits, large_bits }));
  return chosen === undefined ? part : { ...part, chosen };
}

function isAuto(id: Quantity['id']): boolean {
  return lab.a[`${id}-small`] === 'auto' && lab.a[`${id}-large`] === 'auto';
}

function same(a: WidthPair, b: WidthPair): boolean {
  return a.small_bits === b.small_bits && a.large_bits === b.large_bits;
}

function pairText({ small_bits: small, large_bits: large }: WidthPair): string {
  return `${small} and ${large}`;
}

function saving(from: WidthPair, to: WidthPair): string {
  const part = 1 - to.bits_per_changed_cube / from.bits_per_changed_cube;
  return Number.isFinite(part) && part > 0 ? `, ${(100 * part).toFixed(1)} % fewer` : '';
}

function short(value: number): string {
  if (value >= 1_000_000) return `${Math.round(value / 1_000_000)}M`;
  return value >= 10_000 ? `${Math.round(value / 1000)}k` : String(value);
}

/** The bars in words, for people who do not see them. */
function summary(part: WidthPart): string {
  const all = part.histogram.reduce((sum, { components }) => sum + components, 0);
  const within = (range: string): number =>
    part.histogram.filter((bin) => rangeOf(bin, part.chosen) === range).reduce((sum, { components }) => sum + components, 0);
  const share = (range: string): string => `${((100 * within(range)) / Math.max(all, 1)).toFixed(1)} %`;
  const absolute = part.absolute === 0 ? '' : `; ${count(part.absolute)} values have another largest component and are sent whole anyhow`;
  return `of ${count(all)} components ${share('small')} are small, ${share('large')} large, ${share('whole')} beyond${absolute}`;
}
