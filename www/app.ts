// Everything on the page; importing an element defines it.

import './challenge/panel';
import './form/controls';
import './time/cut';
import './links/embed';
import './figures/bandwidth';
import './figures/breakdown';
import './figures/chart';
import './figures/compare';
import './figures/counters';
import './figures/freezes';
import './figures/worst';
import './figures/export';
import './figures/ladder';
import './figures/link';
import './figures/hand';
import './figures/lockstep';
import './figures/packets';
import './figures/sync';
import './figures/trade';
import './verdict/verdict';
import './verdict/judge';
import './figures/widths';
import './form/lanes';
import './front/bar';
import './front/sentence';
import './front/wish';
import './form/link-sources';
import './shell/notices';
import './form/presets';
import './links/share';
import './time/split';
import './shell/tabs';
import './time/timeline';
import './shell/toolbar';
import './tour/figure';
import './time/transport';
import './views/views';
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
import { play } from './motion/play';
import { showByStrategy } from './shell/strategy';
import { startTour } from './tour/panel';

// A part of another page leaves that page's history alone.
if (!lab.looking.embed) {
  const bring = () => void bringBack({ motion: (file) => play(file), trace: useTrace, client: bringBackClient });
  keepLinkCurrent(bring);
  bring();
}
showByStrategy();
if (!lab.looking.embed) openDesk();
startLoop();
listenToKeys();
listenToSwipes();
startTour();
document.documentElement.dataset['ready'] = '';
if (!lab.looking.embed) keepForOffline();
