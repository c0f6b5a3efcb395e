// What this machine can draw with.

export type Gpu = 'none' | 'software' | 'hardware';

/** Asks a canvas that is thrown away: attributes such as smooth edges are fixed once a context exists. */
export function probeGpu(): Gpu {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return 'none';
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer) ? 'software' : 'hardware';
}

/** Slower frames than this, most of the time, and something has to go. */
const SLOW_MS = 25;
const FRAMES_JUDGED = 90;

/** Watches frames, and calls back each time when too many of them were slow. */
export class SlowFrames {
  private frames = 0;
  private slow = 0;

  constructor(private readonly tooSlow: () => void) {}

  add(elapsedMs: number): void {
    // A tab that was away, or a page that was busy loading, says nothing about drawing.
    if (elapsedMs > 500) return;
    this.frames += 1;
    if (elapsedMs > SLOW_MS) this.slow += 1;
    if (this.frames < FRAMES_JUDGED) return;
    if (this.slow > FRAMES_JUDGED / 2) this.tooSlow();
    this.frames = this.slow = 0;
  }
}
