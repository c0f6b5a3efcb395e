// Course sheets as CSV, read and put together: a row for each person, a column for each step.

/** The marks of one step: of the guess and of the second answer; empty where there was none. */
export interface Mark {
  guess: string;
  reason: string;
}

export interface Sheet {
  file: string;
  name: string;
  marks: Map<string, Mark>;
}

export interface Group {
  steps: string[];
  sheets: Sheet[];
}

/** The fields of each line of CSV, as RFC 4180 quotes them. */
export function fieldsOf(text: string): string[][] {
  const rows: string[][] = [];
  let [row, field, quoted] = [[] as string[], '', false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (quoted && char === '"' && text[i + 1] === '"') {
      field += '"';
      i += 1;
    } else if (char === '"') quoted = !quoted;
    else if (!quoted && (char === ',' || char === '\n')) {
      row.push(field.replace(/\r$/, ''));
      field = '';
      if (char === '\n') {
        rows.push(row);
        row = [];
      }
    } else field += char;
  }
  if (field !== '' || row.length > 0) rows.push([...row, field]);
  return rows;
}

/** Rows as CSV. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const field = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** Reads a sheet that the tour saved; undefined for another file. */
export function sheetOf(file: string, text: string): Sheet | undefined {
  const [heads = [], ...rows] = fieldsOf(text);
  const [step, guess, reason, name] = ['step', 'guess is', 'reason is', 'name'].map((head) => heads.indexOf(head)) as [number, number, number, number];
  if ([step, guess, reason, name].includes(-1)) return undefined;
  const marks = new Map(rows.map((row) => [row[step] ?? '', { guess: row[guess] ?? '', reason: row[reason] ?? '' }]));
  const named = rows.map((row) => row[name] ?? '').find((text) => text !== '');
  return { file, name: named ?? file, marks };
}

/** The steps that anybody answered, in the order of the first sheet. */
export function groupOf(sheets: readonly Sheet[]): Group {
  const steps = [...new Set(sheets.flatMap(({ marks }) => [...marks.keys()]))];
  const isAnswered = (step: string): boolean => sheets.some(({ marks }) => marks.get(step)?.guess !== '' || marks.get(step)?.reason !== '');
  return { steps: steps.filter(isAnswered), sheets: [...sheets] };
}

/** The table as text: marks are `✓` or `✗`, of the guess and then of the reason; the last row has the share that was right. */
export function tableOf({ steps, sheets }: Group): string[][] {
  const sign = (mark: string | undefined): string => (mark === 'right' ? '✓' : mark === 'wrong' ? '✗' : '–');
  const right = (marks: readonly (string | undefined)[]): string => {
    const told = marks.filter((mark) => mark === 'right' || mark === 'wrong');
    return told.length === 0 ? '–' : `${Math.round((100 * told.filter((mark) => mark === 'right').length) / told.length)} %`;
  };
  const of = ({ marks }: Sheet, kind: keyof Mark): (string | undefined)[] => steps.map((step) => marks.get(step)?.[kind]);
  const rows = sheets.map((sheet) => [
    sheet.name,
    right(of(sheet, 'guess')),
    right(of(sheet, 'reason')),
    ...steps.map((step) => `${sign(sheet.marks.get(step)?.guess)}${sign(sheet.marks.get(step)?.reason)}`),
  ]);
  const all = (kind: keyof Mark): string => right(sheets.flatMap((sheet) => of(sheet, kind)));
  const foot = steps.map((step) => `${right(sheets.map(({ marks }) => marks.get(step)?.guess))}, ${right(sheets.map(({ marks }) => marks.get(step)?.reason))}`);
  return [['Name', 'Guesses', 'Reasons', ...steps], ...rows, ['All', all('guess'), all('reason'), ...foot]];
}
