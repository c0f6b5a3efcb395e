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

/** The part of a Markdown text under the heading with an anchor, as a section of a page: its heading is of depth 2. */
export function section(text: string, name: string): string {
  const lines = text.split('\n');
  const depth = (line: string): number => /^#* /.exec(line)?.[0].trim().length ?? 0;
  const begin = lines.findIndex((line) => depth(line) > 0 && anchor(line.replace(/^#+ /, '')) === name);
  if (begin < 0) throw new Error(`no document has the section ${name}`);
  const own = depth(lines[begin] ?? '');
  const length = lines.slice(begin + 1).findIndex((line) => depth(line) > 0 && depth(line) <= own);
  const part = lines.slice(begin, length < 0 ? undefined : begin + 1 + length);
  return part.map((line) => (depth(line) > 0 ? line.replace(/^#+/, '#'.repeat(depth(line) - own + 2)) : line)).join('\n');
}

/** The sentence of a text that has these words, with the words strong. */
function sentence(text: string, words: string): string {
  const paragraphs = text.replaceAll(/\.?\n(?=[-\n|#])[-\s]*/g, '. ').replaceAll('\n', ' ');
  const [before = '', after = ''] = paragraphs.split(words, 2);
  const begin = before.slice(before.lastIndexOf('. ') + 1).trimStart();
  const end = /^.*?(?:\. |\.$|$)/.exec(after)?.[0].trimEnd() ?? '';
  return `${begin}<strong>${words}</strong>${end}`.replaceAll('**', '').replaceAll('|', '\\|');
}

/**
 * The promises of the package's documents as rows of a Markdown table, each with the test that measures it. `sources` are those of tests by
 * their paths; the first one has the rows, and sentences whose numbers another test has.
 */
export function promises(sources: ReadonlyMap<string, string>, documents: readonly string[], address: string): string {
  const [source = ''] = sources.values();
  const own = source.matchAll(/\n {4}\(\s*"((?:[^"\\]|\\.)*)",\s*(\w+),\s*([^,]+),?\s*\)/g);
  const others = /MEASURED_ELSEWHERE: &str = "\\\n([^"]*)"/.exec(source)?.[1]?.trim().split('\n') ?? [];
  const rows = [...[...own].map(([, ...row]) => row), ...others.map((row) => row.split(' | '))];
  const cells = rows.map(([words = '', test = '', bounds = '']) => {
    const [path, text] = [...sources].find(([, text]) => text.includes(`fn ${test}(`)) ?? ['', ''];
    const line = text.slice(0, text.indexOf(`fn ${test}(`)).split('\n').length;
    const [least, most] = bounds === '' ? ['', ''] : bounds.split('..=').map((bound) => Number(bound.replaceAll('_', '')).toLocaleString('en'));
    const document = documents.find((text) => text.includes(words)) ?? '';
    return `| ${sentence(document, words)} | ${least === most ? least : `${least} to ${most}`} | [${test}](${address}/${path}#L${line}) |`;
  });
  if (cells.length === 0) throw new Error('the tests of the promises have no rows');
  return ['| promise | measured within | by |', '| --- | ---: | --- |', ...cells].join('\n');
}

/** The HTML of a Markdown file of the project, or of a part of it. */
export function rendered(path: string, part = (text: string): string => text): string {
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
  const html = marked.parse(part(readFileSync(path, 'utf8')), { async: false });
  // What is wider than the screen scrolls by itself, by keys too.
  let tables = 0;
  return html
    .replaceAll('<table>', () => `<div class="wide" tabindex="0" role="region" aria-label="Table ${(tables += 1)}"><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}
