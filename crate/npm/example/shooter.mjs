// A player of the shooter over UDP, in Node.js: `node shooter.mjs 127.0.0.1 4040 carl`. The server is the Rust crate's
// `cargo run --example shooter server 4040`. Nobody plays here: the player walks in a square, and shoots twice a second.

import { createSocket } from 'node:dgram';
import { Client, init } from 'snapshot-codec';

const [host, port, name] = process.argv.slice(2);
const text = (bytes) => new TextDecoder().decode(bytes);
const bytes = (words) => new TextEncoder().encode(words);

// The game: as in shooter.rs.

const settings = { objects: 160, clients: 8, fields: [{ name: 'health', bits: 7, counter: true }] };
const WAYS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const player = (tick) => ({ walk: WAYS[Math.floor(tick / 60) % 4], shoots: tick % 30 === 0 });
const step = (at, way) => Math.min(50, Math.max(-50, at + Math.sign(way) * 0.1));
const walked = ([x, y, z], { walk }) => [step(x, walk[0]), step(y, walk[1]), z];

// The network code.

await init();
const client = new Client(settings, bytes(name));
const socket = createSocket('udp4');
const inputs = new Map();
let own;

socket.on('message', (datagram) => client.receive(performance.now(), datagram));
client.message(bytes(`${name} is here`));

/** The own player of the newest snapshot, and his inputs since. */
function predict() {
  const newest = client.newest();
  const found = newest?.objects.find(({ id }) => id === 1000 + client.peer);
  if (!found) return;
  for (const tick of inputs.keys()) if (tick <= newest.tick) inputs.delete(tick);
  own = [...inputs.values()].reduce(walked, found.position);
}

function frame() {
  const now = performance.now();
  client.show(now); // Here a game draws them.
  for (let tick; (tick = client.nextInput(now)); ) {
    if (!client.shown || !own) break;
    const input = player(tick);
    client.input(tick, Uint8Array.from([...input.walk.map((way) => way & 255), ...(input.shoots ? client.shown : [])]));
    inputs.set(tick, input);
  }
  predict();
  for (let words; (words = client.nextMessage()); ) console.log(text(words));
  for (let datagram; (datagram = client.send(now)); ) socket.send(datagram, Number(port), host);
}

setInterval(frame, 1000 / 60);
setInterval(() => {
  const { roundTripMs, lostHere, delayMs, freezes } = client.figures;
  const state = client.refusal ?? client.status;
  console.log(`${state}: round trip ${roundTripMs?.toFixed()} ms, ${(lostHere * 100).toFixed()} % lost, ${delayMs?.toFixed()} ms behind, ${freezes} freezes`);
  console.log(`I am at ${own?.map((at) => at.toFixed(1))}`);
}, 1000);
