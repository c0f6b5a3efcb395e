// Starts the page, and says so in words where a browser cannot run it.

try {
  await import('./app');
} catch (error) {
  const sentence = document.createElement('p');
  sentence.className = 'failure';
  sentence.setAttribute('role', 'alert');
  sentence.textContent = `The laboratory could not start: ${error instanceof Error ? error.message : String(error)}.`;
  document.querySelector('main')?.before(sentence);
  throw error;
}
export {};
