// The description of one end of a connection, as checked parts. The description that a browser gets is written anew from them:
// no line of anybody else's reaches it.

/** The parts of a session description that data channels need. */
export interface Terms {
  ufrag: string;
  pwd: string;
  /** SHA-256 of the certificate. */
  fingerprint: string;
  setup: string;
  /** Addresses, each as in RFC 8839, without the name of the attribute. */
  candidates: readonly string[];
}

const CANDIDATES_MAX = 24;
const UFRAG = /^[A-Za-z0-9+/]{4,256}$/;
const PWD = /^[A-Za-z0-9+/]{22,256}$/;
const FINGERPRINT = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const SETUP = /^(?:actpass|active|passive)$/;
/** A UDP address of the first component. What browsers add behind it is left out. */
const CANDIDATE = /^[A-Za-z0-9+/]{1,32} 1 udp \d{1,10} [\w.:-]{1,253} \d{1,5} typ (?:host|srflx|prflx|relay)(?: raddr [\w.:-]{1,253} rport \d{1,5})?/i;

/** Reads a browser's description; undefined if a part is missing. */
export function termsOf(sdp: string): Terms | undefined {
  const all = (name: string): string[] => [...sdp.matchAll(new RegExp(`^a=${name}:(.*?)\\r?$`, 'gm'))].map(([, value = '']) => value.trim());
  const [ufrag = ''] = all('ice-ufrag');
  const [pwd = ''] = all('ice-pwd');
  const [setup = ''] = all('setup');
  const fingerprint =
    all('fingerprint')
      .find((value) => /^sha-256 /i.test(value))
      ?.slice(8)
      .toUpperCase() ?? '';
  // Parts of the same name in two descriptions would belong to no channel of ours.
  if (!/^m=application /m.test(sdp) || (sdp.match(/^m=/gm) ?? []).length !== 1) return undefined;
  const candidates = all('candidate').flatMap((value) => CANDIDATE.exec(value)?.[0] ?? []);
  return checked({ ufrag, pwd, fingerprint, setup, candidates: candidates.slice(0, CANDIDATES_MAX) });
}

/** Returns the terms if every part is one; undefined otherwise. */
export function checked(terms: Terms): Terms | undefined {
  const { ufrag, pwd, fingerprint, setup, candidates } = terms;
  const isWhole = (candidate: string): boolean => CANDIDATE.exec(candidate)?.[0] === candidate;
  const isSound = UFRAG.test(ufrag) && PWD.test(pwd) && FINGERPRINT.test(fingerprint) && SETUP.test(setup);
  return isSound && candidates.length <= CANDIDATES_MAX && candidates.every(isWhole) ? terms : undefined;
}

/** Writes the description for the other end's browser. */
export function sdpOf({ ufrag, pwd, fingerprint, setup, candidates }: Terms): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${setup}`,
    'a=mid:0',
    'a=sctp-port:5000',
    'a=max-message-size:262144',
    ...candidates.map((candidate) => `a=candidate:${candidate}`),
    '',
  ].join('\r\n');
}
