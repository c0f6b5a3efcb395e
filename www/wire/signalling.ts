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
export const VERSION = 2;

/** A guest's connection, and the link of the host's world without #. */
export interface Joined {
  link: string;
  wire: Wire;
}

export interface Signalling {
  /** Joins, and returns an open connection. It throws in words. The signal ends the wait. */
  join(signal: AbortSignal): Promise<Joined>;
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
  /** Random letters, which name the connection between the two windows, too. */
  from: string;
  /** The guest's invitation; none for a connection from window to window. */
  code?: string;
}
export interface Reply {
  to: string;
  link: string;
  code?: string;
  error?: keyof typeof REFUSALS;
}

/** Longest letters of an asking window. */
const FROM_MAX = 64;

/** Reads a request of another window; undefined for anything else. */
export function readJoinRequest(data: unknown): JoinRequest | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { version, from, code } = data as Partial<Record<keyof JoinRequest, unknown>>;
  const isText = (text: unknown, most: number): text is string => typeof text === 'string' && text.length <= most;
  if (typeof version !== 'number' || !isText(from, FROM_MAX) || !(code === undefined || isText(code, CODE_MAX))) return undefined;
  return { version, from, ...(code === undefined ? {} : { code }) };
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
  const ask = (code?: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const channel = roomChannel(room);
      const from = randomName();
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
      channel.postMessage({ version: VERSION, from, ...(code === undefined ? {} : { code }) } satisfies JoinRequest);
    });
  const overNetwork = async (): Promise<Joined | undefined> => {
    const wire = new PeerWire();
    const terms = usable(await wire.offer());
    const answer = terms && (await ask(await codeOf({ kind: 'invitation', id: room, words: '', terms })));
    if (answer?.code !== undefined) {
      await wire.accept(sdpOf((await readCode(answer.code)).terms));
      if (await wire.opens(CONNECTS_MS)) return { link: answer.link, wire };
    }
    wire.close();
    return undefined;
  };
  return {
    again: true,
    join: async () => {
      const joined = hasPeers() ? await overNetwork() : undefined;
      if (joined !== undefined) return joined;
      const { to, link } = await ask();
      const wire = new WindowWire(to);
      wire.open();
      return { link, wire };
    },
  };
}

/** An invitation by code. `show` gets the answer that a person brings to the host. */
export function codeSignalling(code: Code, show: (answer: string) => void): Signalling {
  return {
    again: false,
    join: async (signal) => {
      if (!hasPeers()) throw new Error(NO_WEBRTC);
      const wire = new PeerWire();
      signal.addEventListener('abort', () => wire.close());
      const description = await wire.answer(sdpOf(code.terms)).catch(() => undefined);
      const terms = description && usable(description);
      if (terms === undefined) {
        wire.close();
        throw new Error(description === undefined ? UNUSABLE : NO_NETWORK);
      }
      show(await codeOf({ kind: 'answer', id: code.id, words: '', terms }));
      if (await wire.opensByHand(BY_HAND_MS)) return { link: code.words, wire };
      wire.close();
      throw new Error(NO_CONNECTION);
    },
  };
}

const UNUSABLE = 'This browser cannot use the invitation';
