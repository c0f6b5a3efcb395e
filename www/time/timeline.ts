// The newest minute as a line: where we are in it, and the ways to other instants of it.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { DrawnElement } from '../figures/drawing';
import { overrideByKey } from '../figures/override';
import { lab } from '../lab';
import { button } from '../shell/button';
import { speak } from '../shell/parts';
import { strategy, strategyRow } from '../shell/strategy';
import { QueueOverTime } from './timeline-queue';

const LOOP_S = 3;
const MARK_EVERY_MS = 500;
/** Width of the slider's thumb, whose middle does not reach the slider's ends. */
const THUMB_PX = 16;
/** Height of a correction of 9 mm; one of 99 mm is twice as tall. */
const CORRECTION_PX = 4;

/** Darkness of a column by the change of the speed of play, at most. */
const SPEED_ALPHA = 8;
const MOST_ALPHA = 0.5;
/** Height of a full queue, above the marks of lost packets. */
const QUEUE_PX = 8;

type Event = 'loss' | 'hitch' | 'freeze' | 'pop';

const events: Record<Event, string> = { loss: 'lost packet', hitch: 'hitch', freeze: 'freeze', pop: 'visible correction' };

@customElement('lab-timeline')
export class Timeline extends DrawnElement {
  @state() private event: Event = 'loss';
  /** A few words, and the instant that they are of: they go when time goes on. */
  @state() private said = { words: '', at: 0 };
  private markedAt = 0;
  private readonly queue = new QueueOverTime();

  protected override render() {
    const { at, first, last } = lab.now;
    const failed = lab.failure !== undefined;
    const chosen = strategy() !== 'sync' && this.event === 'pop' ? 'loss' : this.event;
    const said = this.said.at === at ? this.said.words : '';
    const travels = lab.now.progress === 'travelling';
    return html`
      <div class="tape-line">
        <span class="clock">${lab.now.a.time_s.toFixed(2)} s</span>
        <div class="tape-box">
        <input
          type="range"
          class="tape"
          min=${first}
          max=${Math.max(last, first + 1)}
          step="1"
          ?disabled=${failed}
          .value=${String(at)}
          aria-label="Instant that is shown"
          aria-valuetext=${speak('tape', `${seconds(at)} of ${seconds(last)}, ${seconds(last - at)} before the newest`, lab.running || at)}
          aria-keyshortcuts="x s"
          title="${seconds(last - first)} recorded; red, above: the view was frozen; grey, below: lost packets; line: an adaptive playout delay; yellow: the queue; columns: corrections"
          @keydown=${(event: KeyboardEvent) => this.say(overrideByKey(event) ?? this.said.words)}
          @input=${(input: InputEvent) => lab.seek(Number((input.target as HTMLInputElement).value))}
        />
        <canvas aria-hidden="true"></canvas>
        </div>
        <span class="marks-key" aria-hidden="true"
          ><i class="still-key"></i>frozen <i></i>lost${strategy() === 'game' ? html` <i class="corrected-key"></i>corrected` : nothing}</span
        >
        <span class="told">
          <span role="status">${said}</span>
          ${this.progress() ?? (at === last || said !== '' ? nothing : html`<span class="where">${seconds(last - at)} before the newest</span>`)}
        </span>
      </div>
      <div class="instants">
        ${travels ? button('Stop here', () => lab.apply({ time: 'stop_going' })) : nothing}
        ${button('⇥', () => this.newest(), { disabled: failed || at === last, label: 'Newest', title: 'To the newest instant' })}
        ${
          travels
            ? nothing
            : html`<div class="buttons" role="group" aria-label="Go to an event">
                  ${button('‹', () => this.find(chosen, false), { disabled: failed, label: `Previous ${events[chosen]}`, title: `Previous ${events[chosen]}` })}
                  <select aria-label="Event" @change=${(change: globalThis.Event) => (this.event = (change.target as HTMLSelectElement).value as Event)}>
                    ${Object.entries(events)
                      .filter(([event]) => event !== 'pop' || strategy() === 'sync')
                      .map(([event, name]) => html`<option value=${event} ?selected=${event === chosen}>${name}</option>`)}
                  </select>
                  ${button('›', () => this.find(chosen, true), { disabled: failed, label: `Next ${events[chosen]}`, title: `Next ${events[chosen]}` })}
                </div>
                <label class="check"
                  ><input
                    type="checkbox"
                    aria-label="Loop last 3 s"
                    .checked=${lab.loop !== undefined}
                    @change=${(change: globalThis.Event) => this.loop(change)}
                  />
                  Loop 3 s</label
                >`
        }
        ${lab.now.can_undo ? button('Undo driving on', () => this.undo()) : nothing}
      </div>
    `;
  }

  protected override updated(): void {
    // Every tick of a minute is asked: twice a second while it runs is enough.
    const now = performance.now();
    if (lab.running && now - this.markedAt < MARK_EVERY_MS) return;
    this.markedAt = now;
    super.updated();
  }

  /** Freezes along the top, lost packets at the bottom; between them an adaptive playout delay, or a hand’s corrections by size. */
  protected override draw(context: CanvasRenderingContext2D, width: number, colour: (name: string) => string): void {
    const { first, last } = lab.now;
    const { lost, still } = lab.ask({ troubles: { ticks: last - first } });
    const each = (width - THUMB_PX) / Math.max(last - first, 1);
    const x = (tick: number): number => THUMB_PX / 2 + (tick - first) * each;
    const height = context.canvas.clientHeight;
    context.fillStyle = colour('--bad');
    // A mark a pixel, here and below: a minute of 240 packets a second can lose most of them.
    let drawn = -1;
    for (const { from, to } of still) {
      const begin = x(Math.max(from, first));
      const end = x(to + 1);
      if (to < first || end < drawn + 1) continue;
      context.fillRect(begin, 0, Math.max(end - begin, 2), 5);
      drawn = end;
    }
    this.markQueue(context, each, colour);
    this.markPlayout(context, each, colour);
    context.fillStyle = colour('--ink');
    for (const { at, mm } of lab.now.a.strategy === 'game' ? lab.ask({ corrections: { lane: 'a' } }) : []) {
      const tall = Math.min(Math.log10(1 + mm) * CORRECTION_PX, height - 6);
      if (at >= first) context.fillRect(x(at), height - 3 - tall, 1.5, tall);
    }
    context.fillStyle = colour('--muted');
    let marked = -3;
    for (const tick of lost) {
      const pixel = Math.round(x(tick));
      if (tick < first || pixel < marked + 3) continue;
      context.fillRect(pixel, height - 5, 2, 5);
      marked = pixel;
    }
  }

  /** The wait in the bottleneck's queue, under everything else. */
  private markQueue(context: CanvasRenderingContext2D, each: number, colour: (name: string) => string): void {
    const waits = this.queue.read();
    const scale = QUEUE_PX / Math.max(Number(lab.a.queue), 1);
    const bottom = context.canvas.clientHeight - 3;
    context.fillStyle = colour('--cause-queue');
    const step = Math.max(Math.floor(1 / each), 1);
    for (const [index, { tick, ms }] of waits.entries()) {
      if (index % step !== 0) continue;
      const height = Math.min(ms * scale, QUEUE_PX);
      context.fillRect(THUMB_PX / 2 + (tick - lab.now.first) * each, bottom - height, Math.max(each, 1), height);
    }
  }

  /** The delay as a line, from 0 to its greatest; a column is darker, the more the speed of play differs from 1. */
  private markPlayout(context: CanvasRenderingContext2D, each: number, colour: (name: string) => string): void {
    const { first, last } = lab.now;
    if (lab.a[strategyRow().delay_key] !== 'adaptive') return;
    const playout = lab.ask({ playout: { lane: 'a', ticks: last - first } });
    if (playout === undefined) return;
    const bottom = context.canvas.clientHeight - 4;
    const scale = (bottom - 4) / playout.delay_ms.reduce((most, ms) => Math.max(most, ms), 1);
    context.save();
    context.fillStyle = colour('--ink');
    // A column a pixel, as above.
    const step = Math.max(Math.floor(1 / each), 1);
    playout.delay_ms.forEach((delayMs, index) => {
      const tick = playout.first + index;
      if (tick < first || tick % step !== 0) return;
      const x = THUMB_PX / 2 + (tick - first) * each;
      const y = bottom - delayMs * scale;
      context.globalAlpha = Math.min(Math.abs((playout.speed[index] ?? 1) - 1) * SPEED_ALPHA, MOST_ALPHA);
      context.fillRect(x, y, Math.max(each, 1), bottom - y);
      context.globalAlpha = 1;
      context.fillRect(x, y, Math.max(each, 1), 1);
    });
    context.restore();
  }

  /**
   * The progress of a rebuild, during which figures may still be of the settings before. It stands in place of our instant:
   * another line would push the figures down.
   */
  private progress() {
    const { progress, done, of } = lab.now;
    if (progress === 'done') return undefined;
    const percent = of > 0 ? Math.floor((100 * Math.min(done, of)) / of) : 0;
    if (progress === 'travelling') return html`<span class="making">On the way to the instant: ${percent} %</span>`;
    const now = { stale: 'Views and figures are still of the settings before', provisional: 'Views and figures are right for the last second' }[progress];
    return html`<span class="making" title="${now}; the rest is being worked out">worked out: ${percent} %</span>`;
  }

  private say(words: string): void {
    this.said = { words, at: lab.now.at };
  }

  /** Brings back the later ticks. The line takes the focus, because Undo's button disappears. */
  private undo(): void {
    lab.undo();
    this.querySelector<HTMLElement>('.tape')?.focus();
  }

  private newest(): void {
    lab.loop = undefined;
    lab.seek(lab.now.last);
  }

  private find(event: Event, forward: boolean): void {
    const found = lab.find(event, forward);
    this.say(found ? `${events[event]} at ${seconds(lab.now.at)}` : `no ${forward ? 'later' : 'earlier'} ${events[event]} is recorded`);
  }

  private loop(change: globalThis.Event): void {
    const on = (change.target as HTMLInputElement).checked;
    lab.setLoop(on ? LOOP_S * lab.tickRate : undefined);
    if (on) lab.pause(false);
  }
}

function seconds(ticks: number): string {
  return `${(ticks / lab.tickRate).toFixed(2)} s`;
}
