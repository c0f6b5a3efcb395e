// The lines that the laboratory's verdict gives for its settings, run: `snapshot-analysis` holds them to these.

/** Makes a server and a client with each of the settings, and plays. Returns rows as `verdict.tsv` has. */
export function playAll({ Client, Server }) {
  const [secret, token, nonce] = [new Uint8Array(16).fill(7), new TextEncoder().encode('a ticket'), new Uint8Array(8).fill(9)];
  const rows = [];
  {
    const settings = {
      objects: 16,
      tickRate: 60,
      sendRate: 20,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 9, orientation: 9, velocity: 5 },
      rung: 'changed-flags',
      class: 'chained',
      interpolation: 'hermite',
      delayMs: 100,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    rows.push(play(server, client));
  }
  {
    const settings = {
      objects: 16,
      tickRate: 60,
      sendRate: 30,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 10, orientation: 10, velocity: 5 },
      rung: 'arithmetic',
      class: 'strict',
      interpolation: 'linear',
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    rows.push(play(server, client));
  }
  {
    const settings = {
      objects: 16,
      tickRate: 60,
      sendRate: 10,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 9, orientation: 9, velocity: 5 },
      rung: 'arithmetic',
      class: 'chained',
      interpolation: 'slerp',
      delayMs: 350,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    rows.push(play(server, client));
  }
  {
    const settings = {
      objects: 16,
      tickRate: 60,
      sendRate: 60,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 8, orientation: 9, velocity: 5 },
      rung: 'relative-orientation',
      class: 'chained',
      interpolation: 'extrapolate',
      delayMs: 62,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    rows.push(play(server, client));
  }
  {
    const settings = {
      objects: 16,
      tickRate: 60,
      sendRate: 60,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 9, orientation: 9, velocity: 5 },
      rung: 'predicted',
      class: 'chained',
      interpolation: 'hermite',
      delayMs: 70,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    rows.push(play(server, client));
  }
  return rows;
}

/** An object of the motion: it goes to and fro, and turns now and then. */
function object(index, tick) {
  const way = (tick * (index + 1)) % 512;
  const [sine, cosine] = [
    [0, 1],
    [0.28, 0.96],
    [0.6, 0.8],
    [0.8, 0.6],
  ][(Math.floor(tick / 15) + index) % 4];
  return {
    id: 501 + index,
    position: [Math.abs(way - 256) / 16 - 8, index, 1],
    orientation: [0, 0, sine, cosine],
    velocity: [(index + 1) * (way < 256 ? -3.75 : 3.75), 0, 0],
  };
}

/** Four seconds without a network: number, bytes and hash of the server's datagrams. */
function play(server, client) {
  let [datagrams, bytes, hash, shown] = [0, 0, 0x811c9dc5, 0];
  for (let tick = 1; tick <= 240; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let sent; (sent = client.send(now)); ) {
      const { answer, joins } = server.receive(now, 'an address', sent);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit(joins);
    }
    server.tick(
      now,
      tick,
      Array.from({ length: 8 }, (_, index) => object(index, tick)),
      (_, datagram) => {
        datagrams += 1;
        bytes += datagram.length;
        // The first accepts. Each ends with a tag, which depends on the type of an address.
        hash = datagram.subarray(0, datagrams > 1 ? -4 : 0).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), hash);
        client.receive(now, datagram);
      },
    );
    shown = client.show(now).length;
  }
  if (shown !== 8) throw new Error(`${shown} objects are shown`);
  return `${datagrams}\t${bytes}\t${(hash >>> 0).toString(16).padStart(8, '0')}`;
}
