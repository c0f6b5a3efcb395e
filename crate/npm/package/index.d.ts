export interface Field { name: string; /** 1 to 24. */ bits: number; /** True where it mostly changes by a little. */ counter?: boolean }

/** The encodings, from the first. The usual build has none above `arithmetic`, the build `snapshot-codec/full` has all. */
export type Rung =
  | 'uncompressed' | 'smallest-three' | 'velocity' | 'at-rest' | 'no-velocity' | 'position' | 'not-changed' | 'index'
  | 'relative-index' | 'relative-position' | 'relative-orientation' | 'changed-flags' | 'arithmetic' | 'predicted';

/** An address: a text, a number, or what Node.js tells of a datagram, which becomes `address:port`. */
export type Address = string | number | bigint | { readonly address: string; readonly port: number };

/** Settings that server and clients agree on. */
export interface Settings {
  /** Most objects at a time, 1 to 4096. */
  objects: number;
  /** Ticks a second of the server, 10 to 240. The number after a semicolon is the usual value: 60. */
  tickRate?: number;
  /** Packets a second for each client; 20. */
  sendRate?: number;
  /** Whole metres; from -256, -256, 0 to 256, 256, 32. */
  bounds?: { lower: [number, number, number]; upper: [number, number, number] };
  /** 9, 9 and 5. */
  bits?: { position?: number; orientation?: number; velocity?: number };
  rung?: Rung;
  class?: 'strict' | 'chained';
  /** Most bytes of a datagram, 256 to 65,507; 1,200. */
  mtu?: number;
  /** 0 to 16; 8. */
  kindBits?: number;
  /** At most 16. */
  fields?: Field[];
  /** Most clients at a time; 64. */
  clients?: number;
  /** Most inputs in a datagram, 1 to 64; 16. An input is repeated until the server has it. */
  inputRepeats?: number;
  /** Time by which inputs should arrive before the server needs them, ms. Without it: one tick, and one for each further copy that the loss calls for. */
  inputLeadMs?: number;
  /** Budget of each client's datagrams, kbit/s with the headers of IP and UDP, 8 or more. A packet is one datagram then, with the objects that fit. Without it each packet has all objects. */
  budgetKbps?: number;
  /** With a budget: most datagrams of a packet, 1 to 16; 1. It has further ones if the budget has room for full ones. If one is lost, all objects of the packet are sent again. With `congestionControl` a packet is one. */
  datagramsAPacket?: number;
  /** A client's budget falls where its way has a queue; off. */
  congestionControl?: 'off' | 'on';
  /** Budget of all datagrams of a client to the server, 8 to 1,000,000 kbit/s with the headers of IP and UDP; none. */
  uploadKbps?: number;
  /** An object outside the bounds is left out, or sent at the nearest place within; leave-out. */
  outOfBounds?: 'leave-out' | 'clamp';
  /** The way between two snapshots; hermite. */
  interpolation?: 'none' | 'linear' | 'slerp' | 'hermite' | 'extrapolate';
  /** A constant delay, ms, from the arrival of the first packet on. Without it the delay follows the network: about one in a minute may come too late. */
  delayMs?: number;
  /** Without `delayMs`: number of times in a minute that play may stand still, above 0; 1. */
  freezesPerMinute?: number;
  /** Without `delayMs`: greatest change of the speed of play, 0 to 0.5; 0.05. */
  speedChange?: number;
  /** Without `delayMs`: greatest delay. */
  mostDelayMs?: number;
}

export interface SentObject {
  id: number;
  kind?: number;
  position: ArrayLike<number>;
  /** x, y, z, w. */
  orientation?: ArrayLike<number>;
  /** m/s. Rungs up to `at-rest` send it; without it they send the way of the last tick. */
  velocity?: ArrayLike<number>;
  /** rad/s. */
  angularVelocity?: ArrayLike<number>;
  fields?: Record<string, number>;
  teleported?: boolean;
}

export interface ShownObject {
  id: number;
  kind: number;
  position: [number, number, number];
  orientation: [number, number, number, number];
  /** Known of objects that are seen in detail, and of all objects on rungs up to `at-rest`. */
  velocity: [number, number, number] | undefined;
  /** Known of objects that are seen in detail. */
  angularVelocity: [number, number, number] | undefined;
  fields: Record<string, number>;
  teleported: boolean;
  /** With a budget: age of the newest state that the client has of the object, when the newest packet left the server. */
  ageMs: number;
}

/** A connection as one end measures it. There is the way to the other end, here the way back. Rates are of the last second. */
export interface Figures {
  /** Smoothed, as in TCP. */
  roundTripMs: number | undefined;
  /** Least round trip of the last 35 to 40 s. */
  leastRoundTripMs: number | undefined;
  /** Share of the last datagrams that were lost. */
  lostThere: number;
  lostHere: number;
  sentDatagrams: number;
  sentBytes: number;
  receivedDatagrams: number;
  receivedBytes: number;
  /** Playout delay of a client. */
  delayMs: number | undefined;
  /** Number of times that play stood still, at a client. */
  freezes: number;
  /** Ticks from an input's arrival to its need: at a client the least of 5 s, at a server the last. */
  inputMarginTicks: number | undefined;
  /** Ticks for which a server had no input. */
  missingInputs: number;
  /** Missing inputs that came within four seconds after their tick. The other missing ones were lost. */
  lateInputs: number;
  /** Inputs of use that came first as a copy, in the datagram of a newer one. */
  repeatedInputs: number;
  /** Size of the largest datagram that arrives at the other end, and at this end, where the path carries less than `mtu`. */
  pathThereBytes: number | undefined;
  pathHereBytes: number | undefined;
  /** Datagrams and messages sent once that this end lost because the path is too small for them. */
  tooLarge: number;
  /** The rate at which the server's ticks arrive at a client. */
  serverTickRate: number | undefined;
  /** The rate at which an end with a budget may send bytes, kbit/s. */
  budgetKbps: number | undefined;
  /** Objects that a client with a budget sees, and of which the server knows it to have no state yet. */
  missingObjects: number;
  /** Messages that this end refused because their queue was full. */
  refusedMessages: number;
  /** Messages to be sent once that this end refused, as their queue was full or the budget had no room for them. */
  refusedSays: number;
}

/** Ids of objects that came or went: at a server in the last tick, at a client with the last `show`. */
export interface Changes { appeared: number[]; ended: number[] }

/** An object without the mark of a jump. */
export type StillObject = Omit<ShownObject, 'teleported'>;

/** Records all that a client is given, for `snapshot-lab replay`. `snapshot-codec/full` has it. */
export interface RecordOptions {
  /** Most bytes of the recording. A full one ends, and keeps its beginning. */
  mostBytes: number;
}

export class Server {
  /** The secret has 16 random bytes, and is another one each time the server starts. */
  constructor(settings: Settings, secret?: Uint8Array);
  /** `answer` is to be sent back. `joins` is a peer to `admit` or `refuse`, by its `token`. `refused` is a number; nothing changed then. `host` is the same for all addresses of a host, such as its IP address: at most eight of its clients wait to be admitted. */
  receive(nowMs: number, address: Address, bytes: Uint8Array, host?: Address): { answer?: Uint8Array; joins?: number; token?: Uint8Array; refused?: number };
  admit(peer: number): void;
  refuse(peer: number, why?: string): void;
  /** The next client that came, has the objects that it sees, or is gone, of those that were admitted. `path`: its path carries other datagrams than before; `figures` says which. `missed`, with peer 0: earlier events were dropped, as too many waited. `figures` is undefined for a player who left. */
  nextEvent(): { peer: number; event: 'joined' | 'playing' | 'goodbye' | 'silence' | 'replaced' | 'refused' | 'path' | 'missed' } | undefined;
  /** Takes the objects of a tick, and sends what is due. Without `sees` all clients see all objects. Of an object in `detail` a client gets the velocities, to predict it. A number is a priority, which counts where the client has a budget: of two objects the one goes first whose priority, times the time since it was sent, is greater. `detail` goes before all. Returns those that were left out because they cannot be sent; `errorName` has words for `why`. Throws for a tick that is not newer than the last, but keeps the connections alive: call it so, some four times a second, while the world is paused. */
  tick(nowMs: number, tick: number, objects: SentObject[], send: (address: string, bytes: Uint8Array) => void, sees?: (peer: number, id: number) => boolean | number | 'detail'): { id: number; why: number }[];
  /** A client's input for a tick; `undefined` where it is missing. To be asked for each tick in order, before `tick`. */
  input(peer: number, tick: number): Uint8Array | undefined;
  /** At most 1,000 bytes, once and in order. Throws if it is too long, its queue is full (some 64 kB), or the client is not connected. */
  message(peer: number, bytes: Uint8Array): void;
  /** A message that is sent once: it may be lost. */
  say(peer: number, bytes: Uint8Array): void;
  nextMessage(): { peer: number; bytes: Uint8Array } | undefined;
  /** A client's budget from now on, kbit/s; without a number none. Throws if the client is not connected. */
  setBudget(peer: number, kbps?: number): void;
  figures(peer: number): Figures | undefined;
  /** The objects as a client drew them, to the bit, by the `shown` of that client. `undefined` after 1.5 s. */
  seen(peer: number, shown: Uint8Array): StillObject[] | undefined;
  readonly changes: Changes;
  /** The client of an address. */
  peer(address: Address): number | undefined;
  readonly peers: number;
  free(): void;
}

export class Client {
  /** The token is the game's: its server judges it. It has at most 512 bytes. */
  constructor(settings: Settings, token?: Uint8Array, nonce?: Uint8Array, record?: RecordOptions);
  /** 0, or the number of the refusal. */
  receive(nowMs: number, bytes: Uint8Array): number;
  /** The next datagram that is due. To be called at each frame until it gives none. */
  send(nowMs: number): Uint8Array | undefined;
  /** The next change of the connection. `connected`: it begins, or begins anew, with another `peer`. `path`: the path carries other datagrams than before. `tickRate`: the server runs at another rate than before, by more than 15 %. `figures` has the numbers. */
  nextEvent(): 'connected' | 'path' | 'tickRate' | undefined;
  /** The objects to draw now. One that ended is shown up to the last snapshot that had it. */
  show(nowMs: number): ShownObject[];
  /** Shows the newest that can be shown from the next frame on: after a menu, or a loading screen. */
  goLive(): void;
  /** The next tick for which the game is to give an input. To be asked for at each frame until there is none. */
  nextInput(nowMs: number): number | undefined;
  /** The player's input for a tick that was due: at most 64 bytes. It is repeated until the server has it. */
  input(tick: number, bytes: Uint8Array): void;
  /** At most 1,000 bytes, once and in order. Throws if it is too long, or its queue is full (some 64 kB). */
  message(bytes: Uint8Array): void;
  /** A message that is sent once: it may be lost. */
  say(bytes: Uint8Array): void;
  nextMessage(): Uint8Array | undefined;
  readonly figures: Figures;
  /** 19 bytes that tell the instant which `show` gave last. `server.seen` draws it again, to judge a shot. */
  readonly shown: Uint8Array | undefined;
  readonly changes: Changes;
  /** The client's own number at the server, while it is connected. */
  readonly peer: number | undefined;
  /** The instant of the server that `show` gave last, in ticks. */
  readonly shownTick: number | undefined;
  /** The newest snapshot, for games that predict from there. */
  newest(): { tick: number; objects: StillObject[] } | undefined;
  /** A client of a `full` server asks again by itself. */
  readonly status: 'connecting' | 'full' | 'connected' | 'refused' | 'closed';
  /** The words of the game for a refused client, or else the reason. */
  readonly refusal: string | undefined;
  readonly restarts: number;
  readonly refused: number;
  goodbye(): Uint8Array | undefined;
  /** The recording so far. */
  readonly recording: Uint8Array | undefined;
  free(): void;
}

/** The words for the number of a refusal or an error. */
export function errorName(number: number): string | undefined;

/** Loads the wasm module once. All else waits for it. The source is a URL, a response or a promise of one, bytes, or a compiled module. */
export function init(source?: string | object): Promise<void>;
export default init;
