// The form of a table's columns, axes and units: what a person says becomes lines of facts in the file.

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { motion_columns, motion_with_facts, type TableColumn } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { shortName } from '../shell/names';
import { decimal } from '../shell/parts';
import { play } from './play';
import { askUnit } from './units';

const LOOKED_AT_BYTES = 1 << 14;
const NEEDED = ['object', 'x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'];
const MORE = ['vx', 'vy', 'vz', 'wx', 'wy', 'wz', 'hx', 'hy', 'hz', 'event'];
/** Facts with their choices. The first one stands without a word. */
const FACTS = [
  ['up', 'Up is', ['z', 'y']],
  ['hand', 'Axes are', ['right', 'left']],
  ['unit', 'Lengths in', ['m', 'cm', 'mm']],
  ['angle', 'Turns in', ['rad', 'deg']],
  ['shape', 'Objects are', ['box', 'sphere']],
  ['silent', 'Without rows at the end', ['stand', 'end']],
] as const;

interface Asked {
  file: File;
  columns: TableColumn[];
  /** Why the file was not read as it is. */
  refused?: string;
}

const asked = signal<Asked | undefined>(undefined);

/** Asks for the columns of a table, or for the unit of its lengths. Returns false where neither would help. */
export async function askColumns(file: File, refused?: string): Promise<boolean> {
  if (refused !== undefined && askUnit(file, refused)) return true;
  if (refused !== undefined && !refused.startsWith('the header: ')) return false;
  const head = await file.slice(0, LOOKED_AT_BYTES).arrayBuffer();
  const columns = motion_columns(new Uint8Array(head));
  if (columns.length === 0) return false;
  asked.value = { file, columns, ...(refused === undefined ? {} : { refused }) };
  return true;
}

/** The form, above the views while a file is asked about. */
define('lab-columns', () => {
  if (asked.value === undefined) return nothing;
  const { file, columns, refused } = asked.value;
  const isTime = columns.some(({ holds }) => holds === 'time');
  return html`<form class="notice played columns" @submit=${(event: SubmitEvent) => void read(event, file)}>
    <p>
      <strong>${shortName(file.name)}</strong>: ${refused === undefined ? '' : `${refused}. `}Which column is which?
      <a href="./motion.html" target="_blank">What is needed</a>
    </p>
    <div class="fields">
      ${column('instant', 'Tick or time', columns, isTime ? 'time' : 'tick')}
      ${choice('counts', 'It counts', ['ticks', 'time'], isTime ? 'time' : 'ticks')}
      ${NEEDED.map((name) => column(name, name === 'object' ? 'Object' : name, columns, name))}
    </div>
    <details>
      <summary>Axes, units, more columns</summary>
      <div class="fields">
        <label>Ticks a second<input name="rate" inputmode="decimal" size="4" placeholder="60" /></label>
        ${FACTS.map(([name, label, choices]) => choice(name, label, ['as it says', ...choices], 'as it says'))}
        ${MORE.map((name) => column(name, name === 'event' ? 'Event' : name, columns, name))}
      </div>
    </details>
    <div class="row"><button class="primary">Read it so</button>${button('Close', () => (asked.value = undefined))}</div>
  </form>`;
});

function column(name: string, label: string, columns: TableColumn[], holds: string) {
  return choice(name, label, ['', ...columns.map((column) => column.name)], columns.find((column) => column.holds === holds)?.name ?? '');
}

function choice(name: string, label: string, choices: readonly string[], chosen: string) {
  return html`<label
    >${label}<select name=${name}>
      ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === chosen}>${choice === '' ? '–' : shortName(choice)}</option>`)}
    </select></label
  >`;
}

/** Plays the file with what the form says as facts. */
async function read(event: SubmitEvent, file: File): Promise<void> {
  event.preventDefault();
  const form = new FormData(event.target as HTMLFormElement);
  const said = (name: string): string => String(form.get(name) ?? '').trim();
  const lines = [`${said('counts') === 'time' ? 'time' : 'tick'}=${said('instant')}`];
  for (const name of [...NEEDED, ...MORE]) lines.push(`${name}=${said(name)}`);
  for (const [name] of FACTS) if (said(name) !== 'as it says') lines.push(`${name}=${said(name)}`);
  if (said('rate') !== '') lines.push(`rate=${decimal(said('rate'))}`);
  const bytes = await file.arrayBuffer().catch(() => undefined);
  asked.value = undefined;
  if (bytes === undefined) return lab.notify([`${shortName(file.name)} cannot be read: it is gone, or a folder`]);
  const facts = `${lines.join('\n')}\n`;
  const text = motion_with_facts(new Uint8Array(bytes), facts) as Uint8Array<ArrayBuffer>;
  // What the link tells of the file already comes before.
  const before = file === lab.motionFile ? (lab.page.motion_facts() ?? '') : '';
  await play(new File([text], file.name), askColumns, `${before}${facts}`);
}
