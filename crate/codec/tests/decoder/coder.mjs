// The coder of rungs 12 to 14 (FORMAT.md, section 13).

import { refuse } from './bits.mjs';

/** A distribution that adapts. */
export class Distribution {
  constructor(before) {
    this.ends = before ? [...before.ends] : Array.from({ length: 15 }, (_, i) => 2048 * (i + 1));
    this.age = before?.age ?? 0;
  }

  /** The share of a class out of 32,768. */
  share(s) {
    return (this.ends[s] ?? 32_768) - (this.ends[s - 1] ?? 0);
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
  symbol(one, other = one) {
    const s = this.classBy(one.ends.map((end, i) => end + other.ends[i]));
    one.adapt(s);
    if (other !== one) other.adapt(s);
    return s;
  }

  /** A class by 15 ends out of 65,536. */
  classBy(ends) {
    const splits = ends.map((end) => Math.floor((this.range * end) / 65_536));
    splits.push(this.range);
    const { value } = this;
    const s = splits.findIndex((split) => split > value);
    this.take(s === 0 ? 0 : splits[s - 1], splits[s]);
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
