// Presenting: a figure fills the screen under its question; a key plays it and shows the number; the next one goes on.

/** The figure on the screen, with its question alone or with the motion and the number. */
export interface Slide {
  readonly figure: number;
  readonly isShown: boolean;
}

// A clicker sends the keys of pages.
const ON = ['ArrowRight', 'PageDown', ' ', 'Enter'];
const BACK = ['ArrowLeft', 'PageUp', 'Backspace'];

/** The slide after a key; undefined where presenting ends, and the same slide where the key means nothing. */
export function slideAfter(slide: Slide, key: string, count: number): Slide | undefined {
  if (key === 'Escape') return undefined;
  if (ON.includes(key)) {
    if (!slide.isShown) return { ...slide, isShown: true };
    return slide.figure + 1 < count ? { figure: slide.figure + 1, isShown: false } : slide;
  }
  if (BACK.includes(key)) {
    if (slide.isShown) return { ...slide, isShown: false };
    return slide.figure > 0 ? { figure: slide.figure - 1, isShown: true } : slide;
  }
  return slide;
}

/** A figure that can fill the screen. */
export interface Presented extends HTMLElement {
  present(slide: Slide | undefined): void;
}

/** Presents the figures of the page from one of them on. */
export function present(first: Presented, figures: readonly Presented[]): void {
  let slide: Slide = { figure: Math.max(0, figures.indexOf(first)), isShown: false };
  const put = (next: Slide | undefined): void => {
    if (next?.figure !== slide.figure) figures[slide.figure]?.present(undefined);
    if (next === undefined) {
      removeEventListener('keydown', press, true);
      document.removeEventListener('fullscreenchange', left);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
      figures[slide.figure]?.scrollIntoView({ block: 'center' });
      return;
    }
    slide = next;
    figures[slide.figure]?.present(slide);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = slideAfter(slide, event.key, figures.length);
    if (next === slide) return;
    event.preventDefault();
    event.stopPropagation();
    put(next);
  };
  const left = (): void => {
    if (document.fullscreenElement === null) put(undefined);
  };
  addEventListener('keydown', press, true);
  put(slide);
  // Where a screen cannot be filled, the window is.
  document.documentElement
    .requestFullscreen?.()
    .then(() => document.addEventListener('fullscreenchange', left))
    .catch(() => undefined);
}
