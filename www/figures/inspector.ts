// One packet bit by bit: what each is for, whose it is, by which rule it was written and what it cost.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Field, Inspection } from '../../pkg/snapshot_web';
import { isRefusal } from '../gate';
import { lab } from '../lab';
import { button } from '../shell/button';
import { count, partOf, percent } from '../shell/format';
import { head, select, tableRow } from '../shell/parts';
import { rungOfA } from '../shell/strategy';
import { ofKind, styled } from '../shell/styled';
import { bitKinds, DrawnElement } from './drawing';
import { queueOf } from './queue';
import { ruleAddress } from './rules';

const BIT_65536THS = 65_536;
const ROW_PX = 15;
const MOST_ROWS = 12;
/** Before the width of the box is known. */
const BITS_A_ROW = 128;
@customElement('lab-inspector')
export class Inspector extends DrawnElement {
  private packet: Inspection | undefined;
  /** The same packet of lane B, where B has sent it. */
  private ofB: Inspection | undefined;
  private trouble = '';
  /** Key of `packet`: it is asked for again only when the key changes. */
  private of = '';
  @state() private bitsARow = BITS_A_ROW;
  /** The cube that was looked at last. */
  private cube: number | null = null;
  /** The first bit that is shown. */
  @state() private from = 0;
  /** The chosen field's place in the packet. */
  @state() private chosen = 0;

  protected override render() {
    if (!lab.running) this.inspect();
    const packet = lab.running ? undefined : this.packet;
    return packet === undefined
      ? html`<p class="caption">${lab.running ? 'Pause, or choose a packet, to see its bits.' : this.trouble}</p>`
      : this.bits(packet);
  }

  private bits(packet: Inspection) {
    const bits = (packet.hex.length / 2) * 8;
    const page = this.bitsARow * MOST_ROWS;
    const field = packet.spans[this.chosen];
    const cubes = new Set(packet.spans.map(({ cube }) => cube));
    return html`
      <div
        class="bits"
        role="slider"
        tabindex="0"
        aria-label="Field of packet ${packet.number}"
        aria-valuemin="1"
        aria-valuemax=${packet.spans.length}
        aria-valuenow=${this.chosen + 1}
        aria-valuetext=${field === undefined ? 'none' : inWords(field)}
        @keydown=${this.step}
        @click=${this.choose}
      >
        <canvas class="bit-rows" ${styled({ height: `${Math.ceil(Math.min(bits, page) / this.bitsARow) * ROW_PX}px` })}></canvas>
      </div>
      <div class="bar-head">
        <p class="caption">
          ${count(packet.spans.length)} fields of ${count(cubes.size - (cubes.has(null) ? 1 : 0))} cubes in ${count(bits)} bits.
          ${bits > page ? html`Shown: ${count(this.from)} to ${count(Math.min(this.from + page, bits))}.` : nothing} Arrows go from field to field, up and
          down from cube to cube.
        </p>
        ${
          bits > page
            ? html`<div class="buttons">
                ${button('Earlier bits', () => (this.from = Math.max(0, this.from - page)), { disabled: this.from === 0 })}
                ${button('Later bits', () => (this.from += page), { disabled: this.from + page >= bits })}
              </div>`
            : nothing
        }
      </div>
      ${this.beside(packet)} ${field === undefined ? nothing : this.details(field, packet)} ${queueOf(packet)}
    `;
  }

  protected override updated(): void {
    this.light();
    const canvas = this.querySelector('canvas');
    if (canvas !== null) this.bitsARow = canvas.clientWidth < 600 ? BITS_A_ROW / 2 : BITS_A_ROW;
    super.updated();
  }

  private inspect(): void {
    const settings = lab.permalink.replace(/&(show|cube|shade|ghost|views|camera)=[^&]*/g, '');
    const of = `${settings} ${lab.now.at} ${lab.viewState.packet} ${lab.now.progress}`;
    if (of === this.of) {
      this.followCube();
      return;
    }
    this.of = of;
    const before = this.packet?.number;
    this.ofB = undefined;
    try {
      this.packet = lab.ask({ inspect: { lane: 'a', number: lab.viewState.packet ?? undefined } });
      this.trouble = '';
      this.ofB = this.sameOfB(this.packet);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.packet = undefined;
      this.trouble = `${error.message}.`;
    }
    if (this.packet?.number === before) return;
    this.go(Math.max(this.firstOf(lab.viewState.cube), 0));
  }

  /** The place of a cube's first field. */
  private firstOf(cube: number | null): number {
    return cube === null ? -1 : (this.packet?.spans.findIndex((span) => span.cube === cube) ?? -1);
  }

  /** Another cube was chosen elsewhere: its fields come up. */
  private followCube(): void {
    const { cube } = lab.viewState;
    if (cube === this.cube) return;
    this.cube = cube;
    const first = this.firstOf(cube);
    if (first >= 0 && this.packet?.spans[this.chosen]?.cube !== cube) this.go(first);
  }

  /** The cubes that the chosen one's prediction looked at, where the packet is of the rung that does. */
  private neighbours(): readonly number[] {
    const { cube } = lab.viewState;
    return this.packet?.told_from.find((entry) => entry.cube === cube)?.cubes ?? [];
  }

  /** In the views too. */
  private light(): void {
    const lit = lab.running || this.packet === undefined ? [] : this.neighbours();
    if (lit.length > 0 || lab.lit.length > 0) lab.lit = lit;
  }

  private predictedFrom(packet: Inspection) {
    const { cube } = lab.viewState;
    const own = rungOfA()?.predicted_from;
    if (cube === null || own === undefined || own === null) return nothing;
    const cubes = this.neighbours();
    if (cubes.length === 0) return html`<p class="caption">No cube near cube ${cube} was coded before it: it is predicted from ${own} alone.</p>`;
    return html`<div class="told-from">
      <p class="caption">Cube ${cube} is predicted from ${own}, and from what ${cubes.length === 1 ? 'a cube near it' : `${cubes.length} cubes near it`} did, coded before it in this packet (green in the views):</p>
      <ul aria-label="Cubes that the prediction looked at">
        ${cubes.map(
          (other) => html`<li>
            ${button(other === 0 ? 'player' : other, () => lab.lookAt(packet.number, other), { label: other === 0 ? 'The player’s cube' : `Cube ${other}` })}
          </li>`,
        )}
      </ul>
    </div>`;
  }

  /** Lane B's packet of the same tick; none if that is no longer held, which says nothing of A's. */
  private sameOfB({ tick }: Inspection): Inspection | undefined {
    if (lab.sendingB === undefined) return undefined;
    const number = lab.ask({ traffic: { lane: 'b', from: tick, to: tick } })?.packets.find((packet) => packet.tick === tick)?.number;
    try {
      return number === undefined ? undefined : lab.ask({ inspect: { lane: 'b', number } });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return undefined;
    }
  }

  /** The same packet on another rung, or lane B's packet where there is one. */
  private beside(packet: Inspection) {
    const rungs = lab.row('codec')?.choices ?? [];
    const { a, sendingB: b } = lab;
    const name = (id: string | undefined): string => rungs.find((rung) => rung.id === id)?.label ?? '';
    if (b === undefined) {
      if (a.strategy !== 'snapshot') return nothing;
      const others = rungs.filter(({ id }) => id !== a.codec).map(({ id, label }) => [id, label] as const);
      return select('The same packet on', [['', 'another rung'], ...others], '', (codec) => lab.compareWith({ codec }, 'packets'));
    }
    const { ofB } = this;
    const rungOfB = b.strategy === 'snapshot' ? `B (${name(b.codec)})` : 'B';
    return html`<p class="caption beside" role="status">
      ${
        ofB === undefined
          ? html`${rungOfB} sent nothing in this tick, or its packets are still being computed.`
          : html`<span
              >A: <strong>${count(packet.bytes)} bytes</strong>. ${rungOfB}: <strong>${count(ofB.bytes)} bytes</strong>${packet.bytes === 0 ? '' : `, ${partOf(ofB.bytes / packet.bytes)} it`}.</span
            >`
      }
      ${button('Leave out B', () => lab.apply({ lane: 'drop_b' }))}
    </p>`;
  }

  /** The fields of one cube in a packet; the fields about no cube where it is null. */
  private mates(packet: Inspection, cube: number | null, name: string, chosen?: number) {
    const mates = packet.spans.map((span, place) => ({ span, place })).filter(({ span }) => span.cube === cube);
    const bits = mates.reduce((sum, { span }) => sum + span.length_65536ths, 0) / BIT_65536THS;
    return html`<div class="wide">
      <table class="compared mates">
        <caption>
          ${name}${cube === null ? 'What belongs to no cube' : `Cube ${cube}`}:
          ${mates.length === 0 ? 'nothing of it in this packet' : `${bits.toFixed(Number.isInteger(bits) ? 0 : 1)} ${bits === 1 ? 'bit' : 'bits'}`}
        </caption>
        ${head('Field', 'rule', 'value', 'bits')}
        <tbody>
          ${mates.map(({ span, place }) => {
            const isChosen = place === chosen;
            const name = html`<i class="swatch" ${ofKind(span.kind)}></i>${bitKinds.get(span.kind)?.label ?? span.kind}`;
            const head = chosen === undefined ? name : button(name, () => this.go(place), { kind: 'quiet', pressed: isChosen });
            const bits = (span.length_65536ths / BIT_65536THS).toFixed(span.decisions.length > 0 ? 2 : 0);
            return tableRow(head, [html`<code>${span.rule}</code>`, span.value, bits], isChosen);
          })}
        </tbody>
      </table>
    </div>`;
  }

  /** A field in words and numbers; those of the same cube beside it. */
  private details(field: Field, packet: Inspection) {
    const mates = packet.spans.map((span, place) => ({ span, place })).filter(({ span }) => span.cube === field.cube);
    const cost = mates.reduce((sum, { span }) => sum + span.length_65536ths, 0) / BIT_65536THS;
    // A cube that was picked elsewhere may not be in the packet: its table is empty then, and no other's.
    const picked = lab.viewState.cube;
    const isAbsent = picked !== null && !packet.spans.some((span) => span.cube === picked);
    const cube = isAbsent ? picked : field.cube;
    return html`${isAbsent ? html`<p class="caption absent">${picked === 0 ? 'The player’s cube' : `Cube ${picked}`} is not in this packet: it has not changed since the baseline.</p>` : nothing}<div class="field" role="status">
        <p>
          <i class="swatch" ${ofKind(field.kind)}></i><strong>${bitKinds.get(field.kind)?.label ?? field.kind}</strong>, rule
          <a href=${ruleAddress(field.rule, lab.a)} target="_blank"><code>${field.rule}</code></a>, value
          <strong>${field.value}</strong>: ${bitsOf(field.length_65536ths)} from bit ${(field.first_65536ths / BIT_65536THS).toFixed(field.decisions.length > 0 ? 2 : 0)}${
            field.decisions.length > 0 ? `, in ${field.decisions.length} decision${field.decisions.length === 1 ? '' : 's'}` : ''
          }.
          ${against(field, packet)} ${field.cube === null ? 'It belongs to no cube.' : html`It is of cube ${field.cube}, which takes ${cost.toFixed(1)} bits here.`}
        </p>
        ${
          field.decisions.length === 0
            ? nothing
            : html`<ul class="decisions" aria-label="Decisions">
                ${field.decisions.map(
                  ({ value, probability, cost_65536ths: cost }) => html`<li>${value} at ${percent(probability / BIT_65536THS)}: ${bitsOf(cost)}</li>`,
                )}
              </ul>`
        }
      </div>
      ${this.predictedFrom(packet)}
      <div class="both-mates">
        ${this.mates(packet, cube, this.ofB === undefined ? '' : 'A: ', this.chosen)}
        ${this.ofB === undefined ? nothing : this.mates(this.ofB, cube, 'B: ')}
      </div>`;
  }

  protected override draw(context: CanvasRenderingContext2D, width: number, colour: (name: string) => string): void {
    const { packet, bitsARow, from } = this;
    if (packet === undefined) return;
    const bit = width / bitsARow;
    const to = from + bitsARow * MOST_ROWS;
    packet.spans.forEach((span, place) => {
      const first = span.first_65536ths / BIT_65536THS;
      const last = first + span.length_65536ths / BIT_65536THS;
      if (last <= from || first >= to || last <= first) return;
      const lit = span.cube !== null && span.cube === lab.viewState.cube;
      for (let row = Math.max(Math.floor((first - from) / bitsARow), 0); row < MOST_ROWS; row += 1) {
        const [rowFrom, rowTo] = [from + row * bitsARow, from + (row + 1) * bitsARow];
        if (rowFrom >= last) break;
        const left = (Math.max(first, rowFrom) - rowFrom) * bit;
        const right = (Math.min(last, rowTo) - rowFrom) * bit;
        // A hair between fields; none where they are finer than that.
        const gap = Math.min(1, (right - left) / 3);
        context.fillStyle = colour(`--${span.kind}`);
        context.fillRect(left, row * ROW_PX, right - left - gap, ROW_PX - 3);
        if (lit || place === this.chosen) {
          context.fillStyle = colour('--ink');
          context.fillRect(left, row * ROW_PX + ROW_PX - (place === this.chosen ? 5 : 3), Math.max(right - left - gap, 2), place === this.chosen ? 4 : 2);
        }
      }
    });
  }

  private choose(event: MouseEvent): void {
    const canvas = (event.currentTarget as HTMLElement).querySelector('canvas');
    const box = canvas?.getBoundingClientRect();
    if (box === undefined) return;
    const row = Math.floor((event.clientY - box.top) / ROW_PX);
    const at = (this.from + row * this.bitsARow + ((event.clientX - box.left) / box.width) * this.bitsARow) * BIT_65536THS;
    const place = this.packet?.spans.findIndex((span) => span.first_65536ths <= at && at < span.first_65536ths + span.length_65536ths) ?? -1;
    if (place >= 0) this.go(place);
  }

  private step(event: KeyboardEvent): void {
    const spans = this.packet?.spans ?? [];
    const cube = spans[this.chosen]?.cube;
    const another = (span: Field): boolean => span.cube !== cube;
    const to = {
      ArrowLeft: this.chosen - 1,
      ArrowRight: this.chosen + 1,
      ArrowDown: spans.findIndex((span, place) => place > this.chosen && another(span)),
      ArrowUp: spans.findLastIndex((span, place) => place < this.chosen && another(span)),
      Home: 0,
      End: spans.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (spans[to] !== undefined) this.go(to);
  }

  /** Chooses a field and the field's cube in all figures and views. */
  private go(place: number): void {
    this.chosen = place;
    const span = this.packet?.spans[place];
    if (span === undefined) return;
    const bit = span.first_65536ths / BIT_65536THS;
    const page = this.bitsARow * MOST_ROWS;
    if (bit < this.from || bit >= this.from + page) this.from = Math.max(0, Math.floor(bit / page) * page);
    if (span.cube !== null && span.cube !== lab.viewState.cube) {
      const packet = lab.viewState.packet ?? undefined;
      queueMicrotask(() => lab.lookAt(packet, span.cube ?? undefined));
    }
  }
}

/** The baseline's value in place of a number, in words. */
function against({ kind, rule, cube }: Field, { changes }: Inspection): string {
  const change = changes.find((change) => change.cube === cube);
  const number = 'xyzabc'.indexOf(/^([xyzabc])( |$)/.exec(rule)?.[1] ?? '-');
  if (change === undefined || number < 0) return '';
  const ofPosition = kind === 'position';
  const rung = rungOfA();
  const coding = ofPosition ? rung?.position : rung?.orientation;
  if (coding === undefined || coding === 'float' || (!ofPosition && kind !== 'orientation')) return '';
  if (!ofPosition && change.orientation[0] !== change.orientation_before[0]) return 'In the baseline another component is the largest.';
  const [before = 0, now = 0] = ofPosition
    ? [change.position_before[number], change.position[number]]
    : [change.orientation_before[number - 2], change.orientation[number - 2]];
  return `The baseline has ${count(before)}, the packet ${count(now)}: ${now < before ? '−' : '+'}${count(Math.abs(now - before))}.`;
}

function bitsOf(length_65536ths: number): string {
  const bits = length_65536ths / BIT_65536THS;
  return `${Number.isInteger(bits) ? bits : bits.toFixed(bits < 0.1 ? 4 : 2)} bit${bits === 1 ? '' : 's'}`;
}

function inWords(field: Field): string {
  const whose = field.cube === null ? 'of no cube' : `of cube ${field.cube}`;
  return `${bitKinds.get(field.kind)?.label ?? field.kind} ${whose}, ${field.rule}, value ${field.value}, ${bitsOf(field.length_65536ths)}`;
}
