// What keys and touch mean. They act only where the views send them.

import { lab } from './lab';

/** The six keys of the original, as the laboratory's input bits, and one that is none of the player's. */
export const bits = { left: 1, right: 2, up: 4, down: 8, push: 16, pull: 32, cut: 64 } as const;

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

/** Input bits that are held down, each by something that can let go of them. */
class Held {
  private readonly by = new Map<string, number>();

  get bits(): number {
    let all = 0;
    for (const some of this.by.values()) all |= some;
    return all;
  }

  hold(by: string, some: number): void {
    this.by.set(by, some);
  }

  release(by: string): void {
    this.by.delete(by);
  }

  releaseAll(): void {
    this.by.clear();
  }
}

/** Keys, by their place on the keyboard. They are let go of when the views lose the focus. */
export const keysHeld = new Held();
/** The stick and the buttons. */
export const touchHeld = new Held();

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

export function keyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase();
  const drives = driveKeys[key];
  const command = commands[key];
  if (drives !== undefined) keysHeld.hold(event.code, drives);
  else if (command !== undefined && !event.repeat) command();
  else if (/^[1-9]$/.test(key)) choosePlace(Number(key));
  else if (command === undefined) return;
  event.preventDefault();
}

export function keyUp(event: KeyboardEvent): void {
  keysHeld.release(event.code);
}
