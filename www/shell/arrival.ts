// The simulation on its way: its file's bytes, told as they come, and sentences with advice where it cannot be started.

import { inWords } from './failure';

/** Length of the unpacked file, which the build knows and a host may not say. */
const ALL_BYTES = import.meta.env.WASM_BYTES;
/** The shortest module with an instruction of SIMD. */
const WITH_SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const NEWER = 'Take a newer one: Chrome or Edge 91, Firefox 89, Safari 16.4, or later';

export class Arrival {
  private bytes = 0;
  private status = 200;
  private isWhole = false;

  /** Fetches the simulation, and tells how many of its bytes are there. */
  async fetch(tell: (bytes: number, of: number) => void): Promise<Response> {
    this.bytes = 0;
    tell(0, ALL_BYTES);
    if (typeof WebAssembly === 'undefined') throw new Error(`this browser runs no WebAssembly, or its settings forbid it. ${NEWER}`);
    if (!WebAssembly.validate(new Uint8Array(WITH_SIMD))) throw new Error(`this browser’s WebAssembly has no SIMD, in which the simulation computes. ${NEWER}`);
    const response = await fetch(new URL('../../pkg/snapshot_web_bg.wasm', import.meta.url));
    this.status = response.status;
    if (!response.ok || response.body === null) throw new Error();
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, out) => {
        this.bytes += part.length;
        tell(this.bytes, ALL_BYTES);
        out.enqueue(part);
      },
      flush: () => void (this.isWhole = this.bytes >= ALL_BYTES),
    });
    return new Response(response.body.pipeThrough(counted), { headers: { 'Content-Type': 'application/wasm' } });
  }

  /** Returns true if the connection broke on the way: a network that changes ends all that is under way, and another try may succeed. */
  isCutOff(error: unknown): boolean {
    return this.status === 200 && !this.isWhole && error instanceof TypeError;
  }

  /** Says why the page could not be started, and what to do. */
  why(error: unknown): string {
    if (this.status !== 200) return `the host answers ${this.status} where the simulation’s file should be. A newer version may have come: reload the page`;
    if (error instanceof TypeError && /import|module script/i.test(error.message))
      return 'a script of the page could not be loaded. See to the connection, and reload the page';
    // Where there is no WebAssembly, its errors have no class.
    const isDamaged = error instanceof Error && error.name === 'CompileError';
    const isMissing = error instanceof TypeError || isDamaged;
    if (!this.isWhole && isMissing)
      return `only ${megabytes(this.bytes)} of the simulation’s ${megabytes(ALL_BYTES)} MB arrived. See to the connection, and reload the page`;
    if (isDamaged) return 'the simulation’s file is damaged. Reload the page; if that does not help, tell its host';
    return inWords(error);
  }
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
