// The sheet of the course: every question with the guess, the answer, "why?" and the score, to print and to keep. Nothing leaves the browser.

import { html, render } from 'lit';
import { csvOf } from '../course/group';
import { button } from '../shell/button';
import { download } from '../shell/download';
import { head, tableRow, typed } from '../shell/parts';
import { inUnit } from './figure';
import { chapters, core, steps, type TourStep, tour } from './tour';

interface Line {
  step: TourStep;
  heading: string;
  link: string;
  guess: string;
  answer: string;
  why: string;
  right: boolean | undefined;
  whyRight: boolean | undefined;
}

/** The fields that a person fills in, by their names in the CSV. */
const PERSON = [
  ['name', 'Name'],
  ['date', 'Date'],
  ['note', 'Course, group or note'],
] as const;

const dialog = document.createElement('dialog');
dialog.id = 'course';
dialog.setAttribute('aria-labelledby', 'course-heading');

export function openSheetOfCourse(): void {
  if (!dialog.isConnected) document.body.append(dialog);
  show();
  if (!dialog.open) dialog.showModal();
}

function section(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#tour [data-step="${id}"]`);
}

function words(element: Element | null | undefined): string {
  return element?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
}

/** The record of a step, in words. The answer is told only once there is a guess. */
function line(step: TourStep): Line {
  const at = section(step.id);
  const { guess, why, measured } = tour.record(step.id);
  const { asks } = step;
  const choice = (value: string): string => words(at?.querySelector(`.question button[value="${value}"]`));
  const unit = asks.kind === 'number' ? (step.claims.find(({ id }) => id === asks.claim)?.unit ?? 'count') : 'count';
  const number = (value: number | undefined): string => (value === undefined ? '' : inUnit(value, unit));
  const rightWhy = words(at?.querySelector('.why [data-right]'));
  return {
    step,
    heading: words(at?.querySelector('h3')),
    link: new URL(`#step=${step.id}`, location.href).href,
    guess: guess === undefined ? '' : guess === '' ? 'shown' : asks.kind === 'choice' ? choice(guess) : number(Number(guess)),
    answer: guess === undefined ? '' : asks.kind === 'choice' ? choice(asks.right) : number(measured),
    why: why === '' ? 'shown' : (why ?? ''),
    right: tour.isRight(step),
    whyRight: why === undefined || why === '' ? undefined : why === rightWhy,
  };
}

function show(): void {
  const lines = steps.map(line);
  const answered = lines.filter(({ guess }) => guess !== '');
  const ofCore = answered.filter(({ step }) => step.core).length;
  const right = lines.filter((line) => line.right === true).length;
  const whys = lines.filter((line) => line.whyRight === true).length;
  const mark = (is: boolean | undefined): string => (is === undefined ? '' : is ? '✓' : '✗');
  render(
    html`<header>
        <h2 id="course-heading">Your course</h2>
        <p>${ofCore} of the ${core.length} steps of the core answered, and ${answered.length - ofCore} of the others. ${right} guesses right, ${whys} reasons right.</p>
        <p class="note">A number counts as right within a fifth of the measured one, or within a factor of two on a scale of factors. All this stays in your browser.</p>
        <div class="person">${PERSON.map(([id, label]) => personal(id, label))}</div>
        <div class="row">
          ${button('Print', () => print())}
          ${button('Download CSV', () => save(lines))}
          ${button('Begin anew', anew)}
          ${button('Close', () => dialog.close(), { kind: 'primary' })}
        </div>
      </header>
      <div class="wide" tabindex="0" role="region" aria-label="Steps">
      <table>
        ${head('Step', 'Your guess', 'Answer', 'Why')}
        ${chapters.map(
          ({ name, steps }) =>
            html`<tbody>
              <tr><th colspan="4" scope="rowgroup">${name}</th></tr>
              ${lines
                .filter(({ step }) => steps.includes(step))
                .map((line) => {
                  const name = html`<a href=${line.link} @click=${() => dialog.close()}>${line.heading}</a>`;
                  return tableRow(name, [`${line.guess} ${mark(line.right)}`, line.answer, line.why === '' ? '' : `${line.why} ${mark(line.whyRight)}`]);
                })}
            </tbody>`,
        )}
      </table>
      </div>`,
    dialog,
  );
}

/** A field that only this browser keeps. */
function personal(id: string, label: string) {
  const keep = (event: Event): void => tour.tellPersonal(id, typed(event));
  return html`<label>${label} <input name=${id} maxlength="200" autocomplete="off" .value=${tour.personal(id)} @input=${keep} /></label>`;
}

/** The second press forgets: the first one asks. */
function anew(event: Event): void {
  const button = event.currentTarget as HTMLButtonElement;
  if (button.dataset['sure'] === undefined) {
    button.dataset['sure'] = '';
    button.textContent = 'Forget all guesses?';
    return;
  }
  delete button.dataset['sure'];
  button.textContent = 'Begin anew';
  tour.beginAnew();
  show();
}

function save(lines: readonly Line[]): void {
  const mark = (is: boolean | undefined): string => (is === undefined ? '' : is ? 'right' : 'wrong');
  const person = PERSON.map(([id]) => tour.personal(id));
  const rows = lines.map(({ step, heading, guess, answer, right, why, whyRight, link }) => {
    return [step.id, heading, guess, answer, mark(right), why, mark(whyRight), link, ...person];
  });
  const heads = ['step', 'question', 'guess', 'answer', 'guess is', 'why', 'reason is', 'link', ...PERSON.map(([id]) => id)];
  download('course.csv', new Blob([csvOf([heads, ...rows])], { type: 'text/csv' }));
}
