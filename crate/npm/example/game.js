// A server and a client in one page, drawn by three.js. Between them is a function where a game has a network.

import init, { Client, Server } from 'snapshot-codec';
import * as THREE from 'three';

await init();
const settings = { objects: 40, fields: [{ name: 'hue', bits: 8 }] };
const [server, client] = [new Server(settings), new Client(settings)];
const network = (bytes, arrive) => Math.random() < 0.9 && setTimeout(() => arrive(bytes.slice()), 40 + 20 * Math.random());

function toServer(bytes) {
  const { answer, joins } = server.receive(performance.now(), 'an address', bytes);
  if (answer) network(answer, toClient);
  if (joins !== undefined) server.admit(joins);
}
const toClient = (bytes) => client.receive(performance.now(), bytes);

const turn = new THREE.Quaternion();
const UP = new THREE.Vector3(0, 0, 1);
let tick = 0;
setInterval(() => {
  tick += 1;
  const objects = Array.from({ length: 40 }, (_, i) => {
    const angle = tick / 60 + (i * Math.PI) / 20;
    const orientation = turn.setFromAxisAngle(UP, angle).toArray();
    return { id: i, position: [6 * Math.cos(angle), 6 * Math.sin(angle), 1 + Math.sin(3 * angle)], orientation, fields: { hue: i * 6 } };
  });
  server.tick(performance.now(), tick, objects, (_, bytes) => network(bytes, toClient));
}, 1000 / 60);

const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.up.copy(UP);
camera.position.set(0, -14, 8);
camera.lookAt(0, 0, 1);
const sun = new THREE.DirectionalLight('white', 2);
sun.position.set(3, -4, 10);
scene.add(sun, new THREE.AmbientLight('white', 1));
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);

const cubes = new Map();
function cubeOf({ id, fields }) {
  if (!cubes.has(id)) {
    const material = new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(fields.hue / 256, 0.7, 0.6) });
    cubes.set(id, new THREE.Mesh(new THREE.BoxGeometry(0.6, 0.6, 0.6), material));
    scene.add(cubes.get(id));
  }
  return cubes.get(id);
}

renderer.setAnimationLoop(() => {
  for (let bytes; (bytes = client.send(performance.now())); ) network(bytes, toServer);
  const objects = client.show(performance.now());
  for (const object of objects) {
    cubeOf(object).position.fromArray(object.position);
    cubeOf(object).quaternion.fromArray(object.orientation);
  }
  document.querySelector('output').value = `${objects.length} are shown.`;
  renderer.render(scene, camera);
});
