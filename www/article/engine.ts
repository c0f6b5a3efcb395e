// Computes and draws the figures of a page: in a Worker, or where a page allows none, beside its own script.

import { figureOf } from './figures';
import { failed, motion, provide } from './motions';
import type { Order, Picture, Reply, Wanted } from './protocol';
import { type Box, Renderer } from './renderer';
import { Show } from './shows';

/** Runs that are kept beside the drawn ones: each takes some 5 MB. */
const KEPT = 3;
/** Time of a frame for catching up, ms. */
const BUDGET_MS = 10;
/** A figure that is farther behind than this is not drawn: its time would rush. */
const BEHIND = 3;
const GAP_PX = 2;

let renderer: Renderer | undefined;
const shows = new Map<number, Show>();

export async function obey({ wanted, module }: Order): Promise<Reply> {
  if (module !== undefined) provide(module);
  const pile = motion('pile');
  const [arrived, length] = [pile?.ticks ?? -1, pile?.length ?? -1];
  const failure = failed();
  if (failure !== undefined) return { pictures: [], arrived, length, failure };
  if (pile === undefined || arrived < 0) return { pictures: [], arrived: -1, length: -1 };
  const until = performance.now() + BUDGET_MS;
  const pictures = wanted.map((one): Picture => {
    try {
      if (renderer?.isLost === true) renderer = undefined;
      renderer ??= new Renderer(one.isStill);
      return picture(one, renderer, until);
    } catch (error) {
      const failure = `This figure cannot run here: ${error instanceof Error ? error.message : String(error)}`;
      return { key: one.key, tick: one.tick, bitmap: undefined, values: [], drawing: undefined, failure };
    }
  });
  forgetOthers(wanted);
  return { pictures, arrived, length };
}

function picture(wanted: Wanted, renderer: Renderer, until: number): Picture {
  const show = showOf(wanted);
  const { key } = wanted;
  const before = show.tick;
  while (show.tick < wanted.tick && (performance.now() < until || show.tick - before < 1)) if (!show.step()) break;
  if (show.tick < wanted.tick - BEHIND && show.tick > before) return { key, tick: show.tick, bitmap: undefined, values: [], drawing: undefined };
  const isJump = show.tick - before > BEHIND || show.tick === 0;
  show.follow(isJump ? -1 : show.tick - before);
  return { key, tick: show.tick, bitmap: drawn(show, wanted, renderer), values: show.values(), drawing: show.drawing() };
}

function showOf({ key, id, choice, tick }: Wanted): Show {
  const known = shows.get(key);
  if (known !== undefined && known.choice === choice && known.tick <= tick) {
    // The last used is the last to go.
    shows.delete(key);
    shows.set(key, known);
    return known;
  }
  known?.free();
  const [figure, pile] = [figureOf(id), motion('pile')];
  if (figure === undefined || pile === undefined) throw new Error(`no figure is named ${id}`);
  const show = new Show(figure, choice, pile);
  shows.set(key, show);
  return show;
}

function forgetOthers(wanted: readonly Wanted[]): void {
  for (const [key, show] of shows) {
    if (shows.size <= Math.max(KEPT, wanted.length)) return;
    if (wanted.some((one) => one.key === key)) continue;
    show.free();
    shows.delete(key);
  }
}

function drawn(show: Show, { width, height, isColumn, seam, paper }: Wanted, renderer: Renderer): ImageBitmap {
  renderer.begin(width, height, paper);
  const { views, seam: kind } = show.figure;
  const line = paper[0] > 0.5 ? ([0.08, 0.09, 0.1] as const) : ([0.93, 0.93, 0.95] as const);
  const divider = Math.round(width * seam);
  views.forEach(({ of }, place) => {
    const box = kind === undefined ? boxOf(views.length, place, width, height, isColumn) : { x: 0, y: 0, width, height };
    const side = place === 0 ? { ...box, width: divider } : { ...box, x: divider, width: width - divider };
    const seen = kind === undefined ? box : side;
    if (seen.width <= 0) return;
    renderer.draw(show.cubes(of), show.outlines(of, box.height), show.camera, box, seen, paper);
  });
  if (kind !== undefined) renderer.fill({ x: divider - 1, y: 0, width: 2, height }, line);
  return renderer.canvas.transferToImageBitmap();
}

/** The place of one of several views, from left to right or from top to bottom. */
function boxOf(count: number, place: number, width: number, height: number, isColumn: boolean): Box {
  const along = isColumn ? height : width;
  const start = Math.round((along * place) / count);
  const end = Math.round((along * (place + 1)) / count) - (place + 1 < count ? GAP_PX : 0);
  return isColumn ? { x: 0, y: height - end, width, height: end - start } : { x: start, y: 0, width: end - start, height };
}
