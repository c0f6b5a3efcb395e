// Documents of the project as pages of the site, with an anchor for each of their sections.

import { readFileSync } from 'node:fs';
import { Marked } from 'marked';

/** `## 4. Which cubes have changed` is `#s4`, `## S3. An update` is `#sync-3`; what has no number is named by its words. */
export function anchor(heading: string): string {
  const numbered = /^(S?)(\d+)\. /.exec(heading);
  if (numbered !== null) return `${numbered[1] === '' ? 's' : 'sync-'}${numbered[2]}`;
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** The HTML of a Markdown file of the project. */
export function rendered(path: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // Other files of the project are no part of the site.
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        return /^(https?:|#|\.\/)/.test(href) ? `<a href="${href}">${words}</a>` : words;
      },
    },
  });
  const html = marked.parse(readFileSync(path, 'utf8'), { async: false });
  // What is wider than the screen scrolls by itself, by keys too.
  let tables = 0;
  return html
    .replaceAll('<table>', () => `<div class="wide" tabindex="0" role="region" aria-label="Table ${(tables += 1)}"><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}
