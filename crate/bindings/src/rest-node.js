let isWhole = false;

/** Loads the rest within the first call that needs it. */
// biome-ignore lint/correctness/noUnusedVariables: the module that this text is written into calls it
function loadRestNow() {
  if (isWhole) return;
  const module = new WebAssembly.Module(readFileSync(new URL('NAME_rest.wasm', import.meta.url)));
  new WebAssembly.Instance(module, { ...__wbg_get_imports(), first: wasm });
  isWhole = true;
}
