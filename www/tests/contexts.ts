// Browser contexts that tests share: a page costs a third where the browser has the wasm compiled already.

import { readdirSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test';

/** A context by its options, with a page that keeps the compiled wasm: a process compiles the same bytes once while somebody holds them. */
export class Contexts {
  private readonly shared = new Map<string, BrowserContext>();

  constructor(private readonly browser: Browser) {}

  /** Returns the context of these options. Nothing is left in it from the test before. */
  async of(options: BrowserContextOptions): Promise<BrowserContext> {
    // A service worker outlives its page: such a context is for one test.
    if (options.serviceWorkers === 'allow') return this.browser.newContext(options);
    const key = JSON.stringify(options);
    const made = this.shared.get(key) ?? (await this.make(options));
    this.shared.set(key, made);
    return made;
  }

  /** Closes a test's pages, and forgets what they stored. */
  async leave(context: BrowserContext): Promise<void> {
    if (![...this.shared.values()].includes(context)) {
      await context.close();
      return;
    }
    const [keeper, ...others] = context.pages();
    await Promise.all(others.map((page) => page.close()));
    await context.clearPermissions();
    if (keeper === undefined) return;
    const session = await context.newCDPSession(keeper);
    await session.send('Storage.clearDataForOrigin', { origin: new URL(keeper.url()).origin, storageTypes: 'local_storage,indexeddb,cache_storage' });
    await session.detach();
  }

  async close(): Promise<void> {
    await Promise.all([...this.shared.values()].map((context) => context.close()));
  }

  private async make(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext(options);
    const keeper = await context.newPage();
    // An empty page of the same site, without a policy.
    await keeper.route('**/keeper.html', (route) => route.fulfill({ contentType: 'text/html', body: '<title>keeper</title>' }));
    await keeper.goto('./keeper.html');
    await keeper.evaluate(async (wasm) => Object.assign(window, { kept: await WebAssembly.compileStreaming(fetch(wasm)) }), `assets/${builtWasm()}`);
    return context;
  }
}

function builtWasm(): string {
  const found = readdirSync('dist/assets').find((name) => name.startsWith('snapshot_web') && name.endsWith('.wasm'));
  if (found === undefined) throw new Error('the site is not built: there is no wasm in dist/assets');
  return found;
}
