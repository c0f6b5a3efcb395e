// Light or dark: as the system has it, until a person chooses otherwise for this visit.

const system = matchMedia('(prefers-color-scheme: dark)');
const root = document.documentElement;

export function isDark(): boolean {
  return (root.dataset['theme'] ?? (system.matches ? 'dark' : 'light')) === 'dark';
}

export function toggleTheme(): void {
  root.dataset['theme'] = isDark() ? 'light' : 'dark';
  root.dispatchEvent(new Event('themechange'));
}

/** Calls back when colours have changed, for what is not drawn by CSS, until it is told to stop. */
export function onThemeChange(changed: () => void): () => void {
  system.addEventListener('change', changed);
  root.addEventListener('themechange', changed);
  return () => {
    system.removeEventListener('change', changed);
    root.removeEventListener('themechange', changed);
  };
}
