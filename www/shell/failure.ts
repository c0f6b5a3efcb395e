// What the browser throws, in words.

/** Returns true if memory ran out. Rust ends with a trap, without a panic before it, when an allocation fails. */
export function isOutOfMemory(error: unknown): boolean {
  if (error instanceof RangeError) return /alloc|out of memory/i.test(error.message);
  // Where there is no WebAssembly, nothing that it throws is to be told apart either.
  return typeof WebAssembly !== 'undefined' && error instanceof WebAssembly.RuntimeError && /unreachable/i.test(error.message);
}

export function inWords(error: unknown): string {
  if (isOutOfMemory(error)) return 'The browser has no memory left for this page: close other tabs, and reload it';
  return error instanceof Error ? error.message : String(error);
}
