// Starts a guest's page.

import init, { loadRest } from '../../pkg/snapshot_web';

const said = document.querySelector('#said');
try {
  await init();
  await loadRest();
  // What it imports reads tables of the wasm.
  await import('./guest');
  said?.remove();
} catch (error) {
  if (said !== null) said.textContent = 'The page could not start. Reload it.';
  throw error;
}
