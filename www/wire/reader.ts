// The one reader of all that the other end of a connection sends. Size, depth and rate are bounded before anything else sees a byte.

/** A text of control, which has one value. */
export interface Control {
  /** A guest's page is hidden, or seen again. */
  hidden?: boolean;
  /** A file of so many bytes follows. */
  parcel?: number;
  /** The host asks for a file. */
  ask?: 'frames' | 'log';
  /** The host ends the play, and why. */
  end?: string;
}

/** Longest datagram, bytes. The package's are at most 1,200. */
export const DATAGRAM_BYTES_MAX = 4096;
/** Longest text of control, UTF-16 letters. */
export const TEXT_MAX = 512;
/** Longest part of a file, bytes. */
export const PART_BYTES_MAX = 1 << 16;
/** One value of a known name: so the depth is one. */
const CONTROL = /^\{"(?:hidden":(?:true|false)|parcel":\d{1,9}|ask":"(?:frames|log)"|end":"(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4}){0,400}")\}$/u;

/** Reads a text of control; undefined for any other text. */
export function readControl(text: string): Control | undefined {
  return text.length <= TEXT_MAX && CONTROL.test(text) ? (JSON.parse(text) as Control) : undefined;
}

/** An allowance that comes back with time: a token bucket. */
export class Allowance {
  private left: number;
  private atMs = 0;

  constructor(
    private readonly aSecond: number,
    private readonly most: number,
  ) {
    this.left = most;
  }

  /** Takes an amount, where so much is left. */
  take(amount: number, nowMs: number): boolean {
    this.left = Math.min(this.most, this.left + (Math.max(nowMs - this.atMs, 0) / 1000) * this.aSecond);
    this.atMs = Math.max(this.atMs, nowMs);
    if (this.left < amount) return false;
    this.left -= amount;
    return true;
  }
}

/** Bytes that a message costs at least. */
const LEAST_COST = 1024;
/** Faults that one of too many bytes counts as: the browser alone is busy with it. */
const TOO_LONG = 20;

/** Most datagrams a second of a guest, whose page sends one a frame, and of a host, whose snapshots may have many parts. */
export const [GUESTS_DATAGRAMS, HOSTS_DATAGRAMS] = [1_000, 10_000];
/** Time whose datagrams are read at once, after a page stood still, s. */
const STILL_S = 4;

export class Reader {
  private readonly datagrams: Allowance;
  private readonly texts = new Allowance(20, 100);
  /** Two of the longest files. */
  private readonly bytes = new Allowance(8 << 20, 128 << 20);
  /** Dropped texts and datagrams: a page of the lab comes near none of the limits. */
  private readonly faults = new Allowance(2, 200);
  private broken = false;

  /** Reads so many datagrams a second. */
  constructor(aSecond: number) {
    this.datagrams = new Allowance(aSecond, aSecond * STILL_S);
  }

  /** True once the other end has sent far more, or far other things, than a page of the lab does. Nothing is read from then on. */
  get isBroken(): boolean {
    return this.broken;
  }

  /** Reads a datagram; undefined if it is to be dropped. */
  datagram(data: unknown, nowMs: number): Uint8Array | undefined {
    if (this.broken) return undefined;
    const bytes = bytesOf(data);
    if (bytes === undefined || bytes.length > DATAGRAM_BYTES_MAX) return this.fault(nowMs, TOO_LONG);
    return this.datagrams.take(1, nowMs) ? bytes : this.fault(nowMs);
  }

  /** Reads a message: a text of control, or a part of a file; undefined if it is to be dropped. */
  message(data: unknown, nowMs: number): Control | Uint8Array | undefined {
    if (this.broken) return undefined;
    const bytes = bytesOf(data);
    const isLong = typeof data === 'string' ? data.length > TEXT_MAX : bytes === undefined || bytes.length > PART_BYTES_MAX;
    if (isLong) return this.fault(nowMs, TOO_LONG);
    if (typeof data === 'string') return (this.texts.take(1, nowMs) ? readControl(data) : undefined) ?? this.fault(nowMs);
    return this.bytes.take(Math.max(bytes?.length ?? 0, LEAST_COST), nowMs) ? bytes : this.fault(nowMs);
  }

  private fault(nowMs: number, count = 1): undefined {
    this.broken ||= !this.faults.take(count, nowMs);
    return undefined;
  }
}

function bytesOf(data: unknown): Uint8Array | undefined {
  if (data instanceof Uint8Array) return data;
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
}
