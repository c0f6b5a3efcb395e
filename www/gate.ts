// The one gate between the page and the wasm: a call that traps ends in a sentence, and after it none goes through.

/** Error in place of a call after the laboratory has stopped. The page has told the failure already. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** Returns true if a call was refused in words; every other error ends the laboratory. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof Stopped) && !isTrap(error);
}

function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

export interface Gate {
  isShut(): boolean;
  /** Shuts it for good, and says why. */
  shut(error: unknown): void;
}

/** A handle of the wasm behind a gate. */
export function gated<T extends object>(handle: T, gate: Gate): T {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(handle, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const made = methods.get(name) ?? behind(value as (...all: unknown[]) => unknown, target, gate);
      methods.set(name, made);
      return made;
    },
  });
}

function behind(call: (...all: unknown[]) => unknown, target: object, gate: Gate) {
  return (...all: unknown[]): unknown => {
    if (gate.isShut()) throw new Stopped();
    try {
      return Reflect.apply(call, target, all);
    } catch (error) {
      if (!isTrap(error)) throw error;
      gate.shut(error);
      throw new Stopped();
    }
  };
}

/** A call at the gate may be anywhere in the page: what it throws ends there, in silence. */
export function ignoreStopped(): void {
  window.addEventListener('error', (event) => event.error instanceof Stopped && event.preventDefault());
  window.addEventListener('unhandledrejection', (event) => event.reason instanceof Stopped && event.preventDefault());
}
