// The article's page. Its first figure is in sight at once, so the engine starts beside the elements.

import { prepare } from './director';
import './element';

if (!matchMedia('(prefers-reduced-motion: reduce)').matches) prepare();

// A link of the tour that was leads to a figure.
const step = /[?&]step=([a-z0-9-]{1,32})(?:&|$)/.exec(location.search)?.[1];
const figure = document.getElementById(location.hash.slice(1));
if (step !== undefined && figure !== null) {
  const notice = document.createElement('p');
  notice.className = 'notice';
  notice.setAttribute('role', 'status');
  notice.textContent = `The tour has become this article. The figure below shows what the step “${step}” showed.`;
  figure.before(notice);
  figure.scrollIntoView();
}

const GOAL_KBPS = 256;
const [LEAST_KBPS, MOST_KBPS] = [100, 17_368];

// A bar for each codec, on a logarithmic scale.
for (const number of document.querySelectorAll<HTMLElement>('.rungs data')) {
  const kbps = Number(number.textContent?.replaceAll(',', ''));
  const cell = document.createElement('td');
  cell.className = kbps > GOAL_KBPS ? 'bar above' : 'bar';
  cell.ariaHidden = 'true';
  const bar = document.createElement('span');
  bar.style.width = `${(100 * Math.log(kbps / LEAST_KBPS)) / Math.log(MOST_KBPS / LEAST_KBPS)}%`;
  cell.append(bar);
  number.closest('td')?.before(cell);
}
