// A link as a QR code, where it is short enough for the camera of a phone.

import { correction, generate } from 'lean-qr';

/** Longest link, characters: version 25 at level L, whose modules a phone's camera tells apart on a screen. */
const MOST = 1_000;
/** Empty modules around it, as the standard asks. */
const QUIET = 4;

/** Draws a link. Returns false if it is too long. */
export function drawQr(canvas: HTMLCanvasElement, link: string): boolean {
  if (link.length > MOST) return false;
  const code = generate(link, { maxCorrectionLevel: correction.L, minCorrectionLevel: correction.L });
  code.toCanvas(canvas, { on: [0, 0, 0, 255], off: [255, 255, 255, 255], pad: QUIET });
  return true;
}
