// Bits of a packet, and how packets are refused (FORMAT.md, sections 2 and 8).

/** A packet that is not of the format, with the name of section 8. */
export class Refused extends Error {
  constructor(name) {
    super(name);
    this.refusal = name;
  }
}

/** Refuses the packet. */
export function refuse(name) {
  throw new Refused(name);
}

/** Reads bits, most significant first. */
export class Bits {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** An unsigned number of n bits. */
  u(n) {
    if (this.at + n > this.bytes.length * 8) refuse('Truncated');
    let value = 0;
    for (let i = 0; i < n; i += 1, this.at += 1) {
      value = value * 2 + ((this.bytes[this.at >> 3] >> (7 - (this.at & 7))) & 1);
    }
    return value;
  }

  /** A number of n bits in two's complement. */
  s(n) {
    const value = this.u(n);
    return value >= 2 ** (n - 1) ? value - 2 ** n : value;
  }

  flag() {
    return this.u(1) === 1;
  }

  /** Ends the packet: no whole bytes are left, and the padding is zero. */
  end() {
    if (Math.ceil(this.at / 8) < this.bytes.length) refuse('TrailingBytes');
    while (this.at % 8 !== 0) if (this.flag()) refuse('NonZeroPadding');
  }
}

/** Bits that number so many values. */
export const bitsOf = (count) => Math.ceil(Math.log2(count));
