// Everything on the page; importing an element defines it.

import './challenge/panel';
import './controls';
import './cut';
import './embed';
import './figures/bandwidth';
import './figures/breakdown';
import './figures/chart';
import './figures/compare';
import './figures/counters';
import './figures/export';
import './figures/ladder';
import './figures/link';
import './figures/lockstep';
import './figures/packets';
import './figures/sync';
import './figures/trade';
import './figures/verdict';
import './figures/widths';
import './invitation';
import './lanes';
import './link-sources';
import './motion';
import './notices';
import './presets';
import './share';
import './sheet';
import './split';
import './tabs';
import './timeline';
import './toolbar';
import './tour-figure';
import './trace';
import './transport';
import './views';
import { keepLinkCurrent } from './link';
import { listenToKeys } from './keys';
import { lab } from './lab';
import { startLoop } from './loop';
import { keepForOffline } from './offline';
import { keepForReload } from './reload';
import { showByStrategy } from './strategy';
import { startTour } from './tour-panel';

// A part of another page leaves that page's history alone.
if (!lab.looking.embed) {
  keepLinkCurrent();
  keepForReload(lab);
}
showByStrategy();
startLoop();
listenToKeys();
startTour();
document.documentElement.dataset['ready'] = '';
if (!lab.looking.embed) keepForOffline();
