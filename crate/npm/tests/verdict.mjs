// Settings of five verdicts, played: `snapshot-analysis` holds a verdict's JSON to verdict.json.

import verdicts from './verdict.json' with { type: 'json' };

/** Makes a server and a client with each of the settings, and plays. Returns rows as `verdict.tsv` has. */
export function playAll({ Client, Server }) {
  const [secret, token, nonce] = [new Uint8Array(16).fill(7), new TextEncoder().encode('a ticket'), new Uint8Array(8).fill(9)];
  return verdicts.map((settings) => play(new Server(settings, secret), new Client(settings, token, nonce)));
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
