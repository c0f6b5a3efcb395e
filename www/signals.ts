// Fields as signals, and work that follows them: who reads one while it renders or acts, does so again after each change.

import { effect, type Signal, signal, untracked } from '@preact/signals-core';

/** Makes a field of a class a signal. */
export function watched(prototype: object, name: PropertyKey): void {
  const signals = new WeakMap<object, Signal<unknown>>();
  const signalOf = (owner: object): Signal<unknown> => {
    const known = signals.get(owner) ?? signal<unknown>(undefined);
    signals.set(owner, known);
    return known;
  };
  Object.defineProperty(prototype, name, {
    get(this: object) {
      return signalOf(this).value;
    },
    set(this: object, value: unknown) {
      signalOf(this).value = value;
    },
  });
}

/** Acts now, and after each change of the signals that `read` reads. A fault in it stops nobody else. Returns how to end it. */
export function follow(read: () => unknown, act: () => void = () => {}): () => void {
  return effect(() => {
    try {
      read();
      untracked(act);
    } catch (error) {
      reportError(error);
    }
  });
}

/** Waits until something that is read from signals holds. */
export function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    effect(function () {
      if (!holds()) return;
      this.dispose();
      resolve();
    });
  });
}
