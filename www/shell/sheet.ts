// On a narrow screen the settings are a sheet over the lower half; the views stay above it.

const sheet = document.querySelector<HTMLElement>('#settings');
const narrow = matchMedia('(max-width: 900px)');

export function isSheetOpen(): boolean {
  return document.documentElement.dataset['sheet'] === 'open';
}

export function toggleSheet(open = !isSheetOpen()): void {
  if (open) {
    document.documentElement.dataset['sheet'] = 'open';
    if (narrow.matches) sheet?.focus({ preventScroll: true });
  } else delete document.documentElement.dataset['sheet'];
  document.dispatchEvent(new Event('sheet'));
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && isSheetOpen() && narrow.matches) toggleSheet(false);
});
document.querySelector('#settings .close-sheet')?.addEventListener('click', () => toggleSheet(false));
