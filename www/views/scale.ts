// The scale of the views: pixels of this screen that a millimetre covers where the camera looks.

import { signal } from '@preact/signals-core';
import { measure } from '../shell/format';

/** Pixels a millimetre; 0 before a picture is drawn. */
export const pxPerMm = signal(0);

/** A length in pixels of this screen, behind another figure: ", 0.8 pixels"; nothing before a picture is drawn. */
export function pixelText(mm: number): string {
  const scale = pxPerMm.value;
  return scale === 0 ? '' : `, ${measure(mm * scale)} pixels`;
}
