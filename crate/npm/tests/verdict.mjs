// The lines that the laboratory's verdict gives for its settings, run: `snapshot-analysis` holds them to these.

/** Makes a server and a client with each of the settings, and plays two seconds without a network. Returns what was shown. */
export function playAll({ Client, Server }) {
  const [secret, token, nonce] = [new Uint8Array(16).fill(7), new TextEncoder().encode('a ticket'), new Uint8Array(8).fill(9)];
  const shown = [];
  {
    const settings = {
      objects: 16, tickRate: 60, sendRate: 20,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 9, orientation: 9, velocity: 5 },
      rung: 'changed-flags', class: 'chained',
      interpolation: 'hermite', delayMs: 100,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    shown.push(play(server, client));
  }
  {
    const settings = {
      objects: 16, tickRate: 60, sendRate: 30,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 10, orientation: 10, velocity: 5 },
      rung: 'arithmetic', class: 'strict',
      interpolation: 'linear',
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    shown.push(play(server, client));
  }
  {
    const settings = {
      objects: 16, tickRate: 60, sendRate: 10,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 9, orientation: 9, velocity: 5 },
      rung: 'arithmetic', class: 'chained',
      interpolation: 'slerp', delayMs: 350,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    shown.push(play(server, client));
  }
  {
    const settings = {
      objects: 16, tickRate: 60, sendRate: 60,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 8, orientation: 9, velocity: 5 },
      rung: 'relative-orientation', class: 'chained',
      interpolation: 'extrapolate', delayMs: 62,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    shown.push(play(server, client));
  }
  {
    const settings = {
      objects: 16, tickRate: 60, sendRate: 60,
      bounds: { lower: [-64, -32, 0], upper: [64, 32, 8] },
      bits: { position: 9, orientation: 9, velocity: 5 },
      rung: 'predicted', class: 'chained',
      interpolation: 'hermite', delayMs: 70,
    };
    const server = new Server(settings, secret);
    const client = new Client(settings, token, nonce);
    shown.push(play(server, client));
  }
  return shown;
}

function play(server, client) {
  let shown = [];
  for (let tick = 1; tick <= 120; tick += 1) {
    const now = (tick * 1000) / 60;
    for (let bytes; (bytes = client.send(now)); ) {
      const { answer, joins } = server.receive(now, 'an address', bytes);
      if (answer) client.receive(now, answer);
      if (joins !== undefined) server.admit(joins);
    }
    server.tick(tick, [{ id: 501, position: [tick / 60, 0, 1] }], (address, bytes) => client.receive(now, bytes));
    shown = client.show(now).map(({ id }) => id);
  }
  return shown;
}
