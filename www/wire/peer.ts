// A connection over WebRTC: two data channels. No server of others is asked; a person may name one of their own.

import { remember, remembered } from '../shell/remember';
import { type Terms, termsOf } from './terms';
import { Wire } from './wire';

/** Longest wait for this machine's own addresses, ms. The ones that have come by then are taken. */
const GATHERING_MS = 2_500;
/** Bytes of messages that may wait before a file waits, too. */
const MESSAGES_HIGH = 1 << 20;
/** Time between two looks whether the other end asks, and time after which such a connection does not come any more, ms. */
const [LOOK_MS, ASKED_MS] = [1_000, 12_000];
const KEPT_AS = 'ice-server';
/** Labels of the two channels. The end that invites opens them. */
const [DATAGRAMS, MESSAGES] = ['datagrams', 'messages'];

/** False in browsers without WebRTC, such as those on WebKitGTK. */
export function hasPeers(): boolean {
  return typeof RTCPeerConnection === 'function';
}

/** The person's own server for strict firewalls, as they wrote it: address, user and password, with spaces between. */
export function iceServer(): string {
  return remembered(KEPT_AS) ?? '';
}

/** Keeps the person's own server. Returns false for a text that names none. */
export function setIceServer(text: string): boolean {
  const isServer = text.trim() === '' || serverOf(text) !== undefined;
  if (isServer) remember(KEPT_AS, text.trim() === '' ? null : text.trim());
  return isServer;
}

function serverOf(text: string): RTCIceServer | undefined {
  const [urls = '', username, credential] = text.trim().split(/\s+/);
  if (!/^(?:stuns?|turns?):[\w.:[\]-]{1,253}(?:\?transport=(?:udp|tcp))?$/.test(urls)) return undefined;
  return username === undefined || credential === undefined ? { urls } : { urls, username, credential };
}

export class PeerWire extends Wire {
  readonly kind = 'webrtc';
  private readonly peer: RTCPeerConnection;
  private readonly channels = new Map<string, RTCDataChannel>();

  constructor() {
    super();
    const server = serverOf(iceServer());
    this.peer = new RTCPeerConnection({ iceServers: server === undefined ? [] : [server] });
    this.peer.ondatachannel = ({ channel }) => this.add(channel);
    this.peer.onconnectionstatechange = () => {
      if (this.peer.connectionState === 'failed' || this.peer.connectionState === 'closed') this.close();
    };
  }

  get buffered(): number {
    return this.channels.get(DATAGRAMS)?.bufferedAmount ?? 0;
  }

  override get isAway(): boolean {
    return this.peer.connectionState === 'disconnected';
  }

  /** Writes the terms of an invitation; undefined where this machine has no address. */
  async invite(): Promise<Terms | undefined> {
    return usable(await this.offer());
  }

  /**
   * Waits for the connection of an answer that a person brings to the other end. Once that end asks for this one, the connection
   * comes within some seconds, or not at all. Returns true if it is open.
   */
  async opensByHand(patienceMs: number): Promise<boolean> {
    let isAsked = false;
    const look = async (): Promise<void> => {
      if (isAsked || !(await this.isAsked().catch(() => false))) return;
      isAsked = true;
      setTimeout(() => this.state === 'connecting' && this.close(), ASKED_MS);
    };
    const timer = setInterval(() => void look(), LOOK_MS);
    const isOpen = await this.opens(patienceMs);
    clearInterval(timer);
    return isOpen;
  }

  /** True once the other end has sent a check of a path (RFC 8445): it knows this end's answer. */
  private async isAsked(): Promise<boolean> {
    const all = [...(await this.peer.getStats()).values()] as { type: string; requestsReceived?: number; candidateType?: string }[];
    // Firefox counts no requests. A path that the other end found is one.
    return all.some(({ type, requestsReceived = 0, candidateType }) => requestsReceived > 0 || (type === 'remote-candidate' && candidateType === 'prflx'));
  }

  /** Writes an invitation. A machine without a network has no address in it. */
  async offer(): Promise<RTCSessionDescription> {
    this.add(this.peer.createDataChannel(DATAGRAMS, { ordered: false, maxRetransmits: 0 }));
    this.add(this.peer.createDataChannel(MESSAGES));
    await this.peer.setLocalDescription(await this.peer.createOffer());
    return this.gathered();
  }

  /** Answers an invitation. */
  async answer(sdp: string): Promise<RTCSessionDescription> {
    await this.peer.setRemoteDescription({ type: 'offer', sdp });
    await this.peer.setLocalDescription(await this.peer.createAnswer());
    return this.gathered();
  }

  async accept(sdp: string): Promise<void> {
    await this.peer.setRemoteDescription({ type: 'answer', sdp });
  }

  override post(data: string | Uint8Array<ArrayBuffer>): void {
    const channel = this.channels.get(MESSAGES);
    if (channel?.readyState !== 'open') return;
    // Two overloads take no union.
    if (typeof data === 'string') channel.send(data);
    else channel.send(data);
  }

  override async drained(): Promise<void> {
    const channel = this.channels.get(MESSAGES);
    if (channel === undefined || channel.bufferedAmount < MESSAGES_HIGH) return;
    await new Promise<void>((resolve) => {
      for (const event of ['bufferedamountlow', 'close']) channel.addEventListener(event, () => resolve(), { once: true });
    });
  }

  protected override transmit(datagram: Uint8Array<ArrayBuffer>): void {
    const channel = this.channels.get(DATAGRAMS);
    if (channel?.readyState === 'open') channel.send(datagram);
  }

  protected override shut(): void {
    this.peer.close();
  }

  /** Takes one of the two channels, whichever end has opened it. */
  private add(channel: RTCDataChannel): void {
    const { label } = channel;
    // A page of the lab opens these two, and no other.
    if ((label !== DATAGRAMS && label !== MESSAGES) || this.channels.has(label)) {
      this.close();
      return;
    }
    this.channels.set(label, channel);
    channel.binaryType = 'arraybuffer';
    channel.bufferedAmountLowThreshold = MESSAGES_HIGH / 4;
    channel.onmessage = ({ data }) => (label === DATAGRAMS ? this.hearDatagram(data) : this.hearMessage(data));
    channel.onclose = () => this.close();
    const open = (): void => {
      if (this.channels.size === 2 && [...this.channels.values()].every(({ readyState }) => readyState === 'open')) this.become('open');
    };
    channel.onopen = open;
    open();
  }

  /** Waits for the addresses of this machine: the description goes once, as a whole. */
  private async gathered(): Promise<RTCSessionDescription> {
    const { peer } = this;
    if (peer.iceGatheringState !== 'complete') {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, GATHERING_MS);
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve();
      });
    }
    if (peer.localDescription === null) throw new Error('The browser wrote no description of the connection');
    return peer.localDescription;
  }
}

/** Returns the terms of a description with an address; undefined where this machine has none. */
export function usable(description: RTCSessionDescription): Terms | undefined {
  const terms = termsOf(description.sdp);
  return terms === undefined || terms.candidates.length === 0 ? undefined : terms;
}
