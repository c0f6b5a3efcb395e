// How a guest's page asks a host for a place, and gets a connection to it.

import { openChannel } from '../shell/channel';
import { CODE_MAX, type Code, codeOf, readCode } from './code';
import { NO_NETWORK } from './invitations';
import { hasPeers, PeerWire, usable } from './peer';
import { sdpOf } from './terms';
import { WindowWire } from './window-wire';
import type { Wire } from './wire';
import { FAREWELLS } from './words';

/** Longest wait for an answer from another window, and for a connection, ms. */
const ANSWER_MS = 4_000;
const CONNECTS_MS = 6_000;
/** A person carries the answer to a code. */
const BY_HAND_MS = 600_000;
const VERSION = 1;

/** A host's world, by its link without #, and whether somebody plays there already. */
export interface Room {
  link: string;
  full: boolean;
}

export interface Signalling {
  room(): Promise<Room>;
  /** Joins, and returns an open connection. It throws in words. The signal ends the wait. */
  join(name: string, signal: AbortSignal): Promise<Wire>;
  /** True if it can be tried again without a person. */
  readonly again: boolean;
}

export const NO_WEBRTC = 'This browser has no WebRTC: it can play with another of its own windows only.';
const NO_ANSWER = 'The host’s window does not answer: it may be closed';
/** Reasons for which a host's window refuses. */
const REFUSALS = {
  full: FAREWELLS.full,
  version: 'The host’s window is of another version: reload both',
  failed: 'The host’s window could not connect',
} as const;
const NO_CONNECTION = 'No connection came about: a firewall may be between the two, or the browser may not use the local network';

/** A request of a guest's window, and the answer of the host's. */
export interface JoinRequest {
  version: number;
  from: string;
  /** No name: the guest asks about the room alone. */
  name?: string;
  /** The guest's invitation; none if this machine has no address. */
  code?: string;
}
export interface Reply {
  to: string;
  room?: Room;
  code?: string;
  error?: keyof typeof REFUSALS;
}

/** Longest name and longest number of an asking window, letters. */
const [NAME_MAX, FROM_MAX] = [64, 64];

/** Reads a request of another window; undefined for anything else. */
export function readJoinRequest(data: unknown): JoinRequest | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { version, from, name, code } = data as Partial<Record<keyof JoinRequest, unknown>>;
  const isText = (text: unknown, most: number): text is string => typeof text === 'string' && text.length <= most;
  if (typeof version !== 'number' || !isText(from, FROM_MAX)) return undefined;
  if (!(name === undefined || isText(name, NAME_MAX)) || !(code === undefined || isText(code, CODE_MAX))) return undefined;
  return { version, from, ...(name === undefined ? {} : { name }), ...(code === undefined ? {} : { code }) };
}

/** The channel of a room, on which a host's window answers. */
export function roomChannel(room: string): BroadcastChannel | undefined {
  return openChannel(`snapshot-lab-room ${room}`);
}

export function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A host in another window of this browser. */
export function windowSignalling(room: string): Signalling {
  const ask = (request: Omit<JoinRequest, 'version' | 'from'>, from = randomName()): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const channel = roomChannel(room);
      const end = (): void => channel?.close();
      setTimeout(() => reject(new Error(NO_ANSWER)), ANSWER_MS);
      if (channel === undefined) return;
      channel.onmessage = ({ data }: MessageEvent<Reply | null>) => {
        if (data?.to !== from) return;
        end();
        if (data.error === undefined) resolve(data);
        else reject(new Error(REFUSALS[data.error] ?? NO_ANSWER));
      };
      setTimeout(end, ANSWER_MS);
      channel.postMessage({ version: VERSION, from, ...request } satisfies JoinRequest);
    });
  const overNetwork = async (name: string): Promise<Wire | undefined> => {
    const wire = new PeerWire();
    const terms = usable(await wire.offer());
    const answer = terms && (await ask({ name, code: await codeOf({ kind: 'invitation', id: room, words: '', terms }) }));
    if (answer?.code !== undefined) {
      await wire.accept(sdpOf((await readCode(answer.code)).terms));
      if (await wire.opens(CONNECTS_MS)) return wire;
    }
    wire.close();
    return undefined;
  };
  return {
    again: true,
    room: async () => {
      const { room } = await ask({});
      if (room === undefined) throw new Error('The host’s window is of another version: reload it');
      return room;
    },
    join: async (name) => {
      const peer = hasPeers() ? await overNetwork(name) : undefined;
      if (peer !== undefined) return peer;
      const own = randomName();
      await ask({ name }, own);
      const wire = new WindowWire(own);
      wire.open();
      return wire;
    },
  };
}

/** An invitation by code. `show` gets the answer that a person brings to the host. */
export function codeSignalling(code: Code, show: (answer: string) => void): Signalling {
  return {
    again: false,
    room: async () => ({ link: code.words, full: false }),
    join: async (name, signal) => {
      if (!hasPeers()) throw new Error(NO_WEBRTC);
      const wire = new PeerWire();
      signal.addEventListener('abort', () => wire.close());
      const description = await wire.answer(sdpOf(code.terms)).catch(() => undefined);
      const terms = description && usable(description);
      if (terms === undefined) {
        wire.close();
        throw new Error(description === undefined ? UNUSABLE : NO_NETWORK);
      }
      show(await codeOf({ kind: 'answer', id: code.id, words: name, terms }));
      const end = await wire.opensByHand(BY_HAND_MS);
      if (end === 'open') return wire;
      wire.close();
      throw new Error(end === 'refused' ? NOT_TAKEN : NO_CONNECTION);
    },
  };
}

const UNUSABLE = 'This browser cannot use the invitation';
const NOT_TAKEN = 'The host did not take this answer: another guest’s came first, or it was too late';
