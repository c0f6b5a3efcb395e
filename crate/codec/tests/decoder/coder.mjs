// The two coders (FORMAT.md, section 13).

import { refuse } from './bits.mjs';

/** Reads decisions, each of a probability out of 65,536. */
export class RangeCoder {
  constructor(bytes) {
    this.bytes = bytes;
    this.next = 0;
    this.low = 0;
    this.high = 2 ** 32 - 1;
    this.value = 0;
    for (let i = 0; i < 4; i += 1) this.value = this.value * 256 + this.byte();
  }

  byte() {
    const byte = this.next < this.bytes.length ? this.bytes[this.next] : 0;
    this.next += 1;
    return byte;
  }

  decide(p) {
    // 48 bits: exact as a JavaScript number.
    const split = this.low + Math.floor(((this.high - this.low) * (65_536 - p)) / 65_536);
    const bit = this.value > split;
    if (bit) this.low = split + 1;
    else this.high = split;
    while (this.low >>> 24 === this.high >>> 24) {
      this.low = (this.low * 256) % 2 ** 32;
      this.high = (this.high * 256 + 255) % 2 ** 32;
      this.value = (this.value * 256 + this.byte()) % 2 ** 32;
    }
    return bit;
  }

  /** n decisions of which nothing is expected. */
  u(n) {
    let value = 0;
    for (let i = 0; i < n; i += 1) value = value * 2 + (this.decide(32_768) ? 1 : 0);
    return value;
  }

  flag() {
    return this.u(1) === 1;
  }

  /** Ends the packet: these bytes are the shortest for these decisions. */
  end() {
    if (this.bytes.length > this.next) refuse('TrailingBytes');
    if (this.bytes.length > 0 && this.bytes.at(-1) === 0) refuse('NotShortest');
    if (this.value !== this.shortest()) refuse('NotShortest');
  }

  /** The number in [low, high] with the most zero bytes at its end, of these the lowest. */
  shortest() {
    for (const unit of [2 ** 32, 2 ** 24, 2 ** 16, 2 ** 8]) {
      const value = Math.ceil(this.low / unit) * unit;
      if (value <= this.high) return value;
    }
    return this.low;
  }
}

/** A distribution that adapts. */
export class Distribution {
  constructor(before) {
    this.ends = before ? [...before.ends] : Array.from({ length: 15 }, (_, i) => 2048 * (i + 1));
    this.age = before?.age ?? 0;
  }

  adapt(s) {
    const rate = [1, 3, 8, 20, 50, 120].filter((age) => age <= this.age).length + 1;
    this.ends = this.ends.map((end, i) => end + (((i < s ? 6 * (i + 1) : 32_768 - 6 * (15 - i)) - end) >> rate));
    this.age += 1;
  }
}

/** Reads decisions, symbols and bits. */
export class SymbolCoder {
  constructor(bytes) {
    this.bytes = bytes;
    this.range = 2 ** 15;
    this.shifted = 0;
    // value = whole / 2^below.
    this.whole = bytes.reduce((whole, byte) => (whole << 8n) | BigInt(byte), 0n);
    this.below = 8 * bytes.length;
    this.double(15);
    this.shifted = 0;
  }

  double(n) {
    this.shifted += n;
    this.below -= n;
    if (this.below >= 0) return;
    this.whole <<= BigInt(-this.below);
    this.below = 0;
  }

  /** The whole part of the value. */
  get value() {
    return Number(this.whole >> BigInt(this.below));
  }

  subtract(from) {
    this.whole -= BigInt(from) << BigInt(this.below);
  }

  take(from, to) {
    this.subtract(from);
    this.range = to - from;
    while (this.range < 2 ** 15) {
      this.range *= 2;
      this.double(1);
    }
  }

  decide(p) {
    const split = Math.floor((this.range * (65_536 - p)) / 65_536);
    const bit = this.value >= split;
    if (bit) this.take(split, this.range);
    else this.take(0, split);
    return bit;
  }

  /** A class by the mean of two distributions, which may be the same one. */
  symbol(one, other) {
    const splits = one.ends.map((end, i) => Math.floor((this.range * (end + other.ends[i])) / 65_536));
    splits.push(this.range);
    const { value } = this;
    const s = splits.findIndex((split) => split > value);
    this.take(s === 0 ? 0 : splits[s - 1], splits[s]);
    one.adapt(s);
    if (other !== one) other.adapt(s);
    return s;
  }

  u(n) {
    if (n > 16) {
      const high = this.u(n - 16);
      return high * 65_536 + this.u(16);
    }
    this.double(n);
    const v = Math.floor(this.value / this.range);
    this.subtract(v * this.range);
    return v;
  }

  flag() {
    return this.u(1) === 1;
  }

  /** Ends the packet: these bytes are the shortest for these steps. */
  end() {
    const bits = 8 * this.bytes.length;
    if (bits > 63 + this.shifted) refuse('TrailingBytes');
    if (bits === 0) return;
    const last = this.bytes.at(-1);
    const unit = 1n << BigInt(15 + this.shifted - bits + this.below);
    if (last === 0 || this.whole >= unit) refuse('NotShortest');
    if (this.whole + BigInt(256 - last) * unit < BigInt(this.range) << BigInt(this.below)) refuse('NotShortest');
  }
}
