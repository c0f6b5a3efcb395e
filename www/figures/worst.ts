// The objects that err most, at the shown instant and over the run, by position and by orientation; a click looks at one.

import { html, nothing } from 'lit';
import type { ObjectError } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { measure } from '../shell/format';

const LISTED = 6;

define('lab-worst', () => {
  // While it runs another object errs most in each frame, and no pointer could meet it.
  if (lab.running) return html`<p class="caption">Pause to see which objects are shown farthest from the truth.</p>`;
  return html`${now()} ${overTheRun()} <lab-cube></lab-cube>`;
});

function now() {
  const [apart, turned] = [most('error'), most('turn')];
  if (apart.length === 0 && turned.length === 0) return html`<p class="caption">At this instant every object is shown as it was.</p>`;
  return html`<p class="caption">At this instant A shows these farthest from the truth, by their centres. Choose one to see it, and its bits in the packets.</p>
    ${choices('Farthest away at this instant', apart, ({ error }) => `${measure(error)} mm`)}
    ${turned.length === 0 ? nothing : html`<p class="caption">These are turned farthest from the truth.</p>`}
    ${choices('Turned farthest at this instant', turned, ({ error }) => `${measure(error)}°`)}`;
}

/** The objects whose mean error over lane A's run is greatest. */
function overTheRun() {
  const worst = lab.ask({ worst_objects: { lane: 'a', count: LISTED } });
  if (worst === undefined || worst.position_mm.length + worst.orientation_deg.length === 0) return nothing;
  const errors = (unit: string) => (it: ObjectError) => `mean ${measure(it.mean)}${unit}, greatest ${measure(it.max)}${unit}`;
  return html`<p class="caption">From ${worst.from_s.toFixed(1)} to ${worst.to_s.toFixed(1)} s these err most, by the mean over the ticks in which they interacted.</p>
    ${choices('Farthest away over the run', worst.position_mm, errors(' mm'))}
    ${worst.orientation_deg.length === 0 ? nothing : html`<p class="caption">These are turned farthest over the same time.</p>`}
    ${choices('Turned farthest over the run', worst.orientation_deg, errors('°'))}`;
}

/** The objects whose figure is greatest at the shown instant. */
function most(overlay: string): { object: number; error: number }[] {
  const errors = [...lab.numbers({ overlay: { lane: 'a', name: overlay } })].map((error, object) => ({ object, error })).filter(({ error }) => error > 0);
  return errors.toSorted((a, b) => b.error - a.error).slice(0, LISTED);
}

/** A button for each of the objects. */
function choices<T extends { object: number }>(label: string, objects: readonly T[], describe: (it: T) => string) {
  if (objects.length === 0) return nothing;
  return html`<div class="suggestions" role="group" aria-label=${label}>
    ${objects.map((it) =>
      button(`${name(it.object)}: ${describe(it)}`, () => lab.lookAt(lab.viewState.packet ?? undefined, it.object), {
        pressed: lab.viewState.cube === it.object,
      }),
    )}
  </div>`;
}

function name(object: number): string {
  if (lab.state.motion !== undefined) return `object ${object}`;
  return object === 0 ? 'the player’s cube' : `cube ${object}`;
}
