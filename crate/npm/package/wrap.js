// Objects as people write them, over the flat numbers of the wasm module. Bytes are copies: they stay whole when memory grows.

const RUNGS = [
  'uncompressed',
  'smallest-three',
  'velocity',
  'at-rest',
  'no-velocity',
  'position',
  'not-changed',
  'index',
  'relative-index',
  'relative-position',
  'relative-orientation',
  'changed-flags',
  'arithmetic',
  'predicted',
];
const INTERPOLATIONS = ['none', 'linear', 'slerp', 'hermite', 'extrapolate'];
const FLOATS = 10;
const HEAD = 3;
const UPRIGHT = [0, 0, 0, 1];
const STILL = [0, 0, 0];
const EMPTY = {};

const random = (count) => crypto.getRandomValues(new Uint8Array(count));

function place(name, names, value) {
  const at = names.indexOf(value);
  if (at < 0) throw new RangeError(`${name} "${value}": must be one of ${names.join(', ')}`);
  return at;
}

/** Bytes of the caller. Other values would become bytes without a word: a text would be zeros. */
function bytesOf(name, value, length) {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name}: must be a Uint8Array`);
  if (length !== undefined && value.length !== length) throw new RangeError(`${name}: must have ${length} bytes`);
  return value;
}

/** A whole number of the caller. */
function whole(name, value) {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) throw new RangeError(`${name} ${value}: must be a whole number of at most 32 bits`);
  return value;
}

/** Settings as numbers, in the order of `settings.rs`, and the names of fields in lines. */
function flatSettings({
  objects,
  tickRate = 60,
  sendRate = 20,
  bounds = { lower: [-256, -256, 0], upper: [256, 256, 32] },
  bits = { position: 9, orientation: 9, velocity: 5 },
  rung = 'arithmetic',
  class: strictness = 'strict',
  mtu = 1200,
  kindBits = 8,
  clients = 64,
  interpolation = 'hermite',
  delayMs = -1,
  fields = [],
  ...others
}) {
  for (const name of Object.keys(others)) throw new TypeError(`there is no setting "${name}"`);
  const of = fields.flatMap((field) => [field.bits, field.counter ? 1 : 0]);
  return [
    Float64Array.of(
      objects,
      tickRate,
      sendRate,
      ...bounds.lower,
      ...bounds.upper,
      bits.position,
      bits.orientation,
      bits.velocity,
      place('rung', RUNGS, rung),
      place('class', ['strict', 'chained'], strictness),
      mtu,
      kindBits,
      clients,
      place('interpolation', INTERPOLATIONS, interpolation),
      delayMs,
      ...of,
    ),
    fields.map((field) => field.name).join('\n'),
  ];
}

const namesOf = (settings) => (settings.fields ?? []).map((field) => field.name);

/** Objects as floats and integers; `mark` gives the third integer. */
function flatten(objects, names, mark) {
  const floats = new Float32Array(objects.length * FLOATS);
  const numbers = new Uint32Array(objects.length * (HEAD + names.length));
  objects.forEach((object, i) => {
    const { position = STILL, orientation = UPRIGHT, velocity = STILL, id = 0, kind = 0, fields = {} } = object ?? EMPTY;
    if (object && object.position === undefined) throw new TypeError(`object ${id}: it has no position`);
    for (const name of Object.keys(fields)) if (!names.includes(name)) throw new TypeError(`object ${id}: the settings have no field "${name}"`);
    floats.set(position, i * FLOATS);
    floats.set(orientation, i * FLOATS + 3);
    floats.set(velocity, i * FLOATS + 7);
    const at = i * (HEAD + names.length);
    numbers.set([whole('id', id), whole('kind', kind), mark(object)], at);
    names.forEach((name, field) => (numbers[at + HEAD + field] = whole(name, fields[name] ?? 0)));
  });
  return [floats, numbers];
}

/** The inverse. `read` gets the third integer. It runs each frame: an iterator for each vector took most of the time. */
function unflatten(floats, numbers, names, read) {
  const width = HEAD + names.length;
  const objects = [];
  for (let n = 0, f = 0; n < numbers.length; n += width, f += FLOATS) {
    const fields = {};
    for (let field = 0; field < names.length; field += 1) fields[names[field]] = numbers[n + HEAD + field];
    objects.push(
      read(numbers[n + 2], {
        id: numbers[n],
        kind: numbers[n + 1],
        position: [floats[f], floats[f + 1], floats[f + 2]],
        orientation: [floats[f + 3], floats[f + 4], floats[f + 5], floats[f + 6]],
        velocity: [floats[f + 7], floats[f + 8], floats[f + 9]],
        fields,
      }),
    );
  }
  return objects;
}

/** The classes, over the bindings of a wasm module. */
export function wrap(raw) {
  class Server {
    #raw;
    #names;

    constructor(settings, secret = random(16)) {
      this.#raw = new raw.RawServer(...flatSettings(settings), bytesOf('secret', secret, 16));
      this.#names = namesOf(settings);
    }

    receive(nowMs, address, bytes) {
      const told = this.#raw.receive(nowMs, address, bytesOf('bytes', bytes));
      const rest = told.slice(1);
      if (told[0] === 1) return { answer: rest };
      if (told[0] === 2) return { joins: new DataView(rest.buffer).getUint32(0), token: rest.slice(4) };
      return told[0] === 3 ? { refused: rest[0] } : {};
    }

    admit(peer) {
      this.#raw.admit(peer);
    }

    refuse(peer, why = '') {
      this.#raw.refuse(peer, why);
    }

    nextLeft() {
      const left = this.#raw.next_left();
      return left && { peer: left[0], why: ['goodbye', 'silence', 'replaced', 'refused'][left[1]] };
    }

    tick(tick, objects, send, sees) {
      this.#raw.tick(tick, ...flatten(objects, this.#names, (object) => Number(object.teleported ?? false)), sees, send);
    }

    get peers() {
      return this.#raw.peers();
    }

    free() {
      this.#raw.free();
    }
  }

  class Client {
    #raw;
    #names;

    constructor(settings, token = new Uint8Array(), nonce = random(8)) {
      this.#raw = new raw.RawClient(...flatSettings(settings), bytesOf('token', token), bytesOf('nonce', nonce, 8));
      this.#names = namesOf(settings);
    }

    receive(nowMs, bytes) {
      return this.#raw.receive(nowMs, bytesOf('bytes', bytes));
    }

    send(nowMs) {
      return this.#raw.send(nowMs);
    }

    show(nowMs) {
      const numbers = this.#raw.show(nowMs);
      const read = (teleported, object) => Object.assign(object, { teleported: teleported === 1 });
      return unflatten(this.#raw.floats(), numbers, this.#names, read);
    }

    get shownTick() {
      return this.#raw.shown_tick();
    }

    newest() {
      const numbers = this.#raw.newest();
      if (!numbers) return undefined;
      return { tick: numbers[0], objects: unflatten(this.#raw.floats(), numbers.subarray(1), this.#names, (_, object) => object) };
    }

    get status() {
      return this.#raw.status();
    }

    get refusal() {
      return this.#raw.refusal();
    }

    get restarts() {
      return this.#raw.restarts();
    }

    get refused() {
      return this.#raw.refused();
    }

    goodbye() {
      return this.#raw.goodbye();
    }

    free() {
      this.#raw.free();
    }
  }

  class Encoder {
    #raw;
    #names;

    constructor(settings) {
      this.#raw = new raw.RawEncoder(...flatSettings(settings));
      this.#names = namesOf(settings);
    }

    encode(sequence, slots) {
      const mark = (slot) => (slot ? (slot.life ?? 0) + (slot.interacting ? 4 : 0) + (slot.atRest ? 8 : 0) : 3);
      return this.#raw.encode(sequence, ...flatten(slots, this.#names, mark));
    }

    ack(sequence) {
      this.#raw.ack(sequence);
    }

    free() {
      this.#raw.free();
    }
  }

  class Decoder {
    #raw;
    #names;

    constructor(settings) {
      this.#raw = new raw.RawDecoder(...flatSettings(settings));
      this.#names = namesOf(settings);
    }

    decode(packet, horizon) {
      const sequence = this.#raw.decode(bytesOf('packet', packet), horizon);
      const slots = unflatten(this.#raw.floats(), this.#raw.numbers(), this.#names, (flags, object) =>
        (flags & 3) === 3 ? null : Object.assign(object, { life: flags & 3, interacting: (flags & 4) !== 0, atRest: (flags & 8) !== 0 }),
      );
      return { sequence, slots };
    }

    free() {
      this.#raw.free();
    }
  }

  return { Server, Client, Encoder, Decoder, errorName: raw.name_of_error };
}
