// Starts the page: shows how much of it has come, and says in words why it cannot be started where it cannot.

import { Arrival, megabytes } from './shell/arrival';
import { isOutOfMemory } from './shell/failure';
import { forgetSite } from './shell/offline';

const arrival = new Arrival();
const bar = document.querySelector('.starting progress');

function tell(bytes: number, of: number): void {
  bar?.setAttribute('value', String(bytes / of));
  say(bytes < of ? `${megabytes(bytes)} of ${megabytes(of)} MB` : 'Here it comes');
}

function say(words: string): void {
  const line = bar?.nextElementSibling;
  if (line != null) line.textContent = words;
}

try {
  if (location.hash.includes('step=')) await leaveTour();
  const wasm = arrival.fetch(tell);
  // While scripts come it may fail, which is said below.
  wasm.catch(() => {});
  const [{ start }] = await Promise.all([import('./lab'), isParsed()]);
  await start(wasm, say).catch((error: unknown) => {
    if (!arrival.isCutOff(error)) throw error;
    return start(arrival.fetch(tell), say);
  });
  await import('./app');
} catch (error) {
  const mended = isOutOfMemory(error) ? undefined : await forgetSite();
  if (mended === true) location.reload();
  await isParsed();
  bar?.parentElement?.remove();
  const sentence = document.createElement('p');
  sentence.className = 'failure';
  sentence.setAttribute('role', 'alert');
  const advice = mended === false ? '. The browser keeps a copy of this page, and there is no network: connect, then reload the page' : '';
  sentence.textContent = `The laboratory could not start: ${arrival.why(error)}${advice}.`;
  document.querySelector('main')?.before(sentence);
  throw error;
}

/** Goes where a link of the tour leads now. */
async function leaveTour(): Promise<void> {
  const { addressOfStep } = await import('./links/steps');
  const address = addressOfStep(location.hash);
  if (address !== undefined) location.replace(address);
}

/** Waits for the end of the page, before which this script begins. */
async function isParsed(): Promise<void> {
  if (document.readyState === 'loading') await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve));
}
