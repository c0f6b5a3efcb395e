// The range coder (FORMAT.md, section 13).

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
