// Packets of inputs, and acknowledgements of sync packets (FORMAT.md, sections 11 and S6).

import { Bits, refuse } from '../../../codec/tests/decoder/bits.mjs';

/** Newest frame and inputs, oldest first, of a packet of deterministic lockstep. */
export function readInputs(bytes, horizon) {
  const bits = new Bits(bytes);
  const newest = bits.u(16);
  const ahead = (newest - horizon) & 0xffff;
  if (ahead > 0 && ahead < 32_768) refuse('TooFarAhead');
  const inputs = [bits.u(6)];
  const count = bits.u(9);
  if (count === 0) refuse('NoInputs');
  while (inputs.length < count) {
    const before = inputs.at(-1);
    const changed = bits.flag();
    const input = changed ? bits.u(6) : before;
    if (changed && input === before) refuse('InputNotChanged');
    inputs.push(input);
  }
  bits.end();
  return { newest, inputs };
}

/** The newest packet that is acknowledged, and bit i for packet newest - 1 - i. */
export function readSyncAck(bytes) {
  const bits = new Bits(bytes);
  const ack = { newest: bits.u(32), earlier: bits.u(32) };
  bits.end();
  return ack;
}
