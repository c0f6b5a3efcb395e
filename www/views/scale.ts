// The scale of the views: pixels of this screen that a millimetre covers where the camera looks.

import { signal } from '@preact/signals-core';
import { measure } from '../shell/format';

/** Pixels a millimetre; 0 before a picture is drawn. */
export const pxPerMm = signal(0);

/** A length in mm and in pixels of this screen: "3.0 mm, 0.8 pixels". */
export function lengthText(mm: number): string {
  const scale = pxPerMm.value;
  return `${measure(mm)} mm${scale === 0 ? '' : `, ${measure(mm * scale)} pixels`}`;
}
