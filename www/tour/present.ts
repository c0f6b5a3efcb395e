// For a projector: big type, the views, one figure and one sentence. Full screen where the browser allows it.

const root = document.documentElement;

export function isPresenting(): boolean {
  return root.dataset['present'] !== undefined;
}

export function togglePresenting(on = !isPresenting()): void {
  if (on === isPresenting()) return;
  if (on) {
    root.dataset['present'] = '';
    // Whoever refuses it still has the big type.
    root.requestFullscreen?.().catch(() => {});
  } else {
    delete root.dataset['present'];
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => {});
  }
}

document.addEventListener('fullscreenchange', () => {
  if (document.fullscreenElement === null) togglePresenting(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') togglePresenting(false);
});
