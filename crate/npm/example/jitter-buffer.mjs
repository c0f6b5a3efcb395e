// A jitter buffer of one's own over the package's snapshots: it holds them back, and says what to show. `node jitter-buffer.mjs` compares
// delays over a path with jitter and loss: a longer delay stands still less often, and shows an older instant.

import { Client, init, Server } from 'snapshot-codec';

const TICK_MS = 1000 / 60;

export class JitterBuffer {
  #held = [];
  #startMs;

  constructor(delayMs) {
    this.delayMs = delayMs;
  }

  /** Takes a snapshot: `tick` by the server's clock, `x` of the object. */
  receive(arrivalMs, tick, x) {
    // The server's tick 0 by our clock. The fastest packet so far tells it best: all others waited longer on the way.
    this.#startMs = Math.min(this.#startMs ?? Number.POSITIVE_INFINITY, arrivalMs - tick * TICK_MS);
    this.#held.push({ tick, x });
    // Snapshots may come in another order than they left.
    this.#held.sort((a, b) => a.tick - b.tick);
  }

  /** Returns the shown instant in ticks, and the place there; undefined while nothing has arrived. */
  show(nowMs) {
    if (this.#held.length === 0) return undefined;
    const due = (nowMs - this.#startMs - this.delayMs) / TICK_MS;
    while (this.#held.length > 1 && this.#held[1].tick <= due) this.#held.shift();
    const [before, after = before] = this.#held;
    // Without a later snapshot the picture stands still at the newest one.
    const part = after === before ? 0 : Math.min(Math.max((due - before.tick) / (after.tick - before.tick), 0), 1);
    return { tick: before.tick + part * (after.tick - before.tick), x: before.x + part * (after.x - before.x) };
  }
}

/** Plays `seconds` of an object on a circle over a path of 50 ms with 33 ms of jitter and 5 % of loss, ten snapshots a second. */
export function play(delayMs, seconds = 30) {
  const settings = { objects: 1, sendRate: 10 };
  const server = new Server(settings, new Uint8Array(16).fill(1));
  const client = new Client(settings, new Uint8Array(), new Uint8Array(8).fill(7));
  const buffer = new JitterBuffer(delayMs);
  const x = (tick) => 5 * Math.sin(tick / 40);
  let seed = 3;
  const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const onTheWay = [];
  const post = (nowMs, take) => random() >= 0.05 && onTheWay.push({ atMs: nowMs + 17 + 66 * random(), take });
  let [newest, shown, still, frames, age, squares] = [-1, -1, 0, 0, 0, 0];
  for (let tick = 1; tick <= 60 * seconds; tick += 1) {
    const nowMs = tick * TICK_MS;
    for (let bytes; (bytes = client.send(nowMs)); ) {
      post(nowMs, (atMs) => {
        const { answer, joins } = server.receive(atMs, 'client', bytes);
        if (answer) post(atMs, (thenMs) => client.receive(thenMs, answer));
        if (joins !== undefined) server.admit(joins);
      });
    }
    server.tick(nowMs, tick, [{ id: 1, position: [x(tick), 0, 1] }], (_, bytes) => post(nowMs, (atMs) => client.receive(atMs, bytes)));
    onTheWay.sort((a, b) => a.atMs - b.atMs);
    while (onTheWay[0]?.atMs <= nowMs) {
      const { atMs, take } = onTheWay.shift();
      take(atMs);
      const snapshot = client.newest();
      if (snapshot === undefined || snapshot.tick <= newest) continue;
      newest = snapshot.tick;
      buffer.receive(atMs, snapshot.tick, snapshot.objects[0].position[0]);
    }
    const picture = buffer.show(nowMs);
    if (picture === undefined) continue;
    frames += 1;
    if (picture.tick <= shown) still += 1;
    shown = picture.tick;
    age += (tick - picture.tick) * TICK_MS;
    squares += (picture.x - x(picture.tick)) ** 2;
  }
  client.free();
  server.free();
  return { delayMs, stillPercent: (100 * still) / frames, ageMs: age / frames, errorMm: 1000 * Math.sqrt(squares / frames) };
}

if (import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  await init();
  console.table([0, 50, 100, 150, 250].map((delayMs) => play(delayMs)));
}
