// What this browser keeps from one visit to the next. Where nothing may be stored, each visit begins anew.

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text, or forgets it. */
export function remember(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // It is kept as long as the page.
  }
}
