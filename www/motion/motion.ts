// A motion from elsewhere: dropped on the page or chosen, it plays in place of our own world.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { FoundJumps, PlayedMotion } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { forgetFile, keptFiles } from '../links/files';
import { button } from '../shell/button';
import { define, LabElement } from '../shell/element';
import { count } from '../shell/format';
import { shortName, visible } from '../shell/names';
import { slider } from '../shell/parts';
import { tables } from '../tables';
import { askColumns } from './columns';
import { takeDropped } from './drop';
import { fileField } from './field';
import { openAny } from './open';
import { leave } from './play';
import { nowReading, readings } from './reading';

// The challenge judges dropped files while it is shown; everything else is a motion.
takeDropped({
  over: (is) => document.documentElement.toggleAttribute('data-dragged', is),
  wants: ([first], file) => file === first,
  take: ([file]) => (file === undefined ? undefined : openAny(file)),
});

/** The button beside the scene that opens a motion. */
define('lab-motion', () => {
  const help = html`Play a recording of your game, or a capture of the challenge: choose its file, or drop it on this page. Up to ${count(tables().motion_objects)} objects.
    <a href="./motion.html" target="_blank">The format, and an example</a>`;
  const kept = html`<details class="help kept">
    <summary>Kept in this browser, for a reload and the way back: ${keptFiles.value.length} ${keptFiles.value.length === 1 ? 'file' : 'files'}</summary>
    <ul>
      ${keptFiles.value.map(({ place, file }) => {
        const name = shortName(file.name);
        return html`<li>${name}, ${count(file.size / 1000)} kB ${button('Forget', () => void forgetFile(place), { kind: 'quiet', label: `Forget ${name}` })}</li>`;
      })}
    </ul>
    ${button('Forget all', () => void forgetFile(), { kind: 'quiet' })}
  </details>`;
  return fileField('motion', 'A motion of your own', '.csv,.tsv,.txt,.bin,.xz,.zip', help, keptFiles.value.length === 0 ? nothing : kept);
});

/** The line above the views about a motion: the file that is read or played, and the way back. */
@customElement('lab-played')
export class PlayedElement extends LabElement {
  /** The place of the speed while a hand drags the slider. Jumps are counted at once, and found at the release. */
  @state() private draggedTo: number | undefined;

  protected override render() {
    const { motion } = lab.state;
    return html`<div role="status">
      ${[...readings.value].map(
        ([kind, { name }]) => html`<div class="notice played">
          <p>Reading <strong>${name}</strong> …</p>
          ${button('Cancel', () => nowReading(kind))}
        </div>`,
      )}
      ${
        motion === undefined
          ? nothing
          : html`<div class="notice played">
              <p>
                <strong>${lab.motionName}</strong> plays: ${count(motion.objects)} objects, ${motion.seconds.toFixed(1)} s at ${motion.tick_rate} Hz. ${lives(motion)}
                ${motion.notes.map((note) => visible(`${note[0]?.toUpperCase()}${note.slice(1)}. `))}
                ${motion.left_out_seconds > 0 ? html`<strong>The last ${motion.left_out_seconds.toFixed(1)} s are left out:</strong> there is no room for them.` : nothing}
                ${motion.clipped_velocities > 0 ? html`<strong>${count(motion.clipped_velocities)} velocities are beyond 32 m/s:</strong> rungs 2 and 3 clip them.` : nothing}
              </p>
              <details>
                <summary>More of it</summary>
                <p>${bounds(motion)} No physics is behind it: only snapshots can send it.</p>
                ${motion.capture || lab.motionFile === undefined ? nothing : button('Columns, axes, units', () => void askColumns(lab.motionFile as File))}
                ${motion.found === undefined || (motion.found.faster[0] ?? 0) === 0 ? nothing : this.jumps(motion.found)}
              </details>
              ${button('Which widths would it take?', () => lab.show('widths'))}
              ${button('Back to our own world', leave)}
            </div>`
      }
    </div>`;
  }

  private jumps({ speeds, faster, place }: FoundJumps) {
    const at = this.draggedTo ?? place;
    const speed = speeds[at] ?? 0;
    const found = speed === 0 ? 'No step counts as a jump' : `Steps faster than ${count(speed)} m/s count as jumps: ${count(faster[at] ?? 0)}`;
    return html`<label class="jumps">
      <span><strong>${found}.</strong> Nothing is interpolated across a jump.</span>
      ${slider(
        { min: 0, max: speeds.length - 1, value: at, label: 'Speed above which a step is a jump', said: found },
        (to) => (this.draggedTo = to),
        (to) => {
          this.draggedTo = undefined;
          lab.apply({ source: { jumps_over: { place: to } } });
        },
      )}
    </label>`;
  }
}

function often(number: number): string {
  if (number === 0) return 'never';
  return number === 1 ? 'once' : `${count(number)} times`;
}

/** Counts of objects that come, go and jump, in a sentence. */
function lives({ spawns, ends, jumps }: PlayedMotion): string {
  return spawns + ends + jumps === 0 ? '' : `Objects appear ${often(spawns)}, end ${often(ends)} and jump ${often(jumps)}.`;
}

function bounds({ lower, upper, capture }: PlayedMotion): string {
  const axes = ['x', 'y', 'z'].map((axis, place) => `${axis} ${lower[place] ?? 0} to ${upper[place] ?? 0}`);
  return `Bounds ${capture ? 'of the challenge' : 'fitted to it'}, m: ${axes.join(', ')}.`;
}
