// Files for the person to keep.

import { lab } from '../lab';
import { save } from './save';

/** Saves a file, named after the scene and the tick. */
export function download(extension: string, file: Blob): void {
  save(`snapshot-lab-${lab.a.scene}-${lab.now.a.tick}.${extension}`, file);
}
