// Addresses of the stills, by name.

const files = import.meta.glob<string>('./stills/*.webp', { eager: true, query: '?url', import: 'default' });

export const stills: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, url]) => [path.slice('./stills/'.length, -'.webp'.length), new URL(url, import.meta.url).href]),
);
