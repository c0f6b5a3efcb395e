// The first screen and the settings beside it; importing an element defines it. `closer.ts` has the other elements.

import './form/controls';
import './form/search';
import './time/cut';
import './links/embed';
import './figures/bandwidth';
import './form/lanes';
import './front/bar';
import './front/sentence';
import './front/controls';
import './form/link-sources';
import './shell/notices';
import './form/presets';
import './links/share';
import './time/split';
import './shell/tabs';
import './time/timeline';
import './shell/toolbar';
import './time/transport';
import './views/views';
import { loadRest } from '../pkg/snapshot_web';
import { lab } from './lab';
import { bringBack } from './links/files';
import { keepLinkCurrent } from './links/link';
import { bringBackClient } from './motion/client';
import { openDesk } from './shell/desk';
import { listenToKeys } from './shell/keys';
import { keepForOffline } from './shell/offline';
import { listenToSwipes } from './shell/swipe';
import { startLoop } from './time/loop';
import './motion/motion';
import './form/trace';
import { useTrace } from './motion/network';
import { playPile } from './motion/pile';
import { play } from './motion/play';
import { showByStrategy } from './shell/strategy';

/** Time until another try to load what did not arrive. */
const AGAIN_MS = 5000;
/** Longest time that the rest of the program waits for an idle processor. */
const MOST_WAIT_MS = 2000;

// A part of another page leaves that page's history alone.
if (!lab.viewState.embed) {
  const bring = () => {
    void bringBack({ motion: (file) => play(file), trace: (file) => useTrace(file), client: bringBackClient });
    void playPile();
  };
  keepLinkCurrent(bring);
  bring();
} else void playPile();
showByStrategy();
if (!lab.viewState.embed) openDesk();
startLoop();
listenToKeys();
listenToSwipes();
document.documentElement.dataset['ready'] = '';
// After the first pictures, whose frames a slow processor has no time beside.
requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(() => void loadCloser())));

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: MOST_WAIT_MS });
  else setTimeout(act, MOST_WAIT_MS);
}

/** Loads the rest of the program, and then the elements that need it. */
async function loadCloser(): Promise<void> {
  try {
    await loadRest();
    await import('./closer');
    if (!lab.viewState.embed) keepForOffline();
  } catch {
    setTimeout(() => void loadCloser(), AGAIN_MS);
  }
}
