// The address bar says what is shown.

import { lab } from './lab';

/** Safari takes no more than 100 changes in some 30 s. */
const SETTLED_MS = 350;

/** The address that opens these settings anywhere. */
export function address(): string {
  return new URL(`#${lab.permalink}`, location.href).href;
}

export function keepLinkCurrent(): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    waiting = undefined;
    if (location.hash !== `#${lab.permalink}`) history.replaceState(null, '', `#${lab.permalink}`);
  };
  lab.on(['settings'], () => (waiting ??= setTimeout(write, SETTLED_MS)));
  window.addEventListener('hashchange', () => lab.open(location.hash));
  window.addEventListener('pagehide', write);
  write();
}
