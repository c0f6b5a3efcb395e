// For a projector: big type, the views, one figure and one sentence. Full screen where the browser allows it. A lecture is known by its
// minutes.

const root = document.documentElement;

export function isPresenting(): boolean {
  return root.dataset['present'] !== undefined;
}

/** The minutes of the lecture that is presented; undefined where none is. */
export function lecture(): number | undefined {
  return isPresenting() ? Number(root.dataset['present']) : undefined;
}

export function present(minutes: number): void {
  root.dataset['present'] = String(minutes);
  // Whoever refuses it still has the big type.
  root.requestFullscreen?.().catch(() => {});
}

export function stopPresenting(): void {
  if (!isPresenting()) return;
  delete root.dataset['present'];
  if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
}

document.addEventListener('fullscreenchange', () => {
  if (document.fullscreenElement === null) stopPresenting();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') stopPresenting();
});
