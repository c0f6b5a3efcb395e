// The article's motion: links name it by a word, and the site has its file.

import address from '../article/pile.motion?url';
import { lab } from '../lab';
import { named } from '../links/files';
import { play } from './play';

/** Name of the motion in links, as crate/app/src/pile.rs has it. */
const PILE = 'pile';

const isWanted = (): boolean => named('motion') === PILE && lab.state.motion?.fingerprint !== PILE;

/** Plays the article's motion if the present link names it. A notice says why it cannot be loaded. */
export async function playPile(): Promise<void> {
  if (!isWanted()) return;
  const file = await fetch(address)
    .then((answer) => (answer.ok ? answer.blob() : undefined))
    .catch(() => undefined);
  // Another link may have been opened meanwhile.
  if (!isWanted()) return;
  if (file === undefined) lab.notify(['The article’s motion cannot be loaded from this site: reload the page, and its figures play']);
  else await play(new File([file], 'pile.motion'));
}
