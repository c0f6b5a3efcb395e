
/** Loads the rest of the program, once, so that no call has to wait for it. After a failure the next call tries again. */
export function loadRest(): Promise<void>;
/** Returns true once the rest is there: then no call has to wait. */
export function hasRest(): boolean;
/** Adds the compiled rest to the first part. */
export function addRest(module: WebAssembly.Module): void;
