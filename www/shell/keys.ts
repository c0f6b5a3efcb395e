// What keys and touch mean, and where keys belong to something else.

import { lab } from '../lab';
import { tables } from '../tables';
import { sharing } from '../time/sharing';

/** The laboratory's input bits of the six keys, and one of the page that cuts the network. */
export const bits = { ...tables().input_bits, cut: 64 } as const;

const driveKeys: Readonly<Record<string, number>> = {
  arrowleft: bits.left,
  a: bits.left,
  arrowright: bits.right,
  d: bits.right,
  arrowup: bits.up,
  w: bits.up,
  arrowdown: bits.down,
  s: bits.down,
  ' ': bits.push,
  z: bits.pull,
  c: bits.cut,
};

/** Keys of the second hand while it steers the rival. */
const rivalKeys: Readonly<Record<string, number>> = { a: bits.left, d: bits.right, w: bits.up, s: bits.down, e: bits.push, q: bits.pull };
/** Place of the rival's bits beside the hand's. */
const RIVAL_SHIFT = 8;

/** Longest time for which a tap waits for a tick, ms: while the world stands still, none comes. */
const TAP_MS = 250;

interface Hold {
  bits: number;
  /** True once a tick has had the bits. */
  isUsed: boolean;
  /** Time of letting go, if no tick had the bits until then. */
  releasedMs: number | undefined;
}

/** Input bits that are held down, each by something that can let go of them. A tap between two ticks counts in the next one. */
class Held {
  private readonly by = new Map<string, Hold>();

  get bits(): number {
    const now = performance.now();
    let all = 0;
    for (const { bits, releasedMs } of this.by.values()) if (releasedMs === undefined || now - releasedMs < TAP_MS) all |= bits;
    return all;
  }

  hold(by: string, some: number): void {
    const before = this.by.get(by);
    const isUsed = before?.releasedMs === undefined && before?.isUsed === true;
    this.by.set(by, { bits: some, isUsed, releasedMs: undefined });
  }

  release(by: string): void {
    const hold = this.by.get(by);
    if (hold?.isUsed === false) hold.releasedMs ??= performance.now();
    else this.by.delete(by);
  }

  /** Says that a tick has had the bits. */
  onTick(): void {
    for (const [by, hold] of this.by) {
      hold.isUsed = true;
      if (hold.releasedMs !== undefined) this.by.delete(by);
    }
  }

  releaseAll(): void {
    this.by.clear();
  }
}

/** Keys, by their place on the keyboard. They are let go of when the page or a field takes the focus. */
export const keysHeld = new Held();
/** The stick and the buttons. */
export const touchHeld = new Held();

/** Says that a tick has had the bits of keys and touch. */
export function onKeysUsed(): void {
  keysHeld.onTick();
  touchHeld.onTick();
}

const commands: Readonly<Record<string, () => void>> = {
  p: () => lab.pause(lab.running),
  k: () => lab.pause(lab.running),
  '.': () => lab.step(),
  ',': () => lab.stepBack(),
  '[': () => changeSpeed(-1),
  ']': () => changeSpeed(1),
  r: () => lab.restart(),
  '?': () => document.querySelector<HTMLDialogElement>('#help')?.showModal(),
};

const speeds = [0.1, 0.2, 0.5, 1, 1.5, 2];

/** To the next slower (-1) or faster (1) speed. */
export function changeSpeed(direction: -1 | 1): void {
  const next = direction > 0 ? speeds.find((speed) => speed > lab.speed) : speeds.findLast((speed) => speed < lab.speed);
  if (next !== undefined) lab.set('speed', String(next));
}

/** Chooses the preset at a place, from 1, of the group that is shown. */
let choosePlace = (_place: number): void => {};
export function onPresetKey(choose: (place: number) => void): void {
  choosePlace = choose;
}

/** Letters and arrows mean something else there. */
const OWN_KEYS = 'dialog, textarea, select, input:not([type=checkbox]), [contenteditable], [role=slider], [role=separator], [role=radiogroup], [role=tablist]';
/** Elements that Space and Enter press. */
const PRESSED = 'button, a[href], summary, input[type=checkbox]';

/** Returns true if a key is for the focused element. */
function isForFocus(key: string): boolean {
  const { activeElement } = document;
  if (document.querySelector('dialog[open]') !== null || activeElement?.closest(OWN_KEYS) != null) return true;
  return (key === ' ' || key === 'enter') && activeElement?.closest(PRESSED) != null;
}

/** Listens to keys wherever the focus is, except on an element with keys of its own. */
export function listenToKeys(): void {
  window.addEventListener('keydown', keyDown);
  void showLetters();
  // While a Mac's command key is down, no key's release is told.
  window.addEventListener('keyup', ({ code, key }) => (key === 'Meta' ? keysHeld.releaseAll() : keysHeld.release(code)));
  // Another window hears the release.
  window.addEventListener('blur', () => {
    keysHeld.releaseAll();
    touchHeld.releaseAll();
  });
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.closest(OWN_KEYS) !== null) keysHeld.releaseAll();
  });
  // A button pressed with the mouse has done its work: Space is for the cube again.
  document.addEventListener('click', ({ target, detail }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>(PRESSED) : null;
    if (detail > 0 && pressed !== null && pressed === document.activeElement && pressed.closest('dialog') === null) focusViews();
  });
  // A slider dragged by a pointer has done its work, too. Who moves it by keys keeps it.
  document.addEventListener('pointerup', ({ target }) => {
    if (!(target instanceof Element && target.matches('input[type=range]') && target.closest('dialog') === null)) return;
    setTimeout(() => target === document.activeElement && focusViews());
  });
}

/** Gives the views the focus; the page stays where it is. */
export function focusViews(): void {
  document.querySelector<HTMLElement>('.screen canvas')?.focus({ preventScroll: true });
}

/** Signs of keys by their places, for layouts that have other signs there. */
const SIGNS: Readonly<Record<string, string>> = { Comma: ',', Period: '.', BracketLeft: '[', BracketRight: ']' };
const LETTER = /^Key([A-Z])$/;

/**
 * Name of a pressed key: letters and digits by their place on the keyboard, in every layout. Signs are what they print, or what they
 * print on a keyboard of the United States where the layout's sign means nothing here.
 */
export function keyName({ key, code }: KeyboardEvent): string {
  const letter = LETTER.exec(code)?.[1]?.toLowerCase();
  if (letter !== undefined && (letter in driveKeys || letter in rivalKeys || letter in commands)) return letter;
  if (key in commands) return key;
  return letter ?? /^Digit(\d)$/.exec(code)?.[1] ?? SIGNS[code] ?? key.toLowerCase();
}

/** Letters of the person's own keyboard, by their keys, where the browser knows them. */
let layout: ReadonlyMap<string, string> | undefined;

/** Letters on the keys that have these in the United States. */
export function lettersAt(places: string): string {
  return [...places].map((place) => layout?.get(`Key${place}`)?.toUpperCase() ?? place).join(' ');
}

/** Reads the layout, and writes its letters on the drawn keys. */
async function showLetters(): Promise<void> {
  const { keyboard } = navigator as { keyboard?: { getLayoutMap?: () => Promise<ReadonlyMap<string, string>> } };
  layout = await keyboard?.getLayoutMap?.().catch(() => undefined);
  for (const kbd of document.querySelectorAll('kbd')) {
    const place = kbd.textContent ?? '';
    if (/^[A-Z]$/.test(place)) kbd.textContent = lettersAt(place);
  }
}

/** The input bits of a key that drives one cube; undefined for other keys, and where the key is for a focused field. */
export function driveBits(event: KeyboardEvent): number | undefined {
  const key = keyName(event);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForFocus(key) || key === 'c') return undefined;
  return driveKeys[key];
}

function keyDown(event: KeyboardEvent): void {
  const key = keyName(event);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForFocus(key)) return;
  const rival = lab.state.steers_rival && sharing.value === undefined ? rivalKeys[key] : undefined;
  const drives = rival === undefined ? driveKeys[key] : rival << RIVAL_SHIFT;
  const command = commands[key];
  if (drives !== undefined) keysHeld.hold(event.code, drives);
  else if (command !== undefined && !event.repeat) command();
  else if (/^[1-9]$/.test(key)) choosePlace(Number(key));
  else if (command === undefined) return;
  event.preventDefault();
}
