// A person's own number on the page of exercises: the seed of its links. The page's address carries it: `exercises.html#seed=7`.

const input = document.querySelector<HTMLInputElement>('.own-number input');
const links = [...document.querySelectorAll<HTMLAnchorElement>('ol a[href^="./#v="]')].map((link) => [link, link.getAttribute('href') ?? ''] as const);

function show(): void {
  const seed = /(?:^#|&)seed=([1-9]\d{0,3})$/.exec(location.hash)?.[1] ?? '1';
  if (input !== null) input.value = seed;
  for (const [link, href] of links) link.setAttribute('href', `${href}&seed=${seed}`);
}

input?.addEventListener('change', () => {
  if (input.value !== '' && input.checkValidity()) location.hash = `seed=${input.valueAsNumber}`;
  else show();
});
addEventListener('hashchange', show);
show();
