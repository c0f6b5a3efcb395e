// While this page hosts: how many guests there are, and what has become of them. Nothing of it is on the front before.

import { html, nothing } from 'lit';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { openTogether } from './panel';
import { hostsCubes } from './roles';
import { session } from './session';

define('lab-hosted', () => {
  const now = session.value;
  if (now === undefined) return nothing;
  const rows = now.rows.value;
  const guests = rows.length;
  return html`<div class="notice hosted">
    <p role="status">${guests === 0 ? 'Shared: nobody is here yet.' : `Shared with ${guests} guest${guests === 1 ? '' : 's'}.`} ${hostsCubes(rows)} ${now.news.value.words}</p>
    ${button('Guests', openTogether)}
  </div>`;
});
