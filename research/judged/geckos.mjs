// A game of 20 cars on @geckos.io/snapshot-interpolation over UDP, through the proxy: writes what the server had and what the
// client drew. docs/judged.md has the report.
//
//   npm install && node geckos.mjs SNAPSHOT_LAB LINK SECONDS FOLDER [DELAY_MS [keep]]
//
// "keep" has the client keep its first time offset. Server and client are one process, so their clock is one.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import geckos from '@geckos.io/snapshot-interpolation';

const { SnapshotInterpolation } = geckos;
const [lab, link, seconds, folder, delay, keep] = process.argv.slice(2);
const TICK_S = 1 / 60;
const SENDS_HZ = 20;

const nowS = () => (performance.timeOrigin + performance.now()) / 1000;
const startS = nowS();
let seed = 7;
const random = () => {
  seed = (seed * 1664525 + 1013904223) % 2 ** 32;
  return seed / 2 ** 32;
};
const cars = Array.from({ length: 20 }, (_, id) => ({
  id: `car${id}`,
  x: 8 * (id % 5),
  y: 8 * Math.floor(id / 5),
  heading: random() * 6,
  turn: 0,
  wanted: 0,
  speed: 4 + 6 * random(),
}));

function drive() {
  for (const car of cars) {
    if (random() < TICK_S) car.wanted = 3 * random() - 1.5;
    car.turn += 0.1 * (car.wanted - car.turn);
    car.heading += car.turn * TICK_S;
    car.x += Math.cos(car.heading) * car.speed * TICK_S;
    car.y += Math.sin(car.heading) * car.speed * TICK_S;
  }
}

const state = () =>
  cars.map(({ id, x, y, heading }) => ({
    id,
    x,
    y,
    q: { x: 0, y: 0, z: Math.sin(heading / 2), w: Math.cos(heading / 2) },
  }));

const HEAD = 'time_s,id,event,x,y,z,qx,qy,qz,qw\n';
const files = { server: [HEAD], client: [HEAD] };
function record(file, atS, objects) {
  for (const { id, x, y, q } of objects) {
    // Rounded by the library or by JSON, a quaternion is a unit again.
    const length = Math.hypot(q.x, q.y, q.z, q.w);
    const turned = [q.x, q.y, q.z, q.w].map((part) => part / length);
    files[file].push(`${(atS - startS).toFixed(6)},${id},,${x},${y},0.5,${turned}\n`);
  }
}

const server = createSocket('udp4');
await new Promise((resolve) => server.bind(0, '127.0.0.1', resolve));
const to = `127.0.0.1:${server.address().port}`;
const proxy = spawn(lab, ['proxy', '--listen', '0', '--to', to, '--link', link, '--seed', '1', '--record', `${folder}/network.csv`]);
proxy.stderr.pipe(process.stderr);
const lines = createInterface({ input: proxy.stdout });
const first = await new Promise((resolve) => lines.once('line', resolve));
lines.on('line', (line) => console.log(line));
const port = Number(first.split(' ')[0].split(':')[1]);

let client;
server.on('message', (_, from) => {
  client = from;
});
const socket = createSocket('udp4');
const interpolation = new SnapshotInterpolation(SENDS_HZ, { autoCorrectTimeOffset: keep === undefined });
if (delay) interpolation.interpolationBuffer.set(Number(delay));
socket.on('message', (packet) => interpolation.snapshot.add(JSON.parse(packet)));

let [tick, frame, drawn] = [0, 0, undefined];
const loop = setInterval(() => {
  while (nowS() - startS >= tick * TICK_S) {
    drive();
    record('server', startS + tick * TICK_S, state());
    if (tick % (60 / SENDS_HZ) === 0 && client) {
      server.send(JSON.stringify(interpolation.snapshot.create(state())), client.port, client.address);
    }
    if (tick % 10 === 0) socket.send('input', port, '127.0.0.1');
    tick++;
  }
  // Frames of the client fall between the server's ticks.
  if (nowS() - startS >= (frame + 0.5) * TICK_S) {
    frame++;
    const found = interpolation.calcInterpolation('x y q(quat)');
    if (found) drawn = found.state;
    if (drawn) record('client', nowS(), drawn);
  }
  if (nowS() - startS > Number(seconds)) {
    clearInterval(loop);
    proxy.kill('SIGINT');
    server.close();
    socket.close();
    for (const [name, rows] of Object.entries(files)) writeFileSync(`${folder}/${name}.csv`, rows.join(''));
  }
}, 1);
