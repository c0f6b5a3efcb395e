// Refusals of values that no server or client can use: each names what it refuses. A wrong type is a `TypeError`, a
// value that does not fit a `RangeError`.

const WHOLE_MAX = 0xffffffff;

/** A number that is neither infinite nor NaN. */
export function finite(name, value) {
  if (typeof value !== 'number') throw new TypeError(`${name}: must be a number`);
  if (!Number.isFinite(value)) throw new RangeError(`${name} ${value}: must be finite`);
  return value;
}

/** A whole number. */
export function whole(name, value, most = WHOLE_MAX, least = 0) {
  if (typeof value !== 'number') throw new TypeError(`${name}: must be a number`);
  if (!Number.isInteger(value) || value < least || value > most) throw new RangeError(`${name} ${value}: must be a whole number, ${least} to ${most}`);
  return value;
}

/** A list of `length` numbers. */
export function vector(name, value, length) {
  if (typeof value !== 'object' || value === null || value.length !== length) throw new TypeError(`${name}: must have ${length} numbers`);
  for (let i = 0; i < length; i += 1) if (typeof value[i] !== 'number') throw new TypeError(`${name}: must have ${length} numbers`);
  return value;
}

/** Truth. */
export function truth(name, value) {
  if (typeof value !== 'boolean') throw new TypeError(`${name}: must be true or false`);
  return value;
}

/** One of several words. */
export function oneOf(name, words, value) {
  if (!words.includes(value)) throw new RangeError(`${name} "${String(value)}": must be one of ${words.join(', ')}`);
  return words.indexOf(value);
}

/** An object without names that mean nothing here. */
export function only(name, names, value) {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name}: must be an object`);
  for (const key in value) if (!names.includes(key)) throw new TypeError(`${name}: there is no "${key}"`);
  return value;
}

/** Bytes. Other values would become bytes without a word: a text would be zeros. */
export function bytes(name, value, length) {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name}: must be a Uint8Array`);
  if (length !== undefined && value.length !== length) throw new RangeError(`${name}: must have ${length} bytes`);
  return value;
}

export function callback(name, value) {
  if (typeof value !== 'function') throw new TypeError(`${name}: must be a function`);
  return value;
}

/** An address as a text: a text or a number itself, and of what Node.js tells of a datagram `address:port`. */
export function address(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value?.address === 'string' && typeof value.port === 'number') return `${value.address}:${value.port}`;
  throw new TypeError('address: must be a text, a number, or an object with address and port');
}
