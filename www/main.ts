// Starts the page, and says so in words where a browser cannot run it.

import { start } from './lab';
import { inWords } from './shell/failure';

try {
  await start();
  await import('./app');
} catch (error) {
  const sentence = document.createElement('p');
  sentence.className = 'failure';
  sentence.setAttribute('role', 'alert');
  sentence.textContent = `The laboratory could not start: ${inWords(error)}.`;
  document.querySelector('main')?.before(sentence);
  throw error;
}
