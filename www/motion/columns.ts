// The one form that asks about a table, a motion or a network: what a person chooses becomes lines of facts in the file.

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { type AskedTable, look_up } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { shortName, visible } from '../shell/names';
import { decimal } from '../shell/parts';
import { made } from './made';
import { useTrace } from './network';
import { play } from './play';

const LOOKED_AT_BYTES = 1 << 14;
/** The choice of a fact that no line states: the usual one counts. */
const NOT_TOLD = 'not told';
/** Meanings of a column’s words, where the word alone does not say it. */
const MEANINGS: Record<string, string> = {
  '-': 'left out',
  time: 'time: seconds, or a clock’s',
  q0: 'quaternion, 1st of 4',
  q1: 'quaternion, 2nd',
  q2: 'quaternion, 3rd',
  q3: 'quaternion, 4th',
  lost: 'lost: 1 or true',
  seq: 'seq: missing numbers are lost',
};
/** Facts with their choices: those that most tables leave open, and the others. */
const USUAL_FACTS = [
  ['order', 'Quaternion', ['xyzw', 'wxyz']],
  ['up', 'Up is (z unless told)', ['z', 'y']],
  ['hand', 'Hand of the axes', ['right', 'left']],
] as const;
const OTHER_FACTS = [
  ['comma', 'A comma in a number', ['decimal', 'thousands']],
  ['angle', 'Turns in', ['rad', 'deg']],
  ['shape', 'Objects are', ['box', 'sphere']],
  ['silent', 'Without rows at the end', ['stand', 'end']],
] as const;
const FACTS = [...USUAL_FACTS, ...OTHER_FACTS];

const dialog = document.querySelector<HTMLDialogElement>('#columns');

/** Takes a file whose first lines tell what was asked. */
type Take = (file: File) => void;

/** A file that is asked about. `refused` says why it was not read; `isAgain` is true after an answer; `take` gets the answered file. */
const asked = signal<{ file: File; table: AskedTable; refused: string; isAgain: boolean; take?: Take } | undefined>(undefined);
let answered: File | undefined;

/**
 * Asks for the columns of a table, or for what else it does not tell. Returns false for a file that is no table.
 * take: gets the answered file; without it the file plays, or is used as a network.
 */
export async function askColumns(file: File, refused = '', take?: Take): Promise<boolean> {
  // A row is not mended by other columns.
  if (/^row \d+: /.test(refused) && !/comma=|unit=|quaternion/.test(refused)) return false;
  const table = look_up('asked_table', new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer()));
  if (table === undefined) return false;
  asked.value = { file, table, refused, isAgain: file === answered, take };
  if (dialog?.open === false) dialog.showModal();
  return true;
}

// Escape closes it, too. By then it may have been opened for another question.
dialog?.addEventListener('close', () => {
  if (!dialog.open) asked.value = undefined;
});

define('lab-columns', () => {
  if (asked.value === undefined) return nothing;
  const { file, table, refused, isAgain, take } = asked.value;
  // The message of the command line says what the form shows, but for what it needs.
  const isQuestion = /^(the header: )?which column/.test(refused);
  const [needed = ''] = /A (motion|network) has .*$/.exec(refused) ?? [];
  const needs = isQuestion && isAgain ? `Something is missing still. ${visible(needed)}. ` : '';
  const why = isQuestion || refused === '' ? needs : `${visible(refused)}. `;
  return html`<form class="columns" @submit=${(event: SubmitEvent) => void read(event, file, take)}>
    <h2>Which column is which?</h2><p>
      <strong>${shortName(file.name)}</strong>: ${why}The choices are guesses: correct what is wrong.
      <a href="./motion.html" target="_blank">What is needed</a>
    </p>
    <div class="asked-rows">
      <table>
        <tr>
          ${table.columns.map(({ name }) => html`<th scope="col">${shortName(name)}</th>`)}
        </tr>
        <tr>
          ${table.columns.map(
            ({ name, guess, reason }, at) => html`<td>
              <select name=${`column-${at}`} aria-label=${`${name} holds`}>
                ${['-', ...table.motion_words, ...table.link_words].map((word) => html`<option value=${word} ?selected=${word === guess}>${MEANINGS[word] ?? word}</option>`)}
              </select>
              ${reason === '' ? nothing : html`<small>${reason}</small>`}
            </td>`,
          )}
        </tr>
        ${table.rows.map(
          (row) =>
            html`<tr>
              ${row.map((field) => html`<td>${visible(field)}</td>`)}
            </tr>`,
        )}
      </table>
    </div>
    <div class="fields">
      <label>Ticks a second<input name="rate" inputmode="decimal" size="4" placeholder="of ticks" /></label>
      <label>Lengths in<input name="unit" autocomplete="off" size="6" placeholder="m, cm, in, 0.019" /></label>
      ${USUAL_FACTS.map(([name, label, choices]) => choice(name, label, [NOT_TOLD, ...choices], name === 'order' ? table.order : undefined))}
    </div>
    <details ?open=${/comma=|rad|box|end/.test(why)}>
      <summary>Commas, turns, shapes and ends</summary>
      <div class="fields">${OTHER_FACTS.map(([name, label, choices]) => choice(name, label, [NOT_TOLD, ...choices]))}</div>
    </details>
    ${table.order === undefined ? nothing : html`<p><small>Order of the quaternion: ${table.order_reason}.</small></p>`}
    <div class="row"><button class="primary">Read it like this</button>${button('Close', () => dialog?.close())}</div>
  </form>`;
});

function choice(name: string, label: string, choices: readonly string[], chosen = NOT_TOLD) {
  return html`<label
    >${label}<select name=${name}>
      ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === chosen}>${choice}</option>`)}
    </select></label
  >`;
}

/** Reads the file with what the form says as facts: as a network if a column holds delays, else as a motion. */
async function read(event: SubmitEvent, file: File, take: Take | undefined): Promise<void> {
  event.preventDefault();
  const form = new FormData(event.target as HTMLFormElement);
  const said = (name: string): string => String(form.get(name) ?? '').trim();
  const words = (asked.value?.table.columns ?? []).map((_, at) => said(`column-${at}`));
  const lines = [`columns=${words.join(',')}`];
  for (const [name] of FACTS) if (said(name) !== NOT_TOLD) lines.push(`${name}=${said(name)}`);
  if (said('unit') !== '') lines.push(`unit=${said('unit')}`);
  if (said('rate') !== '') lines.push(`rate=${decimal(said('rate'))}`);
  const bytes = await file.arrayBuffer().catch(() => undefined);
  dialog?.close();
  asked.value = undefined;
  if (bytes === undefined) return lab.notify([`${shortName(file.name)} cannot be read: it is gone, or a folder`]);
  const isNetwork = words.some((word) => /^(delay|rtt)_/.test(word));
  // A network has no facts of a motion.
  const facts = `${(isNetwork ? lines.filter((line) => /^(columns|comma)=/.test(line)) : lines).join('\n')}\n`;
  const text = new File([made({ facts: { facts } }, new Uint8Array(bytes))], file.name);
  answered = text;
  if (take !== undefined) return take(text);
  if (isNetwork) return useTrace(text, askColumns);
  // What the link tells of the file already comes before.
  const before = file === lab.motionFile ? (lab.viewState.facts ?? '') : '';
  await play(text, askColumns, `${before}${facts}`);
}
