// Elements in sight: what nobody sees is neither drawn nor worked out.

/** Tells whenever an element comes into sight or goes out of it. */
export function watchSight(element: Element, tell: (seen: boolean) => void): void {
  // Several changes may come at once, as when the whole page is captured: the last one holds.
  new IntersectionObserver((entries) => tell(entries.at(-1)?.isIntersecting ?? true)).observe(element);
}
