// The tour's panel, in place of the settings: the words stand in the page, in www/tour/; here they are shown, asked and answered.

import { html, nothing, render } from 'lit';
import { lab } from '../lab';
import { openPart } from '../shell/desk';
import { define } from '../shell/element';
import { slider, typed } from '../shell/parts';
import { follow } from '../signals';
import { onFrame } from '../time/loop';
import { isPresenting, present, stopPresenting } from './present';
import './control';
import './interval';
import { button } from '../shell/button';
import { inUnit, windowOf } from './figure';
import { openSheetOfCourse } from './sheet';
import { chapterOf, chapters, core, type TourChapter, type TourStep, tour } from './tour';

const root = document.documentElement;
const panel = document.querySelector<HTMLElement>('#tour');

/** The marked places, by the names that steps have for them. */
const places: Readonly<Record<string, string>> = {
  left: '.screen .label.left',
  right: '.screen .label.right',
  b: '.screen .label.b',
  bandwidth: 'lab-bandwidth',
  figure: '.figures > [role=tabpanel]:not([hidden])',
  rung: 'lab-ladder tr.chosen',
  cut: 'lab-cut',
  timeline: 'lab-timeline',
  tint: '.screen .look',
};

/** The tour's present place, and the ways to others. */
define('lab-tour', () => {
  const { step } = tour;
  if (step === undefined) return nothing;
  const chapter = chapterOf(step);
  const [before, next] = [tour.beside(-1), tour.beside(1)];
  return html`<div class="where">
      <select aria-label="Chapter and step" @change=${(event: Event) => tour.open(typed(event))}>
        ${chapters.map(({ name, steps }, place) =>
          [true, false].map(
            (core) =>
              html`<optgroup label="${place + 1}. ${name}${core ? '' : ': more'}">
                  ${steps
                    .filter((other) => other.core === core)
                    .map(
                      (other) =>
                        html`<option value=${other.id} ?selected=${other === step}>${tour.isAnswered(other.id) ? '✓ ' : ''}${headingOf(other)}</option>`,
                    )}
                </optgroup>`,
          ),
        )}
      </select>
      ${button('Close', () => openPart('settings', false), { kind: 'quiet close-settings' })}
    </div>
    <div class="progress">
      <p class="chapter">${chapter === undefined ? '' : placeIn(chapter, step)}</p>
      <progress max=${core.length} .value=${core.filter(({ id }) => tour.isAnswered(id)).length} aria-label="Steps answered"></progress>
    </div>
    <nav aria-label="Steps">
      ${button('Back', () => before && tour.open(before.id), { disabled: before === undefined, title: 'PageUp' })}
      ${button('Next', () => next && tour.open(next.id), { kind: tour.guess === undefined ? '' : 'primary', disabled: next === undefined, title: 'PageDown' })}
      ${button('Explore from here', () => tour.close(), { kind: 'quiet explore' })}
    </nav>`;
});

/** The place of a step among those of its kind in its chapter, such as "1 of 3, Three ways to send a world". */
function placeIn({ name, steps }: TourChapter, step: TourStep): string {
  const alike = steps.filter((other) => other.core === step.core);
  return `${step.core ? '' : 'More: '}${alike.indexOf(step) + 1} of ${alike.length}, ${name}`;
}

/** Below a step: the rest of its chapter, and what a course needs. */
define('lab-tour-foot', () => {
  const { step } = tour;
  if (step === undefined) return nothing;
  const more = chapterOf(step)?.steps.filter((other) => !other.core && other !== step) ?? [];
  return html`${more.length === 0 || tour.guess === undefined ? nothing : html`<p class="more">More on this: ${more.map((other, place) => html`${place === 0 ? '' : ', '}<a href="#step=${other.id}">${headingOf(other)}</a>`)}</p>`}
    <p class="for-course">For a course: ${button('your sheet', () => openSheetOfCourse(), { kind: 'quiet course' })}
      ${button('present 45 min', () => present(45), { kind: 'quiet present' })} ${button('present 90 min', () => present(90), { kind: 'quiet present' })}</p>`;
});

/** A slider for a number, and what came of it. */
function guessing(step: TourStep, at: HTMLElement): void {
  const { asks } = step;
  if (asks.kind !== 'number') return;
  const unit = step.claims.find(({ id }) => id === asks.claim)?.unit ?? 'count';
  const [low, high] = asks.by_factors ? [Math.log(asks.least), Math.log(asks.most)] : [asks.least, asks.most];
  const read = (at: number): number => {
    const value = asks.by_factors ? Math.exp(at) : at;
    return value < 10 && asks.by_factors ? Math.round(value * 10) / 10 : Math.round(value);
  };
  const show = (value: number): void => {
    const said = inUnit(read(value), unit);
    render(
      html`<output>${said}</output>
        ${slider({ min: low, max: high, step: (high - low) / 400, value, label: 'Your guess', said }, show)}
        ${button('That is my guess', () => tour.answer(String(read(value))), { kind: 'primary' })}`,
      at,
    );
  };
  // At an end: from the middle a slider would tell where the answer is.
  show(low);
}

/** The result of a guess, in a sentence. */
function verdict(step: TourStep, section: HTMLElement): string {
  const { guess } = tour;
  const { asks } = step;
  if (guess === undefined) return '';
  if (asks.kind === 'choice') {
    if (guess === '') return '';
    if (guess === asks.right) return 'Right.';
    return `It was: “${section.querySelector(`button[value="${asks.right}"]`)?.textContent?.trim()}”.`;
  }
  const value = tour.value(asks.claim);
  const claim = step.claims.find(({ id }) => id === asks.claim);
  if (claim === undefined) return '';
  if (value === undefined) return 'Measuring it here and now…';
  const [said, is] = [inUnit(Number(guess), claim.unit), inUnit(value, claim.unit)];
  const article = claim.article === null ? '' : ` The articles: ${inUnit(claim.article, claim.unit)}.`;
  return `${guess === '' ? 'Measured' : `You said ${said}. Measured`}: ${is}.${article}`;
}

/** The window of the answer's figures: that of the step. A figure of another one has it in its own note. */
function windowsOf({ claims, run_s, opening_s }: TourStep, answer: HTMLElement): string {
  const named = [...answer.querySelectorAll('tour-figure:not([article])')].map((figure) => figure.getAttribute('claim'));
  const shown = claims.filter(({ id }) => named.includes(id));
  const whole = shown.filter((claim) => windowOf(claim) === '');
  const hasErrors = whole.some(({ unit }) => unit === 'mm' || unit === 'degrees');
  const ofStep = whole.length === 0 ? [] : [`over the first ${run_s} s of the motion${hasErrors ? `, errors from ${opening_s} s on` : ''}`];
  if (shown.length === 0) return '';
  const others = shown.length > whole.length ? [`${ofStep.length === 0 ? 'each figure' : 'other figures'} as its own note says`] : [];
  return `Measured ${[...ofStep, ...others].join('; ')}. A rate beside a view is of the last second.`;
}

function headingOf(step: TourStep): string {
  return sectionOf(step)?.querySelector('h3')?.textContent?.trim() ?? step.id;
}

function sectionOf(step: TourStep): HTMLElement | null {
  return panel?.querySelector<HTMLElement>(`[data-step="${step.id}"]`) ?? null;
}

/** The part of a section with a class, within another one; it is made where it is missing. */
function part(section: HTMLElement, within: string, className: string, tag: string, traits: object = {}, place: InsertPosition = 'beforeend'): HTMLElement {
  const there = section.querySelector<HTMLElement>(`${within} > .${className}`);
  if (there !== null) return there;
  const made = Object.assign(document.createElement(tag), { className, ...traits });
  section.querySelector(within)?.insertAdjacentElement(place, made);
  return made;
}

/** Gives a section names for screen readers, and places for the parts that are made here. */
function prepare(step: TourStep, section: HTMLElement): void {
  const heading = section.querySelector<HTMLElement>('h3');
  if (heading !== null) heading.tabIndex = -1;
  const question = section.querySelector<HTMLElement>('.question');
  question?.setAttribute('role', 'group');
  question?.setAttribute('aria-label', question.querySelector('p')?.textContent?.trim() ?? '');
  if (step.asks.kind === 'number') guessing(step, part(section, '.question', 'guess', 'div'));
  part(section, '.question', 'show-me', 'button', { textContent: 'Show me' });
  const answer = section.querySelector<HTMLElement>('.answer');
  if (answer === null) return;
  part(section, '.answer', 'verdict', 'p', {}, 'afterbegin');
  part(section, '.answer', 'window', 'p', { textContent: windowsOf(step, answer) });
  part(section, '.answer', 'again', 'button', { textContent: 'Play it again' });
}

let shown: TourStep | undefined;
let announced = '';
let wasAnswered = false;
let pointedAt: Element[] = [];
let isPartMissing = false;

function point(names: readonly string[]): void {
  const wanted = names.map((name) => document.querySelector(places[name] ?? name)).filter((place) => place !== null);
  isPartMissing = wanted.length < names.length;
  for (const place of pointedAt) if (!wanted.includes(place)) place.classList.remove('pointed');
  for (const place of wanted) {
    // A row may be farther down than the figure shows.
    if (place.matches('tr') && !place.classList.contains('pointed') && tour.guess !== undefined) place.scrollIntoView({ block: 'nearest' });
    place.classList.add('pointed');
  }
  pointedAt = wanted;
}

function show(): void {
  const { step, guess } = tour;
  void lab.state;
  const isNew = step !== shown;
  shown = step;
  if (panel === null) return;
  panel.hidden = step === undefined;
  root.toggleAttribute('data-tour', step !== undefined);
  root.toggleAttribute('data-tour-asks', step !== undefined && guess === undefined);
  if (step === undefined) {
    point([]);
    stopPresenting();
    return;
  }
  root.toggleAttribute('data-tour-figure', step.points_at.includes('figure'));
  for (const other of panel.querySelectorAll<HTMLElement>('[data-step]')) other.hidden = other.dataset['step'] !== step.id;
  const section = sectionOf(step);
  if (section === null) return;
  if (isNew) prepare(step, section);
  const answered = guess !== undefined;
  // On a phone the task's means come above the sheet.
  root.dataset['tourAct'] = answered ? (step.act?.kind ?? '') : '';
  section.toggleAttribute('data-answered', answered);
  for (const button of section.querySelectorAll<HTMLButtonElement>('.question > button[value]')) {
    button.setAttribute('aria-pressed', String(answered && button.value === guess));
    button.classList.toggle('right', answered && step.asks.kind === 'choice' && button.value === step.asks.right);
  }
  for (const part of section.querySelectorAll<HTMLElement>('.answer, .act')) part.hidden = !answered;
  for (const part of section.querySelectorAll<HTMLElement>('.guess, .show-me')) part.hidden = answered;
  showWhy(section, answered);
  const said = section.querySelector('.verdict');
  const words = verdict(step, section);
  if (said !== null && said.textContent !== words) said.textContent = words;
  announce(answered ? words : '');
  showAct(step, section);
  point(step.points_at);
  if (!isNew && answered && !wasAnswered) section.querySelector('.answer')?.scrollIntoView({ block: 'nearest' });
  wasAnswered = answered;
  if (isNew) {
    panel.scrollTop = 0;
    focusOn(section);
  }
}

/** Tells that answers are held until both views stand: before, they show different settings. */
function hold(): void {
  const question = tour.step === undefined ? null : sectionOf(tour.step)?.querySelector('.question');
  if (question != null) question.ariaBusy = String(!tour.isOpenToAnswers);
}

/**
 * Tells that marked views play: on a phone they then have the place that the marked figure has afterwards. Tells also that
 * who is asked to drive has not, or does: views and stick are above the sheet then.
 */
function showPlaying(): void {
  const marksViews = tour.step?.points_at.some((name) => ['left', 'right', 'b'].includes(name)) === true;
  const asksToDrive = tour.step?.act?.kind === 'drive' && tour.guess !== undefined;
  root.toggleAttribute('data-tour-plays', marksViews && lab.running);
  root.toggleAttribute('data-tour-drives', asksToDrive && (!tour.acted || lab.running));
}

/** Focuses a step's heading, except in an embedded page, which leaves the focus alone. */
function focusOn(section: HTMLElement | null): void {
  if (!lab.looking.embed) section?.querySelector<HTMLElement>('h3')?.focus({ preventScroll: true });
}

/** The second question, after the answer: the first choice counts, and is told at once. */
function showWhy(section: HTMLElement, answered: boolean): void {
  const why = section.querySelector<HTMLElement>('.why');
  if (why === null) return;
  why.hidden = !answered;
  const chosen = tour.record(section.dataset['step'] ?? '').why;
  for (const button of why.querySelectorAll<HTMLButtonElement>('button')) {
    button.setAttribute('aria-pressed', String(button.textContent?.trim() === chosen));
    button.classList.toggle('right', chosen !== undefined && button.dataset['right'] !== undefined);
  }
  const right = why.querySelector('[data-right]')?.textContent?.trim();
  const said = part(section, '.why', 'said', 'p', { role: 'status' });
  const words = chosen === undefined || chosen === '' ? '' : chosen === right ? 'Right.' : `It was: “${right}”.`;
  if (said.textContent !== words) said.textContent = words;
}

function showAct(step: TourStep, section: HTMLElement): void {
  if (step.act === null) return;
  const { act } = step;
  if (act.kind === 'set' && section.querySelector(`tour-control[setting="${act.id}"]`) === null) {
    part(section, '.act', 'control-of', 'tour-control', { setting: act.id });
  }
  const done = part(section, '.act', 'done', 'p', { role: 'status' });
  const words = tour.acted ? '✓ Done.' : '';
  if (done.textContent !== words) done.textContent = words;
}

/** The answer, for those who hear the page. */
function announce(words: string): void {
  const status = panel?.querySelector('.announced');
  if (status === null || status === undefined || words === announced) return;
  announced = words;
  status.textContent = words;
}

function press(event: Event): void {
  const button = (event.target as Element).closest('button');
  if (button === null || tour.step === undefined) return;
  if (button.classList.contains('again')) tour.play();
  else if (button.classList.contains('show-me')) tour.answer('');
  else if (button.matches('.question > button[value]')) tour.answer(button.value);
  else if (button.matches('.why > button')) tour.because(button.textContent?.trim() ?? '');
}

function turn(event: KeyboardEvent): void {
  if (tour.step === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
  if (by === 0 || document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  const next = tour.beside(by);
  const { id } = tour.step;
  // A remote control has this one key: it reveals the answer, then the reason, and then goes on.
  if (by === 1 && isPresenting() && tour.guess === undefined) tour.answer('');
  else if (by === 1 && isPresenting() && tour.record(id).why === undefined) {
    tour.because('');
    sectionOf(tour.step)?.querySelector('.why')?.scrollIntoView({ block: 'nearest' });
  } else if (next !== undefined) tour.open(next.id);
}

export function startTour(): void {
  panel?.addEventListener('click', press);
  document.addEventListener('keydown', turn);
  // What is pointed at may have been made just now, or be made later.
  follow(
    () => lab.now,
    () => tour.step !== undefined && requestAnimationFrame(() => point(tour.step?.points_at ?? [])),
  );
  onFrame(() => isPartMissing && point(tour.step?.points_at ?? []));
  if (tour.step !== undefined) openPart('settings');
  follow(show);
  follow(showPlaying);
  follow(hold);
  // The views take the focus as they come.
  requestAnimationFrame(() => {
    if (tour.step === undefined) return;
    point(tour.step.points_at);
    focusOn(sectionOf(tour.step));
  });
}
