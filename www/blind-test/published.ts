// Thresholds that others have published.

import { html } from 'lit';
import { cells, head } from '../shell/parts';

interface Published {
  what: string;
  found: string;
  source: string;
  link?: string;
}

const published: readonly Published[] = [
  {
    what: 'Frames of a desktop screen',
    found: '90 % of people see smooth motion at 56 Hz',
    source: 'Naylor 2023',
    link: 'https://doi.org/10.1007/s10055-023-00825-9',
  },
  {
    what: 'Following a target by hand',
    found: 'suffers beyond 110 ms of latency, and beyond 40 ms of jitter',
    source: 'Pavlovych and Stuerzlinger 2011, Target Following Performance in the Presence of Latency, Jitter, and Signal Dropouts',
  },
  {
    what: 'A character that answers late',
    found: 'a constant 300 ms passes, jitter at 200 ms does not',
    source: 'Normoyle, Guerrero and Jörg 2014, Player Perception of Delays and Jitter in Character Responsiveness',
  },
  {
    what: 'Wrong collisions',
    found: 'angles, gaps and speeds of two bodies that meet; no settings of a network',
    source:
      'O’Sullivan and others 2003, Evaluating the Visual Fidelity of Physically Based Animations; Reitsma and O’Sullivan 2009, Effect of Scenario on Perceptual Sensitivity to Errors in Animation',
  },
];

export function publishedTable() {
  return html`<details class="published">
    <summary>What others found</summary>
    <div class="wide" role="group" tabindex="0" aria-label="Published thresholds">
      <table class="compared">
        <caption class="unseen">Published thresholds</caption>
        ${head('Of', 'Published', 'Source')}
        <tbody>
          ${published.map(
            ({ what, found, source, link }) =>
              html`<tr><th scope="row">${what}</th>${cells(found, link === undefined ? source : html`<a href=${link}>${source}</a>`)}</tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
