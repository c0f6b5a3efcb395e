// Which figures of a page run, and the engine that computes them: one for all.

import wasm from '../../pkg/article/snapshot_article_bg.wasm?url';
import { trusted } from '../shell/trusted';
import { chosen } from './pace';
import type { Order, Reply, Wanted } from './protocol';
import url from './worker?worker&url';

/** A figure, as the director sees it. */
export interface Actor {
  /** Distance of its picture's middle from the window's, px. */
  distance(): number;
  /** The order for this frame; `later` if only time goes on; undefined if its picture may stay. */
  wants(now_ms: number): Wanted | 'later' | undefined;
  show(reply: Reply, took_ms: number): void;
}

type Engine = (order: Order) => Promise<Reply>;

const inSight = new Set<Actor>();
let engine: Promise<Engine> | undefined;
let asks = false;

/** A figure has come into sight, or wants to be computed again. */
export function enter(actor: Actor): void {
  inSight.add(actor);
  if (asks) return;
  asks = true;
  requestAnimationFrame(frame);
}

let announce: () => void;
/** The first motion is there, or never will be. */
export const ready = new Promise<void>((resolve) => {
  announce = resolve;
});

/** Starts the engine before it is asked for anything: its files take longer than the page. */
export function prepare(): void {
  engine ??= start();
}

export function leave(actor: Actor): void {
  inSight.delete(actor);
}

async function frame(now_ms: number): Promise<void> {
  const actors = chosen([...inSight].map((figure) => ({ figure, distance: figure.distance() })));
  const wishes = actors.map((actor) => actor.wants(now_ms));
  if (wishes.every((wish) => wish === undefined)) {
    asks = false;
    return;
  }
  const wanted = wishes.filter((wish) => wish !== undefined && wish !== 'later');
  if (wanted.length > 0) {
    engine ??= start();
    const begun = performance.now();
    const reply = await (await engine)({ wanted });
    if (reply.arrived >= 0 || reply.failure !== undefined) announce();
    for (const actor of actors) actor.show(reply, performance.now() - begun);
  }
  requestAnimationFrame(frame);
}

/** The engine in a Worker, else here: another site's policy may allow no Worker. */
async function start(): Promise<Engine> {
  try {
    // The module has the whole line to itself, beside the Worker's script: nothing moves before it is there.
    const module = WebAssembly.compileStreaming(fetch(new URL(wasm, import.meta.url)));
    const engine = (await inWorker().catch(() => undefined)) ?? (await import('./engine')).obey;
    await engine({ wanted: [], module: await module });
    return engine;
  } catch (error) {
    const failure = `The figures could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
    return async () => ({ pictures: [], arrived: -1, length: -1, failure });
  }
}

async function inWorker(): Promise<Engine> {
  const address = new URL(url, import.meta.url).href;
  const isOurs = new URL(address).origin === location.origin;
  // A Worker must be of the page's own origin; what it imports need not.
  const own = isOurs ? address : URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' }));
  const worker = new Worker(trusted('article-worker', own), { type: 'module' });
  const answer = (order: Order): Promise<Reply> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Reply>) => resolve(data);
      worker.onerror = () => reject(new Error('no Worker'));
      worker.postMessage(order);
    });
  await answer({ wanted: [] });
  return answer;
}
