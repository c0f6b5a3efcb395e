// The question for a file's unit of length, where the file does not tell it and metres are not likely.

import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { motion_with_facts } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { shortName, visible } from '../shell/names';
import { decimal } from '../shell/parts';
import { play } from './play';

const UNITS = [
  ['Metres', 'm'],
  ['Centimetres', 'cm'],
  ['Inches', 'in'],
] as const;

/** A file that is refused, as in metres it reaches too far. */
const refused = signal<{ file: File; message: string } | undefined>(undefined);

/** Asks for the unit of a refused file. Returns false where the refusal has another reason. */
export function askUnit(file: File, message: string): boolean {
  if (!message.includes('metres, centimetres or inches?')) return false;
  refused.value = { file, message };
  return true;
}

/** The question, with a button for each usual unit and a number for any other. */
export function unitQuestion(file: File, message: string) {
  const say = (unit: string): void => void sayUnit(file, unit);
  const other = (event: SubmitEvent): void => {
    event.preventDefault();
    const metres = decimal(String(new FormData(event.target as HTMLFormElement).get('metres') ?? '').trim());
    if (Number(metres) > 0) say(metres);
  };
  return html`<form class="units" @submit=${other}>
    <p><strong>Metres, centimetres or inches?</strong> ${visible(reason(message))}</p>
    <div class="row">
      ${UNITS.map(([name, unit]) => button(name, () => say(unit)))}
      <label>or metres in a unit <input name="metres" inputmode="decimal" autocomplete="off" size="7" placeholder="0.019" /></label>
      <button>Take it so</button>
    </div>
  </form>`;
}

/** The words beside the question itself. */
function reason(message: string): string {
  const words = message.replace(/:? ?are these metres, centimetres or inches\? ?(A first line unit=cm tells it)?/i, '').trim();
  return words.endsWith('.') ? words : `${words}.`;
}

/** The question about a refused file, above the views. */
define('lab-units', () => {
  if (refused.value === undefined) return nothing;
  const { file, message } = refused.value;
  return html`<div class="notice played" role="status">
    <p><strong>${shortName(file.name)}</strong> cannot be played in metres.</p>
    ${unitQuestion(file, message)} ${button('Close', () => (refused.value = undefined))}
  </div>`;
});

/** Plays the file with its unit as a fact. */
async function sayUnit(file: File, unit: string): Promise<void> {
  refused.value = undefined;
  const bytes = await file.arrayBuffer().catch(() => undefined);
  if (bytes === undefined) return lab.notify([`${shortName(file.name)} cannot be read: it is gone, or a folder`]);
  const packed = new Uint8Array(bytes.slice(0, 1))[0] === 0xfd;
  if (packed) return lab.notify([`${shortName(file.name)} is packed: unpack it, and write unit=${unit} as its first line`]);
  const facts = `unit=${unit}\n`;
  const text = motion_with_facts(new Uint8Array(bytes), facts) as Uint8Array<ArrayBuffer>;
  const before = file === lab.motionFile ? (lab.page.motion_facts() ?? '') : '';
  await play(new File([text], file.name), (file, message) => Promise.resolve(askUnit(file, message)), `${before}${facts}`);
}
