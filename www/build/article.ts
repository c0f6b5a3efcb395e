// Writes the figures of the article into its page: without a script they are pictures, numbers and sentences.

import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';
import { figureOf } from '../article/figures.ts';
import { figureTree, toHtml } from '../article/markup.ts';

/** The element with the figure's parts in it. The source has its numbers, each with the id of its claim. */
export function withFigures(html: string): string {
  return html.replaceAll(/<snapshot-figure id="([\w-]+)"\s*>(.*?)<\/snapshot-figure\s*>/gs, (_, id: string, inner: string) => {
    const figure = figureOf(id);
    if (figure === undefined) throw new Error(`the table has no figure ${id}`);
    const numbers = [...inner.matchAll(/<data data-claim="([\w-]+)">([^<]*)<\/data\s*>/g)].map(([, claim = '', text = '']) => ({ claim, text }));
    if (numbers.length !== figure.numbers.length) throw new Error(`figure ${id} has ${figure.numbers.length} numbers, the page ${numbers.length}`);
    // A new figure has none until it has been made from the figure itself (www/article/make-stills.mjs).
    const still = (name: string): string => (existsSync(`www/article/stills/${name}.webp`) ? `/www/article/stills/${name}.webp` : '/www/icon.svg');
    return `<snapshot-figure id="${id}">${toHtml(figureTree(figure, { site: '../', still, numbers }))}</snapshot-figure>`;
  });
}

export const article: Plugin = {
  name: 'article',
  transformIndexHtml: { order: 'pre', handler: withFigures },
};
