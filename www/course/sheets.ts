// The teacher's table: course sheets that were saved as CSV, dropped together, become one table of a group.

import { groupOf, type Sheet, sheetOf, tableOf } from './group';

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
  const rows = tableOf(groupOf(sheets));
  save.hidden = sheets.length === 0;
  const table = document.createElement('table');
  for (const [place, row] of rows.entries()) {
    const line = document.createElement('tr');
    line.append(
      ...row.map((text, column) => {
        const isHead = place === 0 || column === 0;
        const cell = document.createElement(isHead ? 'th' : 'td');
        if (isHead) cell.setAttribute('scope', place === 0 ? 'col' : 'row');
        cell.textContent = text;
        return cell;
      }),
    );
    table.append(line);
  }
  at.replaceChildren(...(sheets.length === 0 ? [] : [table]));
}

input?.addEventListener('change', () => void take([...(input.files ?? [])]));
drop?.addEventListener('dragover', (event) => event.preventDefault());
drop?.addEventListener('drop', (event) => {
  event.preventDefault();
  void take([...(event.dataTransfer?.files ?? [])]);
});
save?.addEventListener('click', () => {
  const text = tableOf(groupOf(sheets))
    .map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','))
    .join('\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/csv' }));
  link.download = 'group.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
