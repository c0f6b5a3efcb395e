// A slider under a hand: the newest value counts, at most once a frame.

/** Takes the values of one slider, and hands the newest on before each frame. */
export class Dragged {
  private newest: (() => void) | undefined;

  /** Remembers a change until the next frame; a later one replaces it. */
  drag(change: () => void): void {
    if (this.newest === undefined) {
      requestAnimationFrame(() => {
        const newest = this.newest;
        this.newest = undefined;
        newest?.();
      });
    }
    this.newest = change;
  }

  /** Forgets the remembered change: the hand has let go of the slider. */
  drop(): void {
    this.newest = undefined;
  }
}
