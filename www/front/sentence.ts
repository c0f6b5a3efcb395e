// The one sentence over the controls: what is left, what is right, and what a hand can do.

import { html, nothing } from 'lit';
import { lab } from '../lab';
import { define } from '../shell/element';
import { strategy, wordsOf } from '../shell/strategy';

define('lab-sentence', () => {
  const original = lab.state.motion !== undefined ? 'your motion' : strategy() === 'game' ? 'the server’s world' : 'the simulation';
  const said = (one: string, other: string): string => `${one}: ${original}. ${other}: ${wordsOf().view_inside}.`;
  return html`<p>
    <span class="across">${said('Left', 'Right')}</span><span class="above">${said('Above', 'Below')}</span> ${lab.state.motion === undefined ? hand() : nothing}
  </p>`;
});

function hand() {
  const said = (by: string): string => `${lab.running ? 'Drive' : 'Press Play. Drive'} the red cube: ${by}.`;
  return html`<strong><span class="for-keys">${said('arrow keys')}</span><span class="for-touch">${said('the stick')}</span></strong>`;
}
