// Course sheets as CSV, read and put together: a row for each person, a column for each step.

/** The marks of one step: of the guess and of the second answer; empty where there was none. */
export interface Mark {
  guess: string;
  reason: string;
}

/** A person's sheet. doubts: what of it is left out, since no course writes it so. */
export interface Sheet {
  file: string;
  text: string;
  doubts: string[];
  name: string;
  marks: Map<string, Mark>;
}

export interface Group {
  steps: string[];
  sheets: Sheet[];
}

/** Facts of a step by which a sheet is checked: its id, and whether its answer is a choice. */
export interface CourseStep {
  id: string;
  asks: { kind: 'choice' | 'number' };
}

/** Longer files are no sheets. */
export const MOST_BYTES = 1e6;
const MOST_ROWS = 200;
/** Sheets in a table. */
export const MOST_SHEETS = 500;
/** A program for tables would take a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The fields of the first lines of CSV, as RFC 4180 quotes them. */
export function fieldsOf(text: string, most = Number.POSITIVE_INFINITY): string[][] {
  const rows: string[][] = [];
  let [row, field, quoted] = [[] as string[], '', false];
  for (let i = 0; i < text.length && rows.length < most; i++) {
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
  if (rows.length < most && (field !== '' || row.length > 0)) rows.push([...row, field]);
  return rows;
}

/** Rows as CSV. A cell that would be a formula gets an apostrophe before it. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
  const field = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map((text) => field(guarded(text))).join(',')}\n`).join('');
}

/**
 * Reads a sheet that the tour saved; undefined for another file. Each row must be as the tour writes it: of a step that there is,
 * with this step's link, once, and with marks that fit its words. Other rows are left out.
 */
export function sheetOf(file: string, text: string, steps: readonly CourseStep[]): Sheet | undefined {
  const [heads = [], ...rows] = fieldsOf(text, MOST_ROWS + 2);
  const places = ['step', 'guess', 'answer', 'guess is', 'why', 'reason is', 'link', 'name'].map((head) => heads.indexOf(head));
  if (places.includes(-1)) return undefined;
  const marks = new Map<string, Mark>();
  const doubts: string[] = [];
  let name = '';
  if (rows.length > MOST_ROWS) doubts.push(`more than ${MOST_ROWS} rows`);
  for (const [at, row] of rows.slice(0, MOST_ROWS).entries()) {
    const [id, guess, answer, mark, why, reason, link, own] = places.map((place) => row[place] ?? '') as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    name ||= own.replace(/^'(?=[=+\-@])/, '');
    const step = steps.find((step) => step.id === id);
    const isMark = (text: string, of: string): boolean => text === '' || (['right', 'wrong'].includes(text) && !['', 'shown'].includes(of));
    const wrong =
      step === undefined
        ? 'no such step'
        : marks.has(id)
          ? 'the step comes twice'
          : !link.endsWith(`#step=${id}`)
            ? 'the link of another step'
            : !isMark(mark, guess) || !isMark(reason, why)
              ? 'a mark without an answer'
              : step.asks.kind === 'choice' && mark !== '' && (mark === 'right') !== (guess === answer)
                ? 'a mark that does not fit the answer'
                : undefined;
    if (wrong === undefined) marks.set(id, { guess: mark, reason });
    else doubts.push(`row ${at + 2}: ${wrong}`);
  }
  return { file, text, doubts, name: name || file, marks };
}

/** The steps that anybody answered, in the order of the first sheet. */
export function groupOf(sheets: readonly Sheet[]): Group {
  const steps = [...new Set(sheets.flatMap(({ marks }) => [...marks.keys()]))];
  const isAnswered = (step: string): boolean => sheets.some(({ marks }) => (marks.get(step)?.guess ?? '') !== '' || (marks.get(step)?.reason ?? '') !== '');
  return { steps: steps.filter(isAnswered), sheets: [...sheets] };
}

/** The table as text: marks are `✓` or `✗`, of the guess and then of the reason; the last row has the share that was right. */
export function tableOf({ steps, sheets }: Group): string[][] {
  const sign = (mark: string | undefined): string => (mark === 'right' ? '✓' : mark === 'wrong' ? '✗' : '–');
  const right = (marks: readonly (string | undefined)[]): string => {
    const answered = marks.filter((mark) => mark === 'right' || mark === 'wrong');
    return answered.length === 0 ? '–' : `${Math.round((100 * answered.filter((mark) => mark === 'right').length) / answered.length)} %`;
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
