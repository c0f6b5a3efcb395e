// A reload loses nothing: what a person did is no part of the address, and is kept for as long as the tab is open.

import type { Laboratory } from '../laboratory';
import { hasActs } from './parts';

const PLACE = 'before-the-reload';

interface Kept {
  /** The address of the recording, and the fragment that replays it. */
  address: string;
  moment: string;
}

/** The link to open in place of the address, if this is a reload of a page on which somebody had done something. */
export function beforeTheReload(): string | undefined {
  try {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as Kept | null;
    sessionStorage.removeItem(PLACE);
    return navigation?.type === 'reload' && kept?.address === location.hash ? kept.moment : undefined;
  } catch {
    // Where nothing may be stored a reload begins anew.
    return undefined;
  }
}

/** Keeps what was done when the page goes away. */
export function keepForReload(lab: Laboratory): void {
  window.addEventListener('pagehide', () => {
    // A motion of one's own is no part of a link: its file is brought back, or asked for.
    if (lab.motion !== undefined) return;
    try {
      const moment = lab.failure === undefined ? lab.page.share() : lab.kept?.moment;
      if (moment !== undefined && hasActs(moment))
        sessionStorage.setItem(PLACE, JSON.stringify({ address: location.hash, moment: `#${moment}` } satisfies Kept));
    } catch {
      // No link leads to what is too long ago.
    }
  });
}
