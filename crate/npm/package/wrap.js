// Objects as people write them, over the flat numbers of the wasm module. Bytes are copies: they stay whole when memory grows.

import { address, bytes, callback, finite, oneOf, only, truth, vector, whole } from './check.js';

const FLOATS = 14;
const HEAD = 3;
const UPRIGHT = [0, 0, 0, 1];
const EMPTY = {};

const between = (name, value, least, most) => {
  if (finite(name, value) < least || value > most) throw new RangeError(`${name} ${value}: must be ${least} to ${most}`);
  return value;
};

const random = (count) => crypto.getRandomValues(new Uint8Array(count));

const camel = (name) => name.replace(/_./g, ([, letter]) => letter.toUpperCase());

/** How a setting's value is read, by its kind. */
const READ = {
  whole: (name, value, { least, most }) => whole(name, value, most, least),
  number: (name, value, { least, most }) => between(name, value, least, most),
  choice: (name, value, { words }) => oneOf(name, words, value),
};

/** The settings as Rust has them: path, kind, words or bounds, and the usual value. */
function settingFields(raw) {
  const limits = raw.setting_limits();
  return raw
    .setting_names()
    .split('\n')
    .map((line, i) => {
      const [path, kind, ...words] = line.split(' ');
      return { path: path.split('.').map(camel), kind, words, least: limits[3 * i], most: limits[3 * i + 1], usual: limits[3 * i + 2] };
    });
}

/** Refuses names that no setting has. A group has names of its own; a list has as many numbers as places. */
function checkNames(name, value, paths) {
  const parts = [...new Set(paths.map(([part]) => part))];
  if (parts[0] === '0') return void vector(name, value, parts.length);
  only(name, name === 'settings' ? [...parts, 'fields'] : parts, value);
  for (const part of parts) {
    const inner = paths.filter(([first, ...rest]) => first === part && rest.length > 0).map(([, ...rest]) => rest);
    if (inner.length > 0 && value[part] !== undefined) checkNames(name === 'settings' ? part : `${name}.${part}`, value[part], inner);
  }
}

/** Settings as numbers, and the names of fields in lines. */
function flatSettings(raw, settings) {
  const all = settingFields(raw);
  checkNames(
    'settings',
    settings,
    all.map(({ path }) => path),
  );
  const numbers = all.map((field) => {
    const value = field.path.reduce((group, part) => group?.[part], settings);
    if (value === undefined && field.path[0] !== 'objects') return field.usual;
    return READ[field.kind](field.path.filter((part) => !/^\d/.test(part)).join('.'), value, field);
  });
  const { fields = [] } = settings;
  if (!Array.isArray(fields)) throw new TypeError('fields: must be an array');
  fields.forEach((field, i) => {
    const { name, bits, counter = false } = only(`field ${i}`, ['name', 'bits', 'counter'], field);
    if (typeof name !== 'string' || !/^[^\p{Cc}]+$/u.test(name)) throw new TypeError(`field ${i}: its name must be a text without control characters`);
    numbers.push(whole(`field ${name}: bits`, bits), Number(truth(`field ${name}: counter`, counter)));
  });
  return [Float64Array.from(numbers), fields.map((field) => field.name).join('\n')];
}

const namesOf = (settings) => (settings.fields ?? []).map((field) => field.name);

const SENT = ['id', 'kind', 'position', 'orientation', 'velocity', 'angularVelocity', 'fields', 'teleported'];

/** Objects as floats and integers. */
function flatten(objects, names) {
  if (!Array.isArray(objects)) throw new TypeError('objects: must be an array');
  const floats = new Float32Array(objects.length * FLOATS);
  const numbers = new Uint32Array(objects.length * (HEAD + names.length));
  objects.forEach((object, i) => {
    const at = i * (HEAD + names.length);
    numbers[at + 2] = Number(truth('teleported', object?.teleported ?? false));
    const {
      position,
      orientation = UPRIGHT,
      velocity,
      angularVelocity,
      id,
      kind = 0,
      fields = EMPTY,
    } = only(`object ${object?.id ?? `at ${i}`}`, SENT, object);
    const named = `object ${id}`;
    numbers[at] = whole(`object at ${i}: id`, id);
    numbers[at + 1] = whole(`${named}: kind`, kind);
    if (position === undefined) throw new TypeError(`${named}: it has no position`);
    floats.set(vector(`${named}: position`, position, 3), i * FLOATS);
    floats.set(vector(`${named}: orientation`, orientation, 4), i * FLOATS + 3);
    floats.fill(NaN, i * FLOATS + 7, (i + 1) * FLOATS);
    [velocity, angularVelocity].forEach((numbers, j) => {
      if (numbers === undefined) return;
      const name = `${named}: ${['velocity', 'angularVelocity'][j]}`;
      finite(name, vector(name, numbers, 3)[0]);
      floats.set(numbers, i * FLOATS + 7 + 3 * j);
    });
    for (const name in fields) if (!names.includes(name)) throw new TypeError(`${named}: the settings have no field "${name}"`);
    names.forEach((name, field) => (numbers[at + HEAD + field] = whole(`${named}: ${name}`, fields[name] ?? 0)));
  });
  return [floats, numbers];
}

const known = (floats, at) => (Number.isNaN(floats[at]) ? undefined : [floats[at], floats[at + 1], floats[at + 2]]);

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
        velocity: known(floats, f + 7),
        angularVelocity: known(floats, f + 10),
        ageMs: floats[f + 13],
        fields,
      }),
    );
  }
  return objects;
}

/** A raw client, which records if `record` says so. The usual build has no recordings. */
function makeClient(Raw, given, record) {
  if (record === undefined) return new Raw(...given);
  const { mostBytes } = only('record', ['mostBytes'], record);
  if (Raw.recorded === undefined) throw new TypeError('record: this build has no recordings, snapshot-codec/full has');
  return Raw.recorded(...given, whole('record.mostBytes', mostBytes));
}

const FIGURES = [
  'roundTripMs',
  'leastRoundTripMs',
  'lostThere',
  'lostHere',
  'sentDatagrams',
  'sentBytes',
  'receivedDatagrams',
  'receivedBytes',
  'delayMs',
  'freezes',
  'inputMarginTicks',
  'missingInputs',
  'lateInputs',
  'repeatedInputs',
  'pathThereBytes',
  'pathHereBytes',
  'tooLarge',
  'serverTickRate',
  'budgetKbps',
  'missingObjects',
  'refusedMessages',
  'refusedSays',
];

/** Figures by name, from their numbers. One that is not known is undefined. */
const figuresOf = (numbers) => numbers && Object.fromEntries(FIGURES.map((name, i) => [name, Number.isNaN(numbers[i]) ? undefined : numbers[i]]));

const changesOf = (ids) => ({ appeared: [...ids.subarray(1, 1 + ids[0])], ended: [...ids.subarray(1 + ids[0])] });

/** The classes, over the bindings of a wasm module. */
export function wrap(raw) {
  class Server {
    #raw;
    #names;

    constructor(settings, secret = random(16)) {
      this.#raw = new raw.RawServer(...flatSettings(raw, settings), bytes('secret', secret, 16));
      this.#names = namesOf(settings);
    }

    receive(nowMs, from, datagram, host) {
      const outcome = this.#raw.receive(finite('nowMs', nowMs), address(from), bytes('bytes', datagram), host && address(host));
      const rest = outcome.slice(1);
      if (outcome[0] === 1) return { answer: rest };
      if (outcome[0] === 2) return { joins: new DataView(rest.buffer).getUint32(0), token: rest.slice(4) };
      return outcome[0] === 3 ? { refused: rest[0] } : {};
    }

    admit(peer) {
      this.#raw.admit(whole('peer', peer));
    }

    refuse(peer, why = '') {
      this.#raw.refuse(whole('peer', peer), String(why));
    }

    nextEvent() {
      const event = this.#raw.next_event();
      return event && { peer: event[0], event: ['joined', 'playing', 'goodbye', 'silence', 'replaced', 'refused', 'path', 'missed'][event[1] - 1] };
    }

    tick(nowMs, tick, objects, send, sees) {
      const flat = flatten(objects, this.#names);
      if (sees !== undefined) callback('sees', sees);
      const at = [finite('nowMs', nowMs), whole('tick', tick, Number.MAX_SAFE_INTEGER)];
      const numbers = this.#raw.tick(...at, ...flat, sees, callback('send', send));
      return Array.from({ length: numbers.length / 2 }, (_, i) => ({ id: numbers[2 * i], why: numbers[2 * i + 1] }));
    }

    input(peer, tick) {
      return this.#raw.input(whole('peer', peer), whole('tick', tick, Number.MAX_SAFE_INTEGER));
    }

    message(peer, message) {
      this.#raw.message(whole('peer', peer), bytes('bytes', message), false);
    }

    say(peer, message) {
      this.#raw.message(whole('peer', peer), bytes('bytes', message), true);
    }

    nextMessage() {
      const message = this.#raw.next_message();
      return message && { peer: new DataView(message.buffer).getUint32(0), bytes: message.slice(4) };
    }

    setBudget(peer, kbps) {
      this.#raw.set_budget(whole('peer', peer), kbps === undefined ? kbps : between('kbps', kbps, 8, 1e6));
    }

    figures(peer) {
      return figuresOf(this.#raw.figures(whole('peer', peer)));
    }

    seen(peer, shown) {
      const numbers = this.#raw.seen(whole('peer', peer), bytes('shown', shown));
      return numbers && unflatten(this.#raw.floats(), numbers, this.#names, (_, object) => object);
    }

    get changes() {
      return changesOf(this.#raw.changes());
    }

    peer(from) {
      return this.#raw.peer(address(from)) || undefined;
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

    constructor(settings, token = new Uint8Array(), nonce = random(8), record) {
      this.#raw = makeClient(raw.RawClient, [...flatSettings(raw, settings), bytes('token', token), bytes('nonce', nonce, 8)], record);
      this.#names = namesOf(settings);
    }

    receive(nowMs, datagram) {
      return this.#raw.receive(finite('nowMs', nowMs), bytes('bytes', datagram));
    }

    send(nowMs) {
      return this.#raw.send(finite('nowMs', nowMs));
    }

    nextEvent() {
      return [undefined, 'connected', 'path', 'tickRate'][this.#raw.next_event() ?? 0];
    }

    show(nowMs) {
      const numbers = this.#raw.show(finite('nowMs', nowMs));
      const read = (teleported, object) => Object.assign(object, { teleported: teleported === 1 });
      return unflatten(this.#raw.floats(), numbers, this.#names, read);
    }

    goLive() {
      this.#raw.go_live();
    }

    nextInput(nowMs) {
      return this.#raw.next_input(finite('nowMs', nowMs));
    }

    input(tick, input) {
      this.#raw.input(whole('tick', tick, Number.MAX_SAFE_INTEGER), bytes('bytes', input));
    }

    message(message) {
      this.#raw.message(bytes('bytes', message), false);
    }

    say(message) {
      this.#raw.message(bytes('bytes', message), true);
    }

    nextMessage() {
      return this.#raw.next_message();
    }

    get figures() {
      return figuresOf(this.#raw.figures());
    }

    get shown() {
      return this.#raw.shown();
    }

    get changes() {
      return changesOf(this.#raw.changes());
    }

    get peer() {
      return this.#raw.peer() || undefined;
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

    get recording() {
      return this.#raw.recording?.();
    }

    free() {
      this.#raw.free();
    }
  }

  return { Server, Client, errorName: raw.name_of_error };
}
