// Files for the person to keep.

import { lab } from '../lab';

/** Saves a file, named after the scene and the tick. */
export function download(extension: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `snapshot-lab-${lab.a.scene}-${lab.now.a.tick}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
