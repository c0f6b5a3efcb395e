// Runs inside the tests' network beside Chromium: serves the built site, relays datagrams, and drives Firefox. The test asks by
// lines of JSON.
// @ts-check

import { createInterface } from 'node:readline';
import { drivenFirefox } from './drivers.mjs';
import { openRelay } from './relay.mjs';
import { serve } from './site.mjs';

const [, , address = ''] = process.argv;
/** @type {Awaited<ReturnType<typeof openRelay>>[]} */
const relays = [];
/** @type {import('./drivers.mjs').Firefox | undefined} */
let firefox;

/** @type {Record<string, (...values: any[]) => unknown>} */
const acts = {
  site: async () => (await serve(address)).site,
  relay: async () => {
    const relay = await openRelay(address);
    return { relay: relays.push(relay) - 1, ports: relay.ports };
  },
  set: (relay, delayMs, share, kbps) => void relays[relay]?.set(delayMs, share, kbps),
  counts: (relay) => relays[relay]?.counts(),
  firefox: async (program, preferences) => {
    firefox = await drivenFirefox(program, preferences);
  },
  go: (url) => firefox?.go(url),
  run: (expression) => firefox?.run(expression),
  press: (key, ms) => firefox?.press(key, ms),
};

for await (const line of createInterface(process.stdin)) {
  const { id, act, values } = JSON.parse(line);
  Promise.resolve()
    .then(() => acts[act]?.(...values))
    .then(
      (value) => ({ id, value }),
      (error) => ({ id, error: String(error) }),
    )
    .then((answer) => console.log(JSON.stringify(answer)));
}
await firefox?.close();
process.exit();
