// Small figures with handles: move a value, and see the bits that the writer makes of it.

import { html, nothing, svg } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Field, Inspection, RangeCode, RelativeIndex, SmallestThree, Written } from '../../pkg/snapshot_web';
import { type Change, lab } from '../lab';
import { button } from '../shell/button';
import { LabElement } from '../shell/element';
import { count, measure } from '../shell/format';
import { slider, typed } from '../shell/parts';
import { ofKind } from '../shell/styled';
import { rungNumbers, rungOfA } from '../tables';
import { drawnCube, turned } from './drawn-cube';
import { Places } from './places';

const titles = { orientation: 'Smallest three', position: 'Range code', index: 'Relative index' } as const;
type Title = keyof typeof titles;

const AXES = ['x', 'y', 'z', 'w'];
/** The rungs that write a field so, for people. */
const writers: Readonly<Record<Title, string>> = {
  orientation: `Rungs ${rungNumbers((rung) => rung.orientation === 'integer')} write it so, rungs ${rungNumbers((rung) => rung.orientation === 'relative')} where it is too far from the baseline’s`,
  position: `Rungs ${rungNumbers((rung) => rung.position === 'relative')} write it so`,
  index: `Rungs ${rungNumbers((rung) => rung.cubes === 'relative-indices')} write it so`,
};
@customElement('lab-worked')
export class Worked extends LabElement {
  protected override readonly shows: readonly Change[] = ['settings'];
  /** The chosen field with its packet. The figure begins with their values. */
  @property({ attribute: false }) field: Field | undefined;
  @property({ attribute: false }) packet: Inspection | undefined;
  @state() private shown: Title = 'orientation';
  @state() private quaternion: readonly number[] = [0.24, 0.41, -0.13, 0.87];
  @state() private difference: readonly number[] = [3, -40, 0];
  @state() private previous = 100;
  @state() private gap = 5;
  /** The owner of the shown values in words, where they come from a packet. */
  private whose: Partial<Record<Title, string>> = {};
  /** The packet that they were taken from: changed settings write the same packet anew, and the handles stay. */
  private taken = '';

  protected override willUpdate(): void {
    const { field, packet } = this;
    if (field === undefined || packet === undefined || lab.failure !== undefined) return;
    const of = `${packet.number} ${field.kind} ${field.cube}`;
    if (of !== this.taken) this.take(field, packet);
    this.taken = of;
  }

  protected override render() {
    if (lab.failure !== undefined) return nothing;
    return html`<section class="worked" aria-labelledby="worked-heading">
      <div class="worked-head">
        <h3 id="worked-heading">A field by hand</h3>
        <div class="groups" role="group" aria-label="Which field">
          ${Object.entries(titles).map(([title, name]) => button(name, () => (this.shown = title as Title), { pressed: title === this.shown }))}
        </div>
      </div>
      ${this.whose[this.shown] === undefined ? nothing : html`<p class="caption">${this.whose[this.shown]}</p>`}
      ${{ orientation: () => this.orientation(), position: () => this.position(), index: () => this.index() }[this.shown]()}
    </section>`;
  }

  /** Shows a field's figure, where the field has one, with the values of the field's cube. */
  private take({ kind, cube }: Field, packet: Inspection): void {
    this.whose = {};
    if (kind in titles) this.shown = kind as Title;
    if (cube === null) return;
    const rung = rungOfA();
    const change = packet.changes.find((change) => change.cube === cube);
    const whose = `With the values of cube ${cube} in packet ${packet.number}.`;
    const before = packet.spans.filter(tellsOfChange).flatMap((span) => (span.cube !== null && span.cube < cube ? [span.cube] : []));
    if (before.length > 0) {
      this.previous = Math.max(...before);
      this.gap = cube - this.previous;
      this.whose.index = whose;
    }
    if (change === undefined) return;
    if (rung !== undefined && rung.position !== 'float') {
      this.difference = change.position.map((now, axis) => now - (change.position_before[axis] ?? 0));
      this.whose.position = whose;
    }
    if (rung !== undefined && rung.orientation !== 'float') {
      const [largest = 0, a = 0, b = 0, c = 0] = change.orientation;
      this.quaternion = [...lab.page.orientation_of(largest, a, b, c)];
      this.whose.orientation = whose;
    }
  }

  private orientation() {
    const [x = 0, y = 0, z = 0, w = 0] = this.quaternion;
    const told: SmallestThree = lab.page.smallest_three(x, y, z, w);
    const sent = told.fields.slice(1);
    const others = AXES.filter((_, component) => component !== told.largest);
    const ofComponent = (component: number): Written | undefined => sent[component < told.largest ? component : component - 1];
    return html`
      <p class="lesson">
        A turn is a unit quaternion: its largest component follows from the three others, which lie within ±0.707. Turn the cube, or move a component, and see which
        one is left out.
      </p>
      <div class="turned">
        ${drawnCube(told.quaternion, (right, down) => (this.quaternion = turned(told.quaternion, right, down)))}
        <div class="handles">
          ${AXES.map((name, component) => {
            const value = told.quaternion[component] ?? 0;
            const field = component === told.largest ? undefined : ofComponent(component);
            const says = field === undefined ? 'the largest: left out' : `code ${field.value}`;
            const said = `${value.toFixed(2)}, ${says}${field === undefined ? '' : `, bits ${spelt(field.bits)}`}`;
            return html`<label>
              <span><b>${name}</b> ${value.toFixed(3)}</span>
              ${slider({ min: -1, max: 1, step: 0.01, value, label: `Component ${name}`, said }, (to) => (this.quaternion = withComponent(told.quaternion, component, to)))}
              <span class="says">${field === undefined ? html`<strong>${says}</strong>` : says}</span>
            </label>`;
          })}
        </div>
      </div>
      ${this.strip(told.fields, (field) => (field.rule === 'largest' ? `${AXES[told.largest]} is left out` : `component ${others['abc'.indexOf(field.rule.slice(0, 1))]}`), 'orientation')}
      <p class="costs" role="status">
        <strong>${bitsOf(told.fields)} bits</strong> in place of the 128 of four floats. The other side sees it turned by ${told.error_deg < 0.005 ? 'less than 0.01' : told.error_deg.toFixed(2)}°
        from this.
      </p>
    `;
  }

  private position() {
    const [x = 0, y = 0, z = 0] = this.difference;
    const told: RangeCode = lab.page.range_code(x, y, z);
    const [flag, ...fields] = told.fields;
    const places = new Places(told.large_reach * 4);
    const metre = 2 ** Number(lab.a.settings.pos);
    const range = (value: number): string => {
      const is = (reach: number): boolean => -reach <= value && value < reach;
      return is(told.small_reach) ? 'small' : is(told.large_reach) ? 'large' : 'beyond';
    };
    return html`
      <p class="lesson">
        Each part of a difference to the baseline is small, up to ${count(told.small_reach)} steps of 1/${metre} m, or large, up to ${count(told.large_reach)}. If one is beyond, the
        position is sent whole.
      </p>
      <div class="handles">
        ${told.difference.map((value, axis) => {
          const said = `${value} steps, ${range(value)}, bits ${spelt(fields[axis]?.bits ?? '')}`;
          return html`<label>
            <span><b>${AXES[axis]}</b> ${signed(value)} <small>${measure((Math.abs(value) / metre) * 1000)} mm</small></span>
            <span class="zoned">
              ${zones(places, [told.small_reach, told.large_reach])}
              ${slider({ min: -places.most, max: places.most, value: places.place(value), label: `Difference along ${AXES[axis]}`, said }, (to) => {
                this.difference = told.difference.with(axis, places.value(to));
              })}
            </span>
            <span class="says">${range(value)}</span>
          </label>`;
        })}
      </div>
      ${this.strip(told.fields, (field) => (field === flag ? (told.relative ? 'relative' : 'whole') : field.rule), 'position')}
      <p class="costs" role="status">
        <strong>${bitsOf(told.fields)} bits</strong>,
        ${told.relative ? 'because all three are within reach' : `because ${AXES.filter((_, axis) => range(told.difference[axis] ?? 0) === 'beyond').join(' and ')} is beyond`}: a flag
        that says so, then ${told.relative ? 'for each a flag and its range’s bits' : 'the position itself'}.
      </p>
    `;
  }

  private index() {
    const told: RelativeIndex | undefined = lab.page.relative_index(this.previous, this.gap);
    if (told === undefined) return html`<p class="caption">It takes two cubes.</p>`;
    const gap = told.index - told.previous;
    const most = told.cube_count - 1 - told.previous;
    const places = new Places(most);
    const bits = bitsOf(told.fields);
    const rule = told.fields.at(-1)?.rule ?? '';
    const said = `${gap} after cube ${told.previous}, ${rule}, bits ${told.fields.map((field) => spelt(field.bits)).join(' ')}`;
    return html`
      <p class="lesson">
        Changed cubes come in the order of their indices, and many are neighbours: the packet says how many indices lie between. Up to ${told.near_reach} on it is near, up to
        ${told.middle_reach} middle, else far.
      </p>
      <div class="handles">
        <label>
          <span>Cube before</span>
          <input
            type="number"
            min="0"
            max=${told.cube_count - 2}
            .value=${live(String(told.previous))}
            @change=${(event: Event) => (this.previous = Math.max(Number(typed(event)), 0))}
          />
        </label>
        <label>
          <span><b>${signed(gap)}</b> <small>cube ${told.index}</small></span>
          <span class="zoned">
            ${zones(places, [told.near_reach, told.middle_reach], 1)}
            ${slider({ min: places.place(1), max: places.most, value: places.place(gap), label: 'Gap to the cube before', said }, (to) => (this.gap = places.value(to)))}
          </span>
          <span class="says">${rule}</span>
        </label>
      </div>
      ${this.strip(told.fields, (field) => field.rule, 'index')}
      <p class="costs" role="status">
        <strong>${bits} bits</strong>${rule === 'changed' ? ': of so few cubes each has a bit of its own' : ` for cube ${told.index} after cube ${told.previous}; the index itself would take ${told.index_bits}`}.
      </p>
    `;
  }

  /** A strip of bits in the packet's order. */
  private strip(fields: readonly Written[], name: (field: Written) => string, kind: Title) {
    return html`<div class="wide">
      <ol class="strip" ${ofKind(kind)} aria-label="Bits as they are written">
        ${fields.map((field) => html`<li><code>${digits(field)}</code><small>${name(field)}</small></li>`)}
      </ol>
      <p class="caption">${writers[kind]}, with the bits and widths that A has.</p>
    </div>`;
  }
}

/** The ends of the ranges, under a slider. */
function zones(places: Places, reaches: readonly number[], from = -Infinity) {
  const ends = reaches.map((reach) => Math.min(places.place(reach), places.most));
  const [first, all] = from === -Infinity ? [-places.most, 2 * places.most] : [places.place(from), Math.max(places.most - places.place(from), 1)];
  const x = (place: number): number => (100 * (place - first)) / all;
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="beyond" x="0" y="0" width="100" height="10"></rect>
    ${ends
      .map((end, place) => ({ end, name: place === 0 ? 'small' : 'large' }))
      .toReversed()
      .map(
        ({ end, name }) =>
          svg`<rect class=${name} x=${x(Math.max(-end, first))} y="0" width=${Math.max(x(end) - x(Math.max(-end, first)), 0)} height="10"></rect>`,
      )}
  </svg>`;
}

/** Returns true if a field says that its cube has changed. */
function tellsOfChange({ kind, rule, value }: Field): boolean {
  return kind === 'index' && (rule === 'changed' ? value === 1 : rule !== 'by index' && rule.endsWith('index'));
}

/** Sets one component of a quaternion, and scales the others to unit length. */
function withComponent(quaternion: readonly number[], component: number, value: number): number[] {
  const others = Math.hypot(...quaternion.filter((_, place) => place !== component));
  const rest = Math.sqrt(Math.max(1 - value * value, 0));
  return quaternion.map((old, place) => (place === component ? value : others > 1e-6 ? (old / others) * rest : place === (component + 1) % 4 ? rest : 0));
}

/** The bits as digits; those that name the range are bold. */
function digits({ bits, range_bits: first }: Written) {
  return first === 0 ? bits : html`<b>${bits.slice(0, first)}</b>${bits.slice(first)}`;
}

function bitsOf(fields: readonly Written[]): number {
  return fields.reduce((sum, { bits }) => sum + bits.length, 0);
}

/** Digit by digit, in fours: a screen reader would make a number of them. */
function spelt(bits: string): string {
  return bits
    .replace(/(\d{4})(?=\d)/g, '$1,')
    .split('')
    .join(' ')
    .replaceAll(' ,', ',');
}

function signed(value: number): string {
  return value < 0 ? `−${count(-value)}` : `+${count(value)}`;
}
