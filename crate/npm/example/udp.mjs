// A server and a client over UDP, in Node.js: `node udp.mjs server` in one terminal, `node udp.mjs client` in another.

import { createSocket } from 'node:dgram';
import { Client, init, Server } from 'snapshot-codec';

await init();
const settings = { objects: 40, fields: [{ name: 'health', bits: 7, counter: true }] };
const PORT = 40_100;
const socket = createSocket('udp4');

function serve() {
  const server = new Server(settings);
  const post = (address, bytes) => socket.send(bytes, ...address.split(' ').reverse());
  socket.bind(PORT);
  socket.on('message', (bytes, { address, port }) => {
    const from = `${address} ${port}`;
    const { answer, joins, token } = server.receive(performance.now(), from, bytes);
    if (answer) post(from, answer);
    if (joins === undefined) return;
    if (new TextDecoder().decode(token) === 'a ticket') server.admit(joins);
    else server.refuse(joins, 'no ticket');
  });
  let tick = 0;
  setInterval(() => {
    tick += 1;
    server.tick(performance.now(), tick, [{ id: 501, position: [(tick / 60) % 100, 0, 1], fields: { health: 100 } }], post);
    for (let event; (event = server.nextEvent()); ) console.log(`client ${event.peer}: ${event.event}`);
  }, 1000 / 60);
}

function play() {
  const client = new Client(settings, new TextEncoder().encode('a ticket'));
  socket.on('message', (bytes) => client.receive(performance.now(), bytes));
  setInterval(() => {
    for (let bytes; (bytes = client.send(performance.now())); ) socket.send(bytes, PORT, '127.0.0.1');
    for (const { id, position } of client.show(performance.now())) console.log(id, position[0].toFixed(2));
    if (client.status === 'refused') throw new Error(client.refusal);
  }, 1000 / 60);
}

if (process.argv[2] === 'server') serve();
else play();
