// What this machine can draw with.

export type Gpu = 'none' | 'software' | 'hardware';

let probed: Gpu | undefined;

/** Asks a throw-away canvas once, because attributes like smooth edges are fixed when a context exists. */
export function gpu(): Gpu {
  return (probed ??= probe());
}

function probe(): Gpu {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return 'none';
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer) ? 'software' : 'hardware';
}
