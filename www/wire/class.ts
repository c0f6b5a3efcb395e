// The teacher's part of a page that a host for a class serves: a row for each guest, the second hand by a click, and the keys of
// the first hand. The picture beside it is a guest's.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { GuestRow } from '../../pkg/snapshot_web';
import { button } from '../shell/button';
import { rateText } from '../shell/format';
import { keysHeld, onKeysUsed, touchHeld } from '../shell/keys';
import { LightElement } from '../shell/light-element';
import { visible } from '../shell/names';
import { Cell, table, tableRow, wide } from '../shell/parts';
import { WAY_HEADS, WAY_WORDS, wayCells } from './ways';

const ROWS_EVERY_MS = 1_000;
const KEYS_EVERY_MS = 33;
/** The host lets go of keys that do not come again within a second. */
const KEYS_AGAIN_MS = 300;
const VERSION = 1;

@customElement('lab-class')
export class ClassElement extends LightElement {
  @state() private rows: readonly GuestRow[] = [];
  @state() private said = 'Asking the host …';
  /** Proof that this page is the teacher's. The browser sends nothing behind `#`; the page sends it to the host alone. */
  private readonly token = /^#teacher=([0-9a-f]{32})$/.exec(location.hash)?.[1] ?? '';
  private isAsking = false;
  private isSending = false;
  private keys = 0;
  private keysMs = 0;

  protected override begins() {
    void this.ask();
    const rows = setInterval(() => void this.ask(), ROWS_EVERY_MS);
    const keys = setInterval(() => void this.steer(), KEYS_EVERY_MS);
    return [() => clearInterval(rows), () => clearInterval(keys)];
  }

  protected override render() {
    const names = [
      'Guest',
      'round trip',
      'loss',
      'screen age',
      'still a minute',
      new Cell('spare', 'corrections'),
      new Cell('spare', 'to the guest'),
      'blue cube',
    ];
    return html`<p role="status">${this.said}</p>
      ${wide(
        'Guests',
        table(
          'Guests',
          names,
          this.rows.map((row) => this.row(row)),
          'compared guests',
        ),
      )}
      <p class="caption">Your keys steer the first cube. While the blue cube is yours, they steer both.</p>
      <details>
        <summary>The measured way to each guest</summary>
        ${wide('Measured ways', table('Measured ways', ['', ...WAY_HEADS], this.here.map(way), 'compared measured'))}
        <p class="caption">${WAY_WORDS}</p>
      </details>`;
  }

  private get here(): readonly GuestRow[] {
    return this.rows.filter(({ status }) => status !== 'gone');
  }

  private row(row: GuestRow) {
    const { way, name, status, round_trip_ms: trip, lost_percent: lost, screen_age_ms: age, still_ms: still, corrections, kbps, has_hand: drives } = row;
    const who = visible(name);
    const isGone = status === 'gone';
    const ms = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} ms`);
    const give = (): void => void this.tell('./hand', { way }).then(() => this.ask());
    return tableRow(html`<bdi>${who}</bdi> <small>${isGone ? 'gone' : status === 'joining' ? 'joins' : ''}</small>`, [
      ms(trip),
      `${lost.toFixed(1)} %`,
      ms(age),
      ms(still),
      new Cell('spare', corrections ?? '–'),
      new Cell('spare', rateText(kbps)),
      drives ? 'drives' : isGone ? '' : button('Give', give, { label: `Give the blue cube to ${who}` }),
    ]);
  }

  /** Asks for the rows. */
  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    const answer = await asked(`./rows?token=${this.token}`);
    this.isAsking = false;
    if (Array.isArray(answer['rows'])) this.rows = answer['rows'] as GuestRow[];
    const here = this.here.length;
    this.said = wordsOf(answer) ?? `${here} guest${here === 1 ? '' : 's'} in the room.`;
  }

  /** Sends the pressed keys when they change, and again while they are held. */
  private async steer(): Promise<void> {
    const keys = keysHeld.bits | touchHeld.bits;
    const isNew = keys !== this.keys || (keys !== 0 && performance.now() > this.keysMs + KEYS_AGAIN_MS);
    if (!isNew || this.isSending) return;
    this.isSending = true;
    [this.keys, this.keysMs] = [keys, performance.now()];
    onKeysUsed();
    await this.tell('./keys', { keys });
    this.isSending = false;
  }

  private async tell(path: string, what: object): Promise<void> {
    const body = JSON.stringify({ version: VERSION, token: this.token, ...what });
    const words = wordsOf(await asked(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }));
    if (words !== undefined) this.said = words;
  }
}

function way(row: GuestRow) {
  return tableRow(html`<bdi>${visible(row.name)}</bdi>`, wayCells(row));
}

/** Returns the host's answer; without one an error in words. */
async function asked(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(path, { ...init, cache: 'no-store' });
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return { error: 'The host does not answer: it may have ended.' };
  }
}

function wordsOf({ error }: Record<string, unknown>): string | undefined {
  return typeof error === 'string' ? visible(error) : undefined;
}
