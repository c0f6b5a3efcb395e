const restUrl = new URL('NAME_rest.wasm', import.meta.url);
let isWhole = false;
let rest;

/** Returns true once the rest is there: then no call has to wait. */
export function hasRest() {
  return isWhole;
}

/** Adds the compiled rest to the first part. */
export function addRest(module) {
  if (isWhole) return;
  new WebAssembly.Instance(module, { ...__wbg_get_imports(), first: wasm });
  isWhole = true;
}

/** Loads the rest, once. After a failure the next call tries again. */
export function loadRest() {
  rest ??= fetchRest().catch((error) => {
    rest = undefined;
    throw error;
  });
  return rest;
}

async function fetchRest() {
  if (isWhole) return;
  const imports = { ...__wbg_get_imports(), first: wasm };
  await __wbg_load(await fetch(restUrl, { priority: 'low' }), imports);
  isWhole = true;
}

/** Loads the rest within a call that needs it, which waits. The first part's state is lost where that fails, as after a trap. */
// biome-ignore lint/correctness/noUnusedVariables: the module that this text is written into calls it
function loadRestNow() {
  if (isWhole) return;
  let response;
  try {
    const request = new XMLHttpRequest();
    request.open('GET', restUrl, false);
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    if (request.status === 200) response = request.responseText;
  } catch {
    // Below.
  }
  if (response === undefined) throw new WebAssembly.RuntimeError('a part of the page could not be loaded');
  addRest(new WebAssembly.Module(Uint8Array.from(response, (character) => character.charCodeAt(0))));
}
