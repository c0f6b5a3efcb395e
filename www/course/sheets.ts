// The teacher's table: course sheets that were saved as CSV, dropped together, become one table of a group.

import { html, nothing, render } from 'lit';
import { head, tableRow } from '../shell/parts';
import { csvOf, groupOf, type Sheet, sheetOf, tableOf } from './group';

const drop = document.querySelector<HTMLElement>('#sheets');
const input = document.querySelector<HTMLInputElement>('#sheets input');
const said = document.querySelector<HTMLElement>('#sheets [role=status]');
const at = document.querySelector<HTMLElement>('#group');
const save = document.querySelector<HTMLButtonElement>('#save-group');

let sheets: Sheet[] = [];

async function take(files: readonly File[]): Promise<void> {
  const refused: string[] = [];
  for (const file of files) {
    const sheet = sheetOf(file.name, await file.text());
    if (sheet === undefined) refused.push(file.name);
    else sheets = [...sheets.filter(({ file }) => file !== sheet.file), sheet];
  }
  sheets.sort((a, b) => a.name.localeCompare(b.name));
  if (said !== null) {
    const wrong = refused.length === 0 ? '' : ` No course sheet: ${refused.join(', ')}.`;
    said.textContent = `${sheets.length} sheets.${wrong}`;
  }
  show();
}

function show(): void {
  if (at === null || save === null) return;
  const [heads = [], ...rows] = tableOf(groupOf(sheets));
  save.hidden = sheets.length === 0;
  const table = html`<table>${head(...heads)}<tbody>${rows.map(([name, ...marks]) => tableRow(name, marks))}</tbody></table>`;
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
