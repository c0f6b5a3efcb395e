// How the browser is started, by the tests and by the benchmarks.

/** `cargo xtask` looks for one and names it here. */
export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const args = [
  '--no-sandbox',
  // Chromium no longer falls back to software WebGL by itself.
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Software WebGL for the views alone. Used for the page around them as well, a frame took three times as long.
  '--disable-gpu-compositing',
  // Pages of a context share a process, and so the wasm that it has compiled (contexts.ts).
  '--process-per-site',
  // No word to anyone outside this machine.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
