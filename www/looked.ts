// What the viewer looks at, and how: a link carries it, and no figure depends on it.

import type { Looking, Page, ViewCount } from '../pkg/snapshot_web';
import { Guarded } from './guarded';

export abstract class Looked extends Guarded {
  looking!: Looking;
  /** Cubes that the views light up beside the one that is looked at. */
  lit: readonly number[] = [];
  abstract readonly page: Page;
  abstract readonly b: unknown;

  protected abstract readLink(): void;

  /** Shows another figure, or the first where none is named. */
  show(figure: string | undefined): void {
    this.guard(() => this.page.look_at_figure(figure));
    this.look();
  }

  /** The arrangement of A's and B's views; undefined if there is no B. */
  get arrangement(): ViewCount | undefined {
    return this.b === undefined ? undefined : this.looking.views;
  }

  /** Shows A and B in three views, in two, or in one with a divider at a percentage of its width. */
  arrangeViews(views: ViewCount, divider: number): void {
    this.guard(() => this.page.arrange_views(views, divider));
    this.look();
  }

  /** Gives the views a share of the window's height in per cent; null gives them the page's own share. */
  splitAt(percent: number | null): void {
    this.guard(() => this.page.split(percent ?? undefined));
    this.look();
  }

  /** Looks at a packet and a cube, in all figures and views. */
  lookAt(packet: number | undefined, cube: number | undefined): void {
    this.lit = [];
    this.guard(() => this.page.look_at(packet, cube));
    this.look();
  }

  /** Colours the rebuilt views by an overlay's name, by none as in the original, and outlines the truth over them or not. */
  lookAs(overlay: string, ghost: boolean): void {
    this.guard(() => this.page.look_as(overlay, ghost));
    this.look();
  }

  protected look(): void {
    this.guard(() => {
      this.looking = this.page.looking();
      this.readLink();
    });
    this.tell('looking');
  }
}
