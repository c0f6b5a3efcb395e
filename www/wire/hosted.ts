// While this page hosts: who the guest is, and what has become of him. Nothing of it is on the front before.

import { html, nothing } from 'lit';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { openTogether } from './panel';
import { hostsCubes } from './roles';
import { session } from './session';

define('lab-hosted', () => {
  const now = session.value;
  if (now === undefined) return nothing;
  const guest = now.guest.value;
  return html`<div class="notice hosted">
    <p role="status">${guest === undefined ? 'Shared: nobody is here yet.' : 'Shared with a guest.'} ${hostsCubes(guest)} ${now.news.value.words}</p>
    ${button('Guest', openTogether)}
  </div>`;
});
