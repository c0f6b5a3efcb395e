// The link that an address opens.

/** The link of an address without a link: the right view trails, and cuts corners that one sees. */
const START = 'v=2&hz=10&codec=changed-flags&loss=5&interp=linear&scene=katamari';
/** Ticks before the still that is shown to people who asked for less motion: cubes have been touched by then. */
export const TELLING_TICKS = 420;

/** Returns false for a fragment that names a place on the page; a fragment without anything is the link of the start. */
export function isLink(hash: string): boolean {
  return hash.length <= 1 || decoded(hash).includes('=');
}

/** The link of an address; an address without one opens the start. */
export function opening(hash: string): string {
  return hash.length > 1 && isLink(hash) ? hash : START;
}

/** A fragment as it is shown: programs that pass links on encode some characters. Anything malformed stays as it is. */
export function decoded(hash: string): string {
  return hash.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** Returns true if a link leads to an instant. */
export function namesAnInstant(hash: string): boolean {
  return /[#&]at=\d/.test(decoded(hash));
}

/** Lets an embedded page begin with a still, if its link names no instant. */
export function withStill(hash: string): string {
  const parts = decoded(hash).slice(1).split('&');
  const still = parts.includes('embed=1') && !parts.some((part) => part.startsWith('at='));
  return still ? `${hash}&at=${TELLING_TICKS}` : hash;
}
