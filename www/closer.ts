// Elements that need the rest of the program: figures below the views, verdicts, tests, guests.

import './challenge/panel';
import './figures/breakdown';
import './figures/chart';
import './figures/compare';
import './figures/counters';
import './figures/freezes';
import './figures/worst';
import './figures/export';
import './figures/ladder';
import './figures/link';
import './figures/distance';
import './figures/hand';
import './figures/lockstep';
import './figures/packets';
import './figures/sync';
import './figures/trade';
import './verdict/verdict';
import './blind-test/blind-test';
import './verdict/judge';
import './figures/widths';
import './wire/hosted';
