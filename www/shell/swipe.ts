// A swipe that begins on a slider scrolls the page: the slider takes a finger's place only when the finger is lifted, or moves along it.

/** Farther than this along the slider a finger sets it, CSS px. */
const ALONG_PX = 6;

/** A finger on a slider that may still scroll. */
let touched: { slider: HTMLInputElement; before: string; x: number } | undefined;

export function listenToSwipes(): void {
  const decide = (): void => {
    const slider = touched?.slider;
    touched = undefined;
    slider?.dispatchEvent(new Event('input', { bubbles: true }));
  };
  window.addEventListener('pointerdown', ({ pointerType, target, clientX: x }) => {
    const isSlider = target instanceof HTMLInputElement && target.type === 'range';
    if (isSlider && pointerType === 'touch') touched = { slider: target, before: target.value, x };
  });
  window.addEventListener('pointermove', ({ clientX }) => touched !== undefined && Math.abs(clientX - touched.x) > ALONG_PX && decide());
  window.addEventListener('pointerup', decide);
  window.addEventListener('pointercancel', () => {
    if (touched !== undefined) touched.slider.value = touched.before;
    touched = undefined;
  });
  window.addEventListener('input', (event) => touched !== undefined && event.target === touched.slider && event.stopImmediatePropagation(), true);
}
