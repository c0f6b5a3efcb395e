// Course sheets: what the tour writes is read, and what it would not write is left out and said.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CourseStep, csvOf, fieldsOf, groupOf, sheetOf, tableOf } from '../../course/group';

const steps: CourseStep[] = [
  { id: 'one', asks: { kind: 'choice' } },
  { id: 'two', asks: { kind: 'number' } },
];
const heads = ['step', 'question', 'guess', 'answer', 'guess is', 'why', 'reason is', 'link', 'name'];
const row = (id: string, guess: string, answer: string, mark: string, link = `http://x/#step=${id}`): string[] => [
  id,
  'q',
  guess,
  answer,
  mark,
  '',
  '',
  link,
  '=Ada',
];
const read = (...rows: string[][]) => sheetOf('a.csv', csvOf([heads, ...rows]), steps);

test('rows that no course writes are left out, and said', () => {
  const right = read(row('one', 'a', 'a', 'right'), row('two', '5', '7', 'wrong'));
  assert.deepEqual([right?.doubts, right?.name, right?.marks.size], [[], '=Ada', 2]);
  for (const [rows, doubt] of [
    [[row('three', 'a', 'a', 'right')], 'row 2: no such step'],
    [[row('two', '5', '5', 'right'), row('two', '5', '5', 'right')], 'row 3: the step comes twice'],
    [[row('one', 'a', 'a', 'right', 'http://x/#step=two')], 'row 2: the link of another step'],
    [[row('one', '', 'a', 'right')], 'row 2: a mark without an answer'],
    [[row('two', '5', '5', 'brilliant')], 'row 2: a mark without an answer'],
    [[row('one', 'b', 'a', 'right')], 'row 2: a mark that does not fit the answer'],
  ] as const) {
    assert.deepEqual(read(...rows)?.doubts, [doubt]);
  }
  assert.equal(sheetOf('b.csv', 'a,b\n1,2\n', steps), undefined);
});

test('a sheet of very many rows is read to the 200th', () => {
  const sheet = sheetOf('a.csv', csvOf([heads]) + 'one,,,,,,,,\n'.repeat(400_000), steps);
  assert.equal(sheet?.doubts[0], 'more than 200 rows');
  assert.ok(sheet.doubts.length <= 201);
});

test('no cell of a table is a formula', () => {
  const sheet = read(row('one', 'a', 'a', 'right'));
  assert.ok(sheet !== undefined);
  for (const name of ['=1+1', '+1', '-1', '@a', '\tx', '=cmd|"/c"!A1']) {
    const cells = fieldsOf(csvOf(tableOf(groupOf([{ ...sheet, name }])))).flat();
    assert.ok(cells.every((cell) => !/^[=+\-@\t\r]/.test(cell)));
    assert.ok(cells.includes(`'${name}`));
  }
});
