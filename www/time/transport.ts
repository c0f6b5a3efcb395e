// Tick by tick, play, restart, speed.

import { html, nothing, svg } from 'lit';
import { lab } from '../lab';
import { button } from '../shell/button';
import { define } from '../shell/element';
import { changeSpeed } from '../shell/keys';
import { pace } from './loop';

const icons = {
  pause: svg`<path d="M5 3h2.6v10H5zM8.9 3h2.6v10H8.9z" />`,
  play: svg`<path d="M5 2.6v10.8L13 8z" />`,
  back: svg`<path d="M12.5 2.6v10.8L6 8zM3 3h2v10H3z" />`,
  step: svg`<path d="M3.5 2.6v10.8L10 8zM11 3h2v10h-2z" />`,
  restart: svg`<path d="M8 3a5 5 0 1 1-4.6 3l1.4.6A3.5 3.5 0 1 0 8 4.5V7L4.4 3.7 8 .6z" />`,
};

define('lab-transport', () => {
  return html`
    <div class="buttons" role="group" aria-label="Time">
      ${icon('One tick back', icons.back, () => lab.stepBack())}
      ${icon(lab.running ? 'Pause' : 'Play', lab.running ? icons.pause : icons.play, () => lab.pause(lab.running), true)}
      ${icon('One tick further', icons.step, () => lab.step())} ${icon('Restart', icons.restart, () => lab.restart())}
    </div>
    <div class="buttons speed" role="group" aria-label="Speed">
      ${button('−', () => changeSpeed(-1), { label: 'Slower' })}
      <span class="value">${lab.speed}×</span>
      ${button('+', () => changeSpeed(1), { label: 'Faster' })}
    </div>
    ${!lab.running || pace.behind === undefined ? nothing : html`<span class="pace" title="This machine cannot keep up: the motion plays at this speed">at ${pace.behind.toFixed(pace.behind < 0.1 ? 2 : 1)}×</span>`}
  `;
});

/** A button with a picture in place of its name. The front hides those of kind `icon`. */
function icon(name: string, icon: unknown, press: () => void, isOnFront = false) {
  return button(html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">${icon}</svg>`, press, {
    ...(isOnFront ? {} : { kind: 'icon' }),
    disabled: lab.failure !== undefined,
    label: name,
    title: name,
  });
}
