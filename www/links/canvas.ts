// A canvas as a file, or in the clipboard.

import { download } from '../shell/download';

/** Saves the canvas; returns what came of it in words. */
export async function savePicture(canvas: HTMLCanvasElement): Promise<string> {
  const file = await png(canvas);
  if (file === null) return 'The picture could not be made';
  download('png', file);
  return 'Picture saved';
}

/** Copies the canvas; returns what came of it in words. */
export async function copyPicture(canvas: HTMLCanvasElement): Promise<string> {
  const file = png(canvas).then((file) => file ?? Promise.reject(new Error()));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': file })]);
    return 'Picture copied';
  } catch {
    return 'The browser does not let it be copied: save it';
  }
}

function png(canvas: HTMLCanvasElement): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve));
}
