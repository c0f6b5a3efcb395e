// The spread of the tour's claims about chance over many seeds: the rows of the table that `research chances` makes.

import table from '../../crate/course/src/chances.tsv?raw';

/** The spread over runs with other seeds: all runs but one lie above `low`, and all but one below `high`. In `none` runs the event never happened. */
export interface TourChance {
  seeds: number;
  low: number;
  middle: number;
  high: number;
  none: number;
}

/** By step and claim, parted by a space. A row of two claims that are compared is named `claim/other`. */
export const chances: ReadonlyMap<string, TourChance> = new Map(
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(read),
);

function read(line: string): [string, TourChance] {
  const [step = '', claim = '', , ...numbers] = line.split('\t');
  const [seeds = 0, low = 0, middle = 0, high = 0, none = 0] = numbers.map(Number);
  return [`${step} ${claim}`, { seeds, low, middle, high, none }];
}
