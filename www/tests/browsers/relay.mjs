// A relay of datagrams between two ends of a connection: it delays all, loses a share of them, and counts.
// @ts-check

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Length in bytes from which a datagram carries data, from each end: a host's snapshots are longer than a guest's keys. Shorter ones
 * acknowledge, or ask whether the other end is there.
 */
const DATA_BYTES = [98, 60];
/** Most time that a datagram waits for the line, ms. */
const QUEUE_MS = 2_000;

/**
 * Datagrams with data of one direction so far, and the sum of the times for which those that passed were held.
 * @typedef {{ passed: number, lost: number, heldMs: number }} Counts
 */

/**
 * Loses a share of the datagrams of one kind. In each block of as many as one loss needs, a drawn one is lost: so the share of a
 * minute is the asked one, and its places are not.
 * @param {() => number} draw
 */
function loser(draw) {
  let [at, block, lost] = [0, 0, 0];
  /** @param {number} share */
  return (share) => {
    if (share === 0) return false;
    if (at >= block) {
      at = 0;
      block = Math.round(1 / share);
      lost = Math.floor(draw() * block);
    }
    at += 1;
    return at - 1 === lost;
  };
}

/** Opens a relay at an address of this machine. Each end sends to a port that stands for the other. @param {string} address */
export async function openRelay(address) {
  let state = 11;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const link = { delayMs: 0, share: 0, kbps: Number.POSITIVE_INFINITY };
  const sides = await Promise.all(
    DATA_BYTES.map(async (dataBytes) => {
      const socket = createSocket('udp4').bind(0, address);
      await once(socket, 'listening');
      /** @type {Counts} */
      const counts = { passed: 0, lost: 0, heldMs: 0 };
      /** @type {{ port: number, address: string } | undefined} */
      let end;
      return { socket, counts, end, dataBytes, freeMs: 0, loses: [loser(draw), loser(draw)] };
    }),
  );
  for (const [at, side] of sides.entries()) {
    const other = sides[1 - at];
    side.socket.on('message', (datagram, from) => {
      side.end = from;
      const cameMs = performance.now();
      const isData = datagram.length >= side.dataBytes;
      const waitsMs = Math.max(side.freeMs - cameMs, 0);
      const isLost = waitsMs > QUEUE_MS || side.loses[Number(isData)]?.(link.share) === true;
      if (isData) side.counts[isLost ? 'lost' : 'passed'] += 1;
      if (isLost) return;
      side.freeMs = cameMs + waitsMs + (datagram.length * 8) / link.kbps;
      setTimeout(
        () => {
          if (other?.end === undefined) return;
          other.socket.send(datagram, other.end.port, other.end.address);
          if (isData) side.counts.heldMs += performance.now() - cameMs;
        },
        side.freeMs - cameMs + link.delayMs,
      );
    });
  }
  return {
    /** Ports that stand for the other end: the first end sends to the first one. */
    ports: sides.map(({ socket }) => socket.address().port),
    /** Sets delay in ms, share of losses and rate, each way. @param {number} delayMs @param {number} share @param {number | undefined} kbps */
    set: (delayMs, share, kbps) => Object.assign(link, { delayMs, share, kbps: kbps ?? Number.POSITIVE_INFINITY }),
    /** Counts of both directions: from the first end, and from the second. */
    counts: () => sides.map(({ counts }) => counts),
  };
}
