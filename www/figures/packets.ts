// The packets of the last seconds as bars, what became of each, and which one is looked at.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Cure, Packet, Traffic } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { download } from '../shell/download';
import { count, measure, percent } from '../shell/format';
import { secondsShown } from '../shell/parts';
import { strategy, wordsOf } from '../shell/strategy';
import { tables } from '../tables';
import { DrawnElement, hatchMade, isUnmade } from './drawing';
import { isNarrow } from './link-data';
import { overrideByKey, setOverride } from './override';
import { whyGlitch } from './why';
import './cube';
import './inspector';
import { button } from '../shell/button';

/** Places in the picture, CSS px: bars stand on BARS_PX, marks of fates and acks are under them. */
const BARS_PX = 104;
const FATES_PX = 116;
const ACKS_PX = 134;
/** Place of the row of waits under the packets, where there is a bottleneck. */
const [QUEUE_TOP_PX, QUEUE_PX] = [146, 182];

const fates: Readonly<Record<Packet['fate'], string>> = {
  delivered: 'delivered',
  lost: 'lost',
  late: 'too late to use',
  overtaken: 'overtaken',
  in_flight: 'on its way',
  refused: 'refused',
  passed_over: 'passed over',
};
/** Returns true if the packet leaves only after the shown instant. */
function isYetToLeave({ tick }: Packet): boolean {
  return tick > lab.now.at;
}

function fateOf(packet: Packet): string {
  return isYetToLeave(packet) ? 'not sent yet at this instant' : fates[packet.fate];
}
const marks: Readonly<Record<Packet['fate'], string>> = { delivered: '', lost: '×', late: '◔', overtaken: '↷', in_flight: '→', refused: '!', passed_over: '–' };

@customElement('lab-packets')
export class Packets extends DrawnElement {
  @state() private windowS = 6;
  /** The effect of a key, in words. */
  @state() private said = '';
  private traffic: Traffic | undefined;
  private cured: Cure | undefined;
  private cureIsOf = '';

  protected override render() {
    const { at, first, last } = lab.now;
    const ticks = this.windowS * lab.tickRate;
    // What comes after the instant is shown too, where there is something.
    const to = Math.min(Math.max(at + Math.round(ticks / 4), first + ticks), Math.max(last, at));
    this.traffic = lab.ask({ traffic: { lane: 'a', from: Math.max(0, to - ticks + 1), to } });
    const packet = this.packet();
    return html`
      ${this.why()}
      <div class="bar-head">
        <p class="lesson">A bar is a packet: it stands where the packet left, as high as its bytes. Choose one to see its fate and every bit in it.</p>
        ${secondsShown(this.windowS, (seconds) => (this.windowS = seconds))}
        ${button('Download log', () => this.save())}
      </div>
      <div
        class="traffic"
        role="slider"
        tabindex="0"
        aria-label="Packet that is looked at"
        aria-valuemin=${this.traffic?.packets[0]?.number ?? 0}
        aria-valuemax=${this.traffic?.packets.at(-1)?.number ?? 0}
        aria-valuenow=${packet?.number ?? 0}
        aria-valuetext=${packet === undefined ? 'none' : description(packet)}
        aria-keyshortcuts="x s"
        @keydown=${this.step}
        @click=${this.choose}
      >
        <canvas class=${isNarrow('a') ? 'with-queue' : ''}></canvas>
      </div>
      <ul class="fates">
        ${Object.entries(marks).map(([fate, mark]) => (mark === '' ? nothing : html`<li><b>${mark}</b> ${fates[fate as Packet['fate']]}</li>`))}
        <li><b>‖</b> came twice</li>
        <li>pale: lost, or not sent yet</li>
        <li><i class="cut-key"></i> network cut</li>
        <li><i class="ack-key"></i> acks on their way back, × lost</li>
        ${!isNarrow('a') ? nothing : html`<li><i class="queue-key"></i> wait in the queue, at most ${measure(this.longestWait())} ms</li>`}
        ${!isUnmade() ? nothing : html`<li><i class="hatch-key"></i> still being worked out</li>`}
      </ul>
      <div class="chosen" role="status">${packet === undefined ? html`<p class="caption">Not a packet yet.</p>` : this.facts(packet)}${this.said === '' ? nothing : html`<p>${this.said}</p>`}</div>
      <lab-cube></lab-cube>
      <lab-inspector></lab-inspector>
    `;
  }

  private why() {
    const reason = whyGlitch();
    if (reason === undefined) return nothing;
    const { heading, words, packet } = reason;
    const cure = this.cure();
    return html`<p class="why-frozen" role="status">
      <strong>${heading}</strong> ${words}
      ${packet === undefined ? nothing : button(`Look at packet ${packet}`, () => this.lookAt(packet))}
      ${
        cure === undefined
          ? nothing
          : html`<span class="cure"
              >A playout delay of <strong>${cure.delay_ms} ms</strong> would have shown ${percent(cure.share)} of the ${count(cure.frames)} still frames so far in time.
              ${cure.ends_this === null ? nothing : cure.ends_this ? 'This freeze goes.' : 'This freeze is longer: a part of it stays.'}
              ${this.ways(cure)}</span
            >`
      }
    </p>`;
  }

  /** The longer delay, and beside it what costs less age; those beyond the limit of the age are said to be. */
  private ways({ ways, age_ms }: Cure) {
    const most = lab.viewState.limits.age_ms ?? Number.POSITIVE_INFINITY;
    const names = ['Apply', 'Let it adapt', 'Extrapolate'];
    return html`The picture is ${measure(age_ms)} ms old now.
      ${ways.map(
        (way, index) =>
          html`<span class="way"
            >${way.setting === 'interp' ? 'extrapolation' : way.value === 'adaptive' ? 'a delay that adapts' : `${way.value} ms of delay`}: ${count(way.still)} still frames left,
            ${measure(way.age_ms)} ms old${way.age_ms > most ? html`, <em>beyond ${measure(most)} ms</em>` : nothing} ${button(names[index] ?? '', () => lab.set(way.setting, way.value, 'a'))}</span
          >`,
      )}
      ${ways.every((way) => way.age_ms > most) ? html`<strong>Nothing within ${measure(most)} ms.</strong>` : nothing}`;
  }

  /** All recorded packets are read for it: once for each instant that is looked at. */
  private cure(): Cure | undefined {
    if (lab.running || lab.now.progress !== 'done') return undefined;
    const of = `${lab.now.at} ${lab.permalink}`;
    if (of !== this.cureIsOf) [this.cureIsOf, this.cured] = [of, lab.ask({ cure: { lane: 'a' } })];
    return this.cured;
  }

  /** The one that the link names or, if none, the newest that has left. */
  private packet(): Packet | undefined {
    const { packets } = this.traffic ?? { packets: [] };
    const chosen = packets.find(({ number }) => number === lab.viewState.packet);
    return chosen ?? packets.findLast(({ tick }) => tick <= lab.now.at);
  }

  private facts(packet: Packet) {
    const built =
      strategy() !== 'snapshot'
        ? ''
        : packet.baseline === null
          ? ', built on the initial snapshot'
          : `, built on sequence ${packet.baseline}, ${packet.tick - (packet.baseline_tick ?? 0)} ticks older`;
    const unit = wordsOf().carried;
    const contents = unit === null ? '' : `, ${count(packet.changed_cubes)} ${unit}`;
    const arrival = packet.arrival_ms === null ? '' : `, arrives at ${(packet.arrival_ms / 1000).toFixed(3)} s`;
    const acked = packet.acked_tick === null ? '' : `; acknowledged at ${(packet.acked_tick / lab.tickRate).toFixed(2)} s`;
    return html`<p>
      <strong>Packet ${packet.number}</strong>, sequence ${packet.sequence}, left at ${(packet.tick / lab.tickRate).toFixed(2)} s:
      <strong>${fateOf(packet)}</strong>${arrival}${acked}. ${count(packet.bytes)} bytes${packet.fragments > 1 ? ` in ${packet.fragments} fragments` : ''}${contents}${built}.
      ${
        packet.fate === 'lost'
          ? button('What if it had arrived?', () => setOverride(packet, true))
          : button('What if it were lost?', () => setOverride(packet, false))
      }
    </p>`;
  }

  protected override draw(context: CanvasRenderingContext2D, width: number, colour: (name: string) => string): void {
    const { traffic } = this;
    if (traffic === undefined) return;
    const { packets, acks, cut } = traffic;
    const ticks = this.windowS * lab.tickRate;
    const first = this.firstTick();
    hatchMade(context, (time) => ((time * lab.tickRate - first) / ticks) * width, 0, BARS_PX, colour);
    const x = (tick: number): number => ((tick - first) / ticks) * width;
    const barWidth = Math.max(Math.min((ticksBetween() / ticks) * width - 1, 14), 1);
    const most = Math.max(...packets.map(bitsOf), 1);
    const high = (bits: number): number => (bits / most) * (BARS_PX - 14);
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.fillStyle = colour('--hair');
    for (const { from, to } of cut) context.fillRect(x(from), 0, x(to + 1) - x(from), ACKS_PX + 8);
    for (const packet of packets) {
      const left = x(packet.tick);
      context.globalAlpha = packet.fate === 'lost' || packet.tick > lab.now.at ? 0.35 : 1;
      let bottom = BARS_PX;
      for (const { name: kind } of tables().bit_kinds) {
        const height = high(packet.bits_by_kind[kind] ?? 0);
        if (height <= 0) continue;
        context.fillStyle = colour(`--${kind}`);
        context.fillRect(left, bottom - height, barWidth, height);
        bottom -= height;
      }
      context.globalAlpha = 1;
      context.fillStyle = colour(packet.fate === 'delivered' ? '--muted' : '--bad');
      if (marks[packet.fate] !== '' && !isYetToLeave(packet)) context.fillText(marks[packet.fate], left + barWidth / 2, FATES_PX);
      if (packet.copy_arrival_ms !== null && !isYetToLeave(packet)) context.fillText('‖', left + barWidth / 2, FATES_PX);
    }
    context.fillStyle = colour('--linear_velocity');
    for (const ack of acks) {
      if (ack.arrival_ms === null) context.fillText('×', x(ack.tick), ACKS_PX + 4);
      else context.fillRect(x(ack.tick), ACKS_PX - 3, Math.max(barWidth / 2, 1), 5);
    }
    if (isNarrow('a')) this.drawQueue(context, x, barWidth, colour);
    context.strokeStyle = colour('--focus');
    context.beginPath();
    context.moveTo(x(lab.now.at) + barWidth, 0);
    context.lineTo(x(lab.now.at) + barWidth, ACKS_PX + 8);
    context.stroke();
    const chosen = this.packet();
    if (chosen !== undefined) this.mark(context, chosen, x, barWidth, high, colour);
    context.fillStyle = colour('--muted');
    context.textAlign = 'left';
    context.fillText(`${count(most / 8)} bytes with headers`, 2, 10);
  }

  private longestWait(): number {
    return Math.max(...(this.traffic?.packets ?? []).map((packet) => waitOf(packet) ?? 0), 0);
  }

  /** The queue that each packet met; one that was dropped there is as high as the picture. */
  private drawQueue(context: CanvasRenderingContext2D, x: (tick: number) => number, barWidth: number, colour: (name: string) => string): void {
    const most = Math.max(this.longestWait(), 1);
    for (const packet of this.traffic?.packets ?? []) {
      const wait = packet.lost_by === 'queue' ? most : waitOf(packet);
      if (wait === undefined) continue;
      const height = (wait / most) * (QUEUE_PX - QUEUE_TOP_PX);
      context.fillStyle = colour(packet.lost_by === 'queue' ? '--bad' : '--cause-queue');
      context.fillRect(x(packet.tick), QUEUE_PX - height, Math.max(barWidth, 1), height);
    }
    context.fillStyle = colour('--hair');
    context.fillRect(0, QUEUE_PX, context.canvas.clientWidth, 1);
  }

  /** At the left edge of the picture; at the right one there is room for the newest packet's bar. */
  private firstTick(): number {
    const ticks = this.windowS * lab.tickRate;
    const room = Math.min(Math.ceil(ticksBetween()), Math.round(ticks / 30));
    return Math.max(this.traffic?.packets.at(-1)?.tick ?? 0, lab.now.at, ticks - 1) - ticks + room;
  }

  /** The chosen packet, and the arrow to what it is built on. */
  private mark(
    context: CanvasRenderingContext2D,
    packet: Packet,
    x: (tick: number) => number,
    barWidth: number,
    high: (bits: number) => number,
    colour: (name: string) => string,
  ): void {
    context.strokeStyle = colour('--ink');
    context.lineWidth = 2;
    const height = high(bitsOf(packet));
    context.strokeRect(x(packet.tick) - 1, BARS_PX - height - 1, barWidth + 2, height + 2);
    context.lineWidth = 1;
    if (packet.baseline_tick === null) return;
    const [from, to] = [x(packet.tick) + barWidth / 2, x(packet.baseline_tick) + barWidth / 2];
    const top = BARS_PX - height - 4;
    context.beginPath();
    context.moveTo(from, top);
    context.quadraticCurveTo((from + to) / 2, Math.max(top - 26, 2), to, BARS_PX - 8);
    context.lineTo(to + 4, BARS_PX - 13);
    context.moveTo(to, BARS_PX - 8);
    context.lineTo(to - 4, BARS_PX - 14);
    context.stroke();
  }

  private choose(event: MouseEvent): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const ticks = this.windowS * lab.tickRate;
    const packets = this.traffic?.packets ?? [];
    const tick = this.firstTick() + ((event.clientX - box.left) / box.width) * ticks;
    const nearest = packets.reduce<Packet | undefined>(
      (best, packet) => (best === undefined || Math.abs(packet.tick - tick + 0.5) < Math.abs(best.tick - tick + 0.5) ? packet : best),
      undefined,
    );
    this.look(nearest);
  }

  private step(event: KeyboardEvent): void {
    this.said = overrideByKey(event) ?? '';
    const packets = this.traffic?.packets ?? [];
    const place = packets.findIndex(({ number }) => number === this.packet()?.number);
    const lost = packets.findIndex(({ fate }, i) => fate === 'lost' && i > place);
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: packets.length - 1, PageDown: lost }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.look(packets[to]);
  }

  /** Somebody who looks at a packet wants it to stay. */
  private look(packet: Packet | undefined): void {
    if (packet !== undefined) this.lookAt(packet.number);
  }

  private lookAt(number: number): void {
    if (lab.running) lab.pause(true);
    lab.lookAt(number, lab.viewState.cube ?? undefined);
  }

  private save(): void {
    const traffic = lab.ask({ traffic: { lane: 'a', from: lab.now.first, to: lab.now.last } });
    const text = JSON.stringify({ link: location.href, ...traffic }, null, 1);
    download('packets.json', new Blob([text], { type: 'application/json' }));
  }
}

/** From a packet to the next. */
function ticksBetween(): number {
  return lab.tickRate / Math.min(Number(lab.a.hz), lab.tickRate);
}

/** ms in the bottleneck's queue; undefined of a lost packet. */
function waitOf({ delay_by_cause: parts }: Packet): number | undefined {
  return parts?.['queue'];
}

function bitsOf(packet: Packet): number {
  return Object.values(packet.bits_by_kind).reduce((sum, bits) => sum + bits, 0);
}

function description(packet: Packet): string {
  const ms = packet.arrival_ms === null ? '' : `, on its way for ${measure(packet.arrival_ms - packet.tick * lab.tickMs)} ms`;
  return `packet ${packet.number}, ${packet.bytes} bytes, ${fateOf(packet)}${ms}`;
}
