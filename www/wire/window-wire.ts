// Datagrams between two windows of one browser, by a channel of this site. They are never lost, and no network is asked.

import { openChannel } from '../shell/channel';
import { Wire } from './wire';

const CLOSED = 'closed';
/** Messages after which the other window gets its turn. */
const BURST = 8;

export class WindowWire extends Wire {
  readonly kind = 'window';
  readonly buffered = 0;
  private readonly channel: BroadcastChannel | undefined;
  private posted = 0;

  /** Opens the connection with a name that both ends know. */
  constructor(name: string) {
    super();
    this.channel = openChannel(`snapshot-lab-wire ${name}`);
    if (this.channel === undefined) return;
    this.channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === CLOSED) this.close();
      else if (typeof data === 'object' && data !== null && 'datagram' in data) this.hearDatagram(data.datagram);
      else if (typeof data === 'object' && data !== null && 'message' in data) this.hearMessage(data.message);
    };
    // A page that goes away says so: there is no other sign of it.
    addEventListener('pagehide', this.leave);
  }

  /** Both ends have the channel. */
  open(): void {
    this.become(this.channel === undefined ? 'closed' : 'open');
  }

  override post(message: string | Uint8Array<ArrayBuffer>): void {
    this.posted += 1;
    this.channel?.postMessage({ message });
  }

  override async drained(): Promise<void> {
    if (this.posted % BURST !== 0) return;
    const turn = new MessageChannel();
    await new Promise((resolve) => {
      turn.port1.onmessage = resolve;
      turn.port2.postMessage('');
    });
    turn.port1.close();
  }

  protected override transmit(datagram: Uint8Array<ArrayBuffer>): void {
    this.channel?.postMessage({ datagram });
  }

  protected override shut(): void {
    removeEventListener('pagehide', this.leave);
    this.channel?.postMessage(CLOSED);
    this.channel?.close();
  }

  private readonly leave = (): void => this.close();
}
