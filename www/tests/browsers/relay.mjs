// A relay of datagrams between two ends of a connection: it delays all, loses a share of them, and counts.
// @ts-check

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Shorter ones acknowledge, or ask whether the other end is there; the longer ones carry data. Bytes. */
const SHORT_BYTES = 110;

/**
 * Counts of one direction since the last time that they were read.
 * @typedef {{ passed: number, lost: number, heldMs: number, bytes: number }} Counts
 */

/**
 * Loses a share of the datagrams of one kind. In each block of as many as one loss needs, a drawn one is lost: so the share of a
 * minute is the asked one, and its places are not.
 * @param {() => number} draw
 */
function loser(draw) {
  let [at, block, lost] = [0, 0, -1];
  /** @param {number} share */
  return (share) => {
    if (at >= block) [at, block, lost] = [0, Math.round(1 / share), -1];
    if (at === 0) lost = Math.floor(draw() * block);
    at += 1;
    return share > 0 && at - 1 === lost;
  };
}

/** Opens a relay at an address of this machine. Each end sends to a port that stands for the other. @param {string} address */
export async function openRelay(address) {
  let state = 11;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const link = { delayMs: 0, share: 0 };
  const sides = await Promise.all(
    [0, 1].map(async () => {
      const socket = createSocket('udp4').bind(0, address);
      await once(socket, 'listening');
      /** @type {Counts} */
      const counts = { passed: 0, lost: 0, heldMs: 0, bytes: 0 };
      return { socket, counts, end: /** @type {{ port: number, address: string } | undefined} */ (undefined), loses: [loser(draw), loser(draw)] };
    }),
  );
  for (const [at, side] of sides.entries()) {
    const other = sides[1 - at];
    if (other === undefined) continue;
    side.socket.on('message', (datagram, from) => {
      side.end = from;
      const cameMs = performance.now();
      const isLong = datagram.length >= SHORT_BYTES;
      const isLost = side.loses[Number(isLong)]?.(link.share) ?? false;
      if (isLong) side.counts[isLost ? 'lost' : 'passed'] += 1;
      if (isLost) return;
      const pass = () => {
        if (other.end === undefined) return;
        other.socket.send(datagram, other.end.port, other.end.address);
        if (isLong) side.counts.heldMs += performance.now() - cameMs;
        side.counts.bytes += datagram.length;
      };
      if (link.delayMs === 0) pass();
      else setTimeout(pass, link.delayMs);
    });
  }
  return {
    /** Ports that stand for the other end: the first end sends to the first one. */
    ports: sides.map(({ socket }) => socket.address().port),
    /** Delay in ms and share of losses, each way. @param {number} delayMs @param {number} share */
    set: (delayMs, share) => Object.assign(link, { delayMs, share }),
    /** Takes the counts of both directions: from the first end, and from the second. @returns {Counts[]} */
    take: () =>
      sides.map((side) => {
        const counts = { ...side.counts };
        Object.assign(side.counts, { passed: 0, lost: 0, heldMs: 0, bytes: 0 });
        return counts;
      }),
  };
}
