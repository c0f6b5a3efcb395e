// A recorded link: dropped on the page or chosen, packets are sent over it in place of the modelled network.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { FittedTrace, UsedTrace } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { fileField } from '../motion/field';
import { useTrace } from '../motion/network';
import { button } from '../shell/button';
import { define, LabElement } from '../shell/element';
import { visible } from '../shell/names';
import { numberField } from '../shell/parts';

/** The button that opens a trace. */
define('lab-trace', () => {
  const help = html`Send packets over a recorded link: the output of <code>ping</code>, or rows of delays. Choose its file, or drop it on this page.
    <a href="./trace.html" target="_blank">The formats</a>`;
  return fileField('trace', 'A network of your own', '.csv,.txt,.log,.zip', help);
});

/** The line above the views about a recorded link: its name, its beginning, settings fitted to it, and the way back. */
@customElement('lab-traced')
export class TracedElement extends LabElement {
  @state() private fit: FittedTrace | undefined;
  /** The trace that the fit is of. */
  private fitted = '';

  protected override render() {
    const { trace } = lab.state;
    return html`<div role="status">
      ${
        trace === undefined
          ? nothing
          : html`<div class="notice played">
              <p>
                Packets are sent over <strong>${lab.traceName}</strong>${trace.begins_ms === 0 ? '' : `, from ${trace.begins_ms / 1000} s on`}.
              </p>
              <details>
                <summary>More of it</summary>
                <p>It stands in place of the settings’ delay and loss. ${visible(trace.description)}. <a href="./trace.html" target="_blank">What a trace is</a></p>
                ${this.beginning(trace)} ${trace.assumed_interval ? this.interval() : nothing}
              </details>
              ${this.fits(JSON.stringify(trace))}
              ${button('Back to the settings’ network', () => lab.apply({ source: 'leave_trace' }))}
            </div>`
      }
    </div>`;
  }

  private beginning({ seconds, begins_ms }: UsedTrace) {
    const begin = (at: number): void => {
      if (at >= 0) lab.apply({ source: { begin_trace: { offset_ms: at * 1000 } } });
    };
    return amount('Begin at', 's', [0, Math.floor(seconds)], begins_ms / 1000, begin);
  }

  /** Asks for the time between packets, which the file does not tell. It becomes the file's first line. */
  private interval() {
    const own = lab.ownTrace;
    if (own === undefined) return nothing;
    const use = (ms: number): void => {
      if (ms > 0) void useTrace(new File([`interval_ms=${ms}\n`, own.file], own.name));
    };
    return amount('A packet was sent each', 'ms', [0.1, 60_000], 1000, use);
  }

  private fits(trace: string) {
    const fit = this.fitted === trace ? this.fit : undefined;
    return fit === undefined
      ? button('Fit settings to it', () => {
          this.fitted = trace;
          lab.guard(() => (this.fit = lab.ask('fit_trace')));
        })
      : html`<p>The nearest settings are <code>${fit.link}</code>. ${fit.told}</p>
          ${button('Use the fit', this.useFit, { kind: 'primary' })}`;
  }

  /** Gives the lanes the fitted settings in place of the recorded link. */
  private useFit(): void {
    lab.changeWhole((apply) => {
      apply({ lane: 'use_fit' });
      apply({ source: 'leave_trace' });
    });
  }
}

/** A field for a number, in a sentence. */
function amount(before: string, after: string, [least, most]: readonly [number, number], value: number, set: (value: number) => void) {
  return html`<label class="begins"
    >${before}
    ${numberField({ min: least, max: most, value: String(value) }, (to) => Number.isFinite(Number(to)) && set(Number(to)))}
    ${after}</label
  >`;
}
