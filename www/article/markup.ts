// The elements of a figure: written into the page by the build, and made by script on a page elsewhere.

import { type Figure, laboratoryLink } from './figures.ts';

/** An element with its attributes and children. */
export type Tree = readonly [tag: string, attributes: Readonly<Record<string, string>>, ...children: (Tree | string)[]];

/** Facts that differ from page to page. */
export interface Place {
  /** Address of the site's folder, with a slash at its end. */
  readonly site: string;
  /** Address of a still: the light one, or the dark one. */
  readonly still: (name: string) => string;
  /** Texts of the numbers while nothing runs, with the ids of their claims. */
  readonly numbers: readonly { readonly claim: string; readonly text: string }[];
}

/** Keys of the colours of cubes, by what they show. */
const KEYS = { error: 'dark: far off, pale: right', bits: 'dark: many bits, pale: few' } as const;

/** Width and height of a still, px: the picture and, below it, the drawing. */
export function stillSize({ drawing, views }: Figure): [width: number, height: number] {
  return [1200, views.length === 0 ? 800 : drawing === undefined ? 600 : 804];
}

/** The still, in the colours that the reader prefers. */
export function pictureTree(figure: Figure, still: Place['still']): Tree {
  const { id, seen } = figure;
  const [width, height] = stillSize(figure);
  const lazy: Record<string, string> = id === 'seam' ? {} : { loading: 'lazy' };
  const size = { width: String(width), height: String(height) };
  return [
    'picture',
    {},
    ['source', { media: '(prefers-color-scheme: dark)', srcset: still(`${id}-dark`) }],
    ['img', { src: still(id), alt: seen, ...size, ...lazy, fetchpriority: 'low', decoding: 'async' }],
  ];
}

export function figureTree(figure: Figure, { site, still, numbers }: Place): Tree {
  const { id, question, caption, views, drawing } = figure;
  const keys = [...(figure.shade === undefined ? [] : [KEYS[figure.shade]]), ...(figure.outlines === true ? ['blue edges: the true places'] : [])];
  const names = views.map(({ name }): Tree => ['span', {}, name]);
  const values = figure.numbers.flatMap(({ label, unit }, place): Tree[] => {
    const { claim, text } = numbers[place] ?? { claim: '', text: '' };
    const data: Tree = ['data', claim === '' ? {} : { 'data-claim': claim }, text];
    return [['span', {}, ...(label === '' ? [] : [['span', { class: 'of' }, label] as Tree, ' ']), data, ` ${unit}`]];
  });
  const link: Tree = ['a', { href: `${site}#${laboratoryLink(figure)}` }, 'Open in the laboratory'];
  return [
    'figure',
    { 'data-views': figure.seam === undefined ? String(views.length) : '1', ...(drawing === undefined ? {} : { 'data-drawing': drawing }) },
    ['p', { class: 'question' }, question],
    [
      'div',
      { class: 'stage' },
      // The first is in sight at once. The others come behind the module, or where no script runs.
      id === 'seam' ? pictureTree(figure, still) : ['noscript', {}, pictureTree(figure, still)],
      ['p', { class: 'names', ...(figure.seam === undefined ? {} : { 'data-seam': '' }) }, ...names],
      ...(keys.length === 0 ? [] : [['p', { class: 'key' }, keys.join('; ')] as Tree]),
    ],
    ...(values.length === 0 ? [] : [['p', { class: 'numbers' }, ...values, ['span', { class: 'so-far' }, 'so far']] as Tree]),
    ...(views.length === 0 ? [] : [['div', { class: 'control' }] as Tree]),
    ['figcaption', {}, `${caption} `, link],
  ];
}

export function toHtml([tag, attributes, ...children]: Tree): string {
  const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${quoted(value)}"`);
  const open = `<${tag}${written.join('')}>`;
  if (tag === 'img' || tag === 'source') return open;
  return `${open}${children.map((child) => (typeof child === 'string' ? quoted(child) : toHtml(child))).join('')}</${tag}>`;
}

export function toNode([tag, attributes, ...children]: Tree): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => (typeof child === 'string' ? child : toNode(child))));
  return element;
}
