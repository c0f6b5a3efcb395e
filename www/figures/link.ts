// The figure Link: causes of each packet's delay, the queue, offered and delivered rate, and losses.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { AlignedData } from 'uplot';
import type { LaneName, Packet } from '../../pkg/snapshot_web';
import { lab, lanes } from '../lab';

import { LabElement } from '../shell/element';
import { count, measure, percent, rateText } from '../shell/format';
import { secondsShown, select } from '../shell/parts';
import { tables } from '../tables';
import { measuredBeside } from '../wire/measured';
import './delay-histogram';
import { isUnmade } from './drawing';
import { figure } from './figure';
import { type Cause, causes, delayOf, isNarrow, type LinkData, lagAt, laterThan, partOf, quantile, readLink } from './link-data';
import './line-chart';
import { button } from '../shell/button';
import type { ChartLine, LineChart } from './line-chart';
import { scaleOf } from './plot';

/** Reading the packets of 20 s takes up to 30 ms: while it runs, twice a second is enough, and less often for more. */
const READ_EVERY_MS = 500;
const READ_EVERY_MS_A_SECOND = 25;
/** A cause of less than this in every packet is none, ms. */
const LEAST_MS = 0.05;
const MARK_PX = 7;
/** A capacity of so many times the offered rate is not drawn. */
const FAR = 4;

@customElement('lab-link')
export class LinkFigure extends LabElement {
  @state() private windowS = 20;
  @state() private chosen: LaneName = 'a';
  private data: LinkData | undefined;
  private readAt = 0;
  private readOf = '';

  /** Reads the packets. While the motion plays, they are read and drawn at most twice a second. */
  protected override shouldUpdate(): boolean {
    if (!super.shouldUpdate()) return false;
    const of = `${this.lane} ${this.windowS} ${lab.permalink} ${lab.running}`;
    const now = performance.now();
    // Who reads this signal is asked again at each instant, also after one that draws nothing.
    void lab.now;
    if (lab.running && of === this.readOf && now - this.readAt < Math.max(READ_EVERY_MS, READ_EVERY_MS_A_SECOND * this.windowS)) return false;
    [this.readAt, this.readOf] = [now, of];
    this.data = readLink(this.lane, this.windowS);
    return true;
  }

  protected override render() {
    const { data } = this;
    return html`
      <div class="bar-head">
        <p class="lesson">Why each packet takes as long as it does. What stands above the dashed line comes late; drag the line in the histogram.</p>
        ${
          lab.sendingB === undefined
            ? nothing
            : select(
                'Link of',
                lanes.map((lane) => [lane, lane.toUpperCase()]),
                this.lane,
                (lane) => (this.chosen = lane as LaneName),
              )
        }
        ${secondsShown(this.windowS, (seconds) => (this.windowS = seconds))}
      </div>
      ${data === undefined || data.packets.length === 0 ? html`<p class="caption" role="status">Not a packet yet.</p>` : this.figures(data)}
    `;
  }

  private figures(data: LinkData) {
    return html`
      ${this.caption(data)}
      <div class="pair wide-first">
        <lab-line-chart .chart=${delayChart(data)}></lab-line-chart>
        <lab-delay-histogram .data=${data}></lab-delay-histogram>
      </div>
      <div class="pair">
        ${isNarrow(data.lane) ? html`<lab-line-chart .chart=${queueChart(data)}></lab-line-chart>` : this.noQueue(data)}
        <lab-line-chart .chart=${rateChart(data)}></lab-line-chart>
      </div>
      <h3>What became of these packets</h3>
      ${becameOf(data)}
      ${measuredBeside(data)}
    `;
  }

  private get lane(): LaneName {
    return lab.sendingB === undefined ? 'a' : this.chosen;
  }

  private caption({ delays, packets, fromTick, toTick }: LinkData) {
    const [half, p95, p99] = [0.5, 0.95, 0.99].map((share) => measure(quantile(delays, share)));
    return html`<p class="caption" role="status">
      ${isUnmade() ? html`<i class="hatch-key"></i> Not updated yet: of` : 'Of'} the ${((toTick - fromTick) / lab.tickRate).toFixed(1)} s from
      ${(fromTick / lab.tickRate).toFixed(1)} s to ${(toTick / lab.tickRate).toFixed(1)} s: ${count(packets.length)} packets to the right side.
      ${delays.length === 0 ? 'None has arrived.' : html`Half take <strong>${half} ms</strong> or less, 95 % <strong>${p95} ms</strong>, 99 % <strong>${p99} ms</strong>.`}
    </p>`;
  }

  private noQueue({ lane }: LinkData) {
    return html`<div class="no-queue">
      <p>
        <strong>No queue:</strong> this link has endless capacity, so nothing waits. A real one is narrow somewhere: what comes faster than it can leave waits there, and
        is dropped when the queue is full.
      </p>
      ${button(`Put in a bottleneck of ${tables().goal_kbps} kbit/s`, () => lab.set('rate', String(tables().goal_kbps), lane))}
    </div>`;
  }
}

function timesOf(packets: readonly Packet[]): number[] {
  return packets.map(({ tick }) => tick / lab.tickRate);
}

function window(data: LinkData): () => [number, number] {
  return () => [data.fromTick / lab.tickRate, Math.max(data.toTick, data.fromTick + lab.tickRate) / lab.tickRate];
}

/** The parts that all charts of the figure share; its places are times. */
function overTime(title: string, data: AlignedData, text: (value: number) => string) {
  const { most } = scaleOf(data, 0);
  return {
    title,
    label: `${title}, over time`,
    data,
    text,
    reading: { first: 0, otherwise: `at most ${text(most)}`, at: (place?: number) => (place === undefined ? '' : `at ${(data[0][place] ?? 0).toFixed(2)} s`) },
  };
}

function milliseconds(value: number): string {
  return `${measure(value)} ms`;
}

/** Stacked areas: each reaches up to the sum of its cause and of the causes below it. */
function delayChart(data: LinkData): LineChart {
  const { packets, due } = data;
  const shown = causes.filter((cause) => cause.id === 'base' || packets.some((packet) => partOf(packet, cause) > LEAST_MS));
  const line = (cause: Cause): ChartLine => ({
    name: cause.name,
    colour: cause.colour,
    solid: true,
    stepped: true,
    textAt: (place) => {
      const packet = packets[place ?? -1];
      return packet?.delay_by_cause == null ? undefined : milliseconds(partOf(packet, cause));
    },
  });
  const sums = packets.map((packet) => {
    let sum = 0;
    return shown.map((cause) => (packet.delay_by_cause === null ? null : (sum += partOf(packet, cause))));
  });
  const lag: ChartLine[] =
    due === undefined
      ? []
      : [
          {
            name: 'due',
            colour: '--ink',
            dash: [6, 4],
            textAt: (place) => (place === undefined ? undefined : milliseconds(lagAt(due, packets[place]?.tick ?? 0))),
          },
        ];
  const order = shown.map((_, place) => shown.length - 1 - place);
  return {
    key: `${shown.map(({ id }) => id).join()} ${due === undefined}`,
    ...overTime(
      'Delay of each packet, ms',
      [
        timesOf(packets),
        ...order.map((place) => sums.map((sum) => sum[place] ?? null)),
        ...(due === undefined ? [] : [packets.map(({ tick }) => lagAt(due, tick))]),
      ] as AlignedData,
      milliseconds,
    ),
    lines: [...order.map((place) => line(shown[place] as Cause)), ...lag],
    look: { times: window(data), least: 20, clipsOutliers: true, under: (context, x, _top, bottom, colour) => markLost(data, context, x, bottom, colour) },
    ...(data.lost === 0 ? {} : { note: html`<i class="lost-key">▮</i> lost` }),
  };
}

function markLost(
  { packets }: LinkData,
  context: CanvasRenderingContext2D,
  x: (time: number) => number,
  bottom: number,
  colour: (name: string) => string,
): void {
  context.fillStyle = colour('--bad');
  for (const { fate, tick, lost_by: by } of packets) if (by !== null || fate === 'lost') context.fillRect(x(tick / lab.tickRate), bottom - MARK_PX, 2, MARK_PX);
}

/** The wait that each packet met, which is how full the queue was when it came; in ms, and in bytes at the link's rate. */
function queueChart(data: LinkData): LineChart {
  const { packets, capacityKbps, longestQueueMs } = data;
  let wait: number | null = null;
  // Of a packet that was lost later the wait is not told: it was about that of the one before.
  const waits = packets.map(({ delay_by_cause: parts, lost_by: by }) => (wait = by === 'queue' ? (longestQueueMs ?? null) : (parts?.['queue'] ?? wait)));
  const bytes = (ms: number): string => (capacityKbps === undefined ? '' : `${count((ms * capacityKbps) / 8)} B`);
  const textAt = (place?: number): string | undefined => {
    const wait = waits[place ?? -1];
    return wait == null ? undefined : `${milliseconds(wait)}${capacityKbps === undefined ? '' : `, ${bytes(wait)}`}`;
  };
  const isFull = waits.some((wait) => wait !== null && longestQueueMs !== undefined && wait > longestQueueMs / 2);
  const full: ChartLine[] = isFull ? [{ name: `full at ${count(longestQueueMs ?? 0)} ms`, colour: '--warm', dash: [6, 4] }] : [];
  return {
    key: `${isFull} ${capacityKbps}`,
    ...overTime(
      capacityKbps === undefined ? 'Queue, ms' : 'Queue, ms and bytes',
      [timesOf(packets), waits, ...(isFull ? [packets.map(() => longestQueueMs ?? null)] : [])] as AlignedData,
      milliseconds,
    ),
    lines: [{ name: 'waiting', colour: '--cause-queue', solid: true, stepped: true, textAt }, ...full],
    look: { times: window(data), least: 10, beside: capacityKbps === undefined ? undefined : bytes },
  };
}

function rateChart(data: LinkData): LineChart {
  const { rates, capacityKbps, lane } = data;
  const { times, offered, arrived } = rates;
  const rateAt = (values: readonly number[]) => (place?: number) => {
    const value = values[place ?? -1];
    return value === undefined ? undefined : rateText(value);
  };
  // A capacity far above would lay both lines on the floor.
  const isFar = capacityKbps !== undefined && capacityKbps > FAR * Math.max(...offered, 1);
  const drawn = isFar ? undefined : capacityKbps;
  const capacity: ChartLine[] = drawn === undefined ? [] : [{ name: `capacity, ${rateText(drawn)}`, colour: '--warm', dash: [6, 4] }];
  const far = isFar ? [`capacity is far above, ${rateText(capacityKbps)}`] : [];
  const shared = capacityKbps !== undefined && Number(lab.state[lane]?.neighbour ?? 0) > 0 ? ['a neighbour’s download takes a part of it'] : [];
  return {
    key: `${drawn}`,
    ...overTime('Offered and delivered, kbit/s', [times, offered, arrived, ...(drawn === undefined ? [] : [times.map(() => drawn)])] as AlignedData, rateText),
    lines: [
      { name: 'offered', colour: '--ink', fill: true, textAt: rateAt(offered) },
      { name: 'delivered', colour: '--sound', textAt: rateAt(arrived) },
      ...capacity,
    ],
    look: { times: window(data), least: 10, clipsOutliers: true },
    note: [...far, ...shared].join('; '),
  };
}

function becameOf({ packets, delays, losses, lost, open, due }: LinkData) {
  const share = (of: number): string => `${percent(of / packets.length)} of ${count(packets.length)}`;
  const late = due === undefined || due.adapts ? undefined : laterThan(delays, due.offsetMs + due.delayMs);
  const lateAdaptive = due?.adapts === true ? packets.filter((packet) => (delayOf(packet) ?? 0) > lagAt(due, packet.tick)).length : undefined;
  return html`<dl class="counters">
    ${figure('arrive', count(delays.length), share(delays.length))}
    ${lost === 0 ? figure('lost', '0', 'none of these') : losses.map(({ name, packets: of }) => figure(name, count(of), share(of)))}
    ${due === undefined ? nothing : figure('late', count(late ?? lateAdaptive ?? 0), `${share(late ?? lateAdaptive ?? 0)}: they arrive after the instant at which they are due. A late packet can still be of use`)}
    ${open === 0 ? nothing : figure('still open', count(open), 'their way is not known yet')}
  </dl>`;
}
