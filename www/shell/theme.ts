// Light or dark: as the system has it, until a person chooses otherwise for this visit.

const system = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  return (document.documentElement.dataset['theme'] ?? (system().matches ? 'dark' : 'light')) === 'dark';
}

export function toggleTheme(): void {
  const root = document.documentElement;
  root.dataset['theme'] = isDark() ? 'light' : 'dark';
  root.dispatchEvent(new Event('themechange'));
}

/** Calls back when colours have changed, for what is not drawn by CSS, until it is told to stop. */
export function onThemeChange(changed: () => void): () => void {
  const [query, root] = [system(), document.documentElement];
  query.addEventListener('change', changed);
  root.addEventListener('themechange', changed);
  return () => {
    query.removeEventListener('change', changed);
    root.removeEventListener('themechange', changed);
  };
}

/** A canvas knows nothing of light-dark(): what the style sheet's colour comes to here and now. */
export function resolved(element: HTMLElement, colour: string): string {
  const before = element.style.color;
  element.style.color = colour;
  const now = getComputedStyle(element).color;
  element.style.color = before;
  return now;
}
