// One's own play: how much of its last minute there is, to be judged or saved.

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { lab } from '../lab';
import type { Bytes } from '../motion/file-tasks';
import { start } from '../motion/file-work';
import { button } from '../shell/button';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { count } from '../shell/format';

@customElement('lab-recorded')
export class Recorded extends LabElement {
  @state() private said = '';
  @state() private saving = false;

  protected override render() {
    const ticks = lab.failure === undefined ? lab.ask('recorded_ticks') : 0;
    const none = ticks === 0;
    return html`
      <h3>Your own play</h3>
      <p class="amount">${words(ticks)}</p>
      <div class="choices">
        ${button('Judge it', this.judge, { kind: 'primary', disabled: none })}
        ${button('Save it as a file', this.save, { disabled: none })}
        <span role="status" class="saved">${this.said}</span>
      </div>
    `;
  }

  private judge(): void {
    lab.guard(() => this.dispatchEvent(new CustomEvent<Bytes>('judge', { detail: lab.page.bytes('subject') as Bytes })));
  }

  private save(): void {
    // The button stays enabled meanwhile, or it would lose the focus.
    if (this.saving) return;
    lab.guard(() => {
      const pack = lab.page.bytes('subject') as Bytes;
      this.saving = true;
      this.said = 'Packing …';
      const end = start({ pack }, (answer) => {
        end();
        this.saving = false;
        if ('packed' in answer) {
          download('bin.xz', new Blob([answer.packed], { type: 'application/x-xz' }));
          this.said = `Saved, ${count(answer.packed.length / 1000)} kB`;
        } else if ('refused' in answer) {
          this.said = `Not saved: ${answer.refused}`;
        } else this.said = '';
      });
    });
  }
}

function words(ticks: number): string {
  if (lab.failure !== undefined) return 'The laboratory has stopped.';
  if (ticks > 0 && ticks < 60) return 'Less than a second is kept so far.';
  if (ticks > 0) return `The last ${Math.floor(ticks / 60)} s are kept, whoever drove; a minute at most.`;
  if (lab.a.grid !== '30') return 'The challenge has 901 cubes: set the grid to 30, and they are kept.';
  return 'Nothing has happened yet.';
}
