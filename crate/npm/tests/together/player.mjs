// A client that says what it has, as `research/programs/src/bin/together.rs` does: in Node.js and in a page.

const SETTINGS = {
  objects: 40,
  tickRate: 50,
  sendRate: 25,
  class: 'chained',
  delayMs: 160,
  fields: [
    { name: 'run', bits: 4 },
    { name: 'health', bits: 7, counter: true },
    { name: 'flag', bits: 1 },
  ],
};

/** FNV-1a of ids, kinds, positions, orientations and fields. */
function hashOf(objects) {
  const floats = new Float32Array(7);
  const bits = new Uint32Array(floats.buffer);
  let hash = 0x811c9dc5;
  for (const { id, kind, position, orientation, fields } of objects) {
    floats.set([...position, ...orientation]);
    for (const word of [id, kind, ...bits, fields.run, fields.health, fields.flag]) {
      for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((word >>> shift) & 255), 0x01000193);
    }
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** A client that loses 5 % of its datagrams. `receive` takes those of the server. */
export function play({ Client }, seed, endMs, send, say) {
  const nonce = Uint8Array.of(0, 0, 0, seed, 0, 0, 0, 77);
  const client = new Client(SETTINGS, new TextEncoder().encode('ticket'), nonce);
  const inbox = [];
  const counts = [0, 0, 0, 0];
  let luck = seed;
  let decoded;
  const passes = (way) => {
    luck ^= luck << 13;
    luck ^= luck >>> 17;
    luck ^= luck << 5;
    const isLost = (luck >>> 0) % 100 < 5;
    counts[way] += 1;
    counts[way + 1] += Number(isLost);
    return !isLost;
  };
  const frame = () => {
    const now = Math.floor(Date.now() / 10) * 10;
    for (const bytes of inbox.splice(0)) {
      if (!passes(2)) continue;
      client.receive(now, bytes);
      const newest = client.newest();
      if (newest && newest.tick !== decoded) {
        decoded = newest.tick;
        say(`D ${newest.objects[0].fields.run} ${newest.tick} ${hashOf(newest.objects)} ${now}`);
      }
    }
    for (let bytes; (bytes = client.send(now)); ) if (passes(0)) send(bytes);
    const shown = client.show(now);
    if (shown.length > 0) say(`S ${shown[0].fields.run} ${client.shownTick} ${hashOf(shown)}`);
    if (now < endMs) return;
    clearInterval(timer);
    say(`E ${counts.join(' ')}`);
  };
  const timer = setInterval(frame, 10);
  return { receive: (bytes) => inbox.push(bytes) };
}
