// The teacher's table: course sheets that were saved as CSV, dropped together, become one table of a group.

import { html, nothing, render } from 'lit';
import init, { tour_chapters } from '../../pkg/snapshot_web';
import { shortName, visible } from '../shell/names';
import { head, tableRow } from '../shell/parts';
import { csvOf, groupOf, MOST_BYTES, MOST_SHEETS, type Sheet, sheetOf, tableOf } from './group';

const drop = document.querySelector<HTMLElement>('#sheets');
const input = document.querySelector<HTMLInputElement>('#sheets input');
const said = document.querySelector<HTMLElement>('#sheets [role=status]');
const at = document.querySelector<HTMLElement>('#group');
const save = document.querySelector<HTMLButtonElement>('#save-group');

const sheets: Sheet[] = [];

/** Doubts that are told of one sheet. */
const MOST_DOUBTS = 3;

async function take(files: readonly File[]): Promise<void> {
  await init();
  const steps = tour_chapters().flatMap((chapter) => chapter.steps);
  const refused: string[] = [];
  for (const file of files) {
    const text = file.size > MOST_BYTES ? undefined : await file.text().catch(() => undefined);
    const sheet = text === undefined ? undefined : sheetOf(file.name, text, steps);
    if (sheet === undefined || sheets.length === MOST_SHEETS) refused.push(shortName(file.name));
    // Two people may save files of one name; the same bytes are the same sheet.
    else if (!sheets.some(({ file, text }) => file === sheet.file && text === sheet.text)) sheets.push(sheet);
  }
  sheets.sort((a, b) => a.name.localeCompare(b.name));
  const doubts = sheets.filter(({ doubts }) => doubts.length > 0);
  const lines = [
    `${sheets.length} sheets.${refused.length === 0 ? '' : ` No course sheet, or one too many: ${refused.join(', ')}.`}`,
    ...doubts.map(({ file, doubts }) => {
      const more = doubts.length > MOST_DOUBTS ? `, and ${doubts.length - MOST_DOUBTS} more` : '';
      return `${shortName(file)} does not fit the course, and these are left out: ${doubts.slice(0, MOST_DOUBTS).join('; ')}${more}.`;
    }),
  ];
  if (said !== null) said.textContent = visible(lines.join(' '));
  show();
}

function show(): void {
  if (at === null || save === null) return;
  const [heads = [], ...rows] = tableOf(groupOf(sheets));
  save.hidden = sheets.length === 0;
  const table = html`<table>${head(...heads)}<tbody>${rows.map(([name, ...marks]) => tableRow(html`<bdi>${visible(String(name))}</bdi>`, marks))}</tbody></table>`;
  render(save.hidden ? nothing : table, at);
}

input?.addEventListener('change', () => void take([...(input.files ?? [])]));
drop?.addEventListener('dragover', (event) => event.preventDefault());
drop?.addEventListener('drop', (event) => {
  event.preventDefault();
  void take([...(event.dataTransfer?.files ?? [])]);
});
save?.addEventListener('click', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csvOf(tableOf(groupOf(sheets)))], { type: 'text/csv' }));
  link.download = 'group.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
