// The recorded motions, each read while it arrives.

import init, { Article } from '../../pkg/article/snapshot_article';
import lockstep from './lockstep.motion?url';
import pile from './pile.motion?url';
import sync from './sync.motion?url';

const ADDRESSES = { pile, sync, lockstep } as const;
export type MotionName = keyof typeof ADDRESSES;

/** An address of the build as seen from this module, which may be part of another site's page. */
const here = (address: string): URL => new URL(address, import.meta.url);

let begun: Promise<unknown> | undefined;
const motions = new Map<MotionName, Article>();
let failure: string | undefined;

/** Takes the compiled module: no motion can be read before. */
export function provide(module: WebAssembly.Module): void {
  begun ??= init({ module_or_path: module });
}

/** A sentence, where a file could not be had. */
export const failed = (): string | undefined => failure;

/** The motion, or as much of it as has arrived. The first question asks for its file. */
export function motion(name: MotionName): Article | undefined {
  if (begun !== undefined && !asked.has(name)) {
    asked.add(name);
    read(name).catch((error: unknown) => {
      failure = `The figures could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
    });
  }
  return motions.get(name);
}
const asked = new Set<MotionName>();

async function read(name: MotionName): Promise<void> {
  await begun;
  const { ok, status, body } = await fetch(here(ADDRESSES[name]));
  if (!ok || body === null) throw new Error(`${ADDRESSES[name]} answered ${status}`);
  const article = new Article();
  motions.set(name, article);
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) article.push(part.value);
}
