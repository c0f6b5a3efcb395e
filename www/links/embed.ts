// A part of the page inside another one: the views or one figure. It begins with a still, runs when it is
// seen and has been touched, and only the one that was touched last does.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { lab } from '../lab';
import { openPart } from '../shell/desk';
import { LabElement } from '../shell/element';
import { rateText } from '../shell/format';
import { focusViews } from '../shell/keys';
import { follow } from '../signals';
import { gate } from '../time/loop';
import { watchSight } from '../views/sight';
import { decoded } from './address';
// A link's figure is known to be one before it is decided what is shown.
import '../shell/tabs';
import { button } from '../shell/button';
import { openChannel } from '../shell/channel';

const root = document.documentElement;

/** The embedded part: the link's figure, else the views. */
function part(): 'figure' | 'views' {
  return lab.viewState.show === null ? 'views' : 'figure';
}

@customElement('lab-embed')
export class Embed extends LabElement {
  /** Channel between the frames of one page. Frames of other sites have their own. */
  private readonly others = openChannel('snapshot-lab-embed');
  private readonly name = crypto.getRandomValues(new Uint32Array(2)).join('-');
  private seen = false;

  override connectedCallback(): void {
    super.connectedCallback();
    if (!lab.viewState.embed) return;
    this.hidden = false;
    root.dataset['embed'] = part();
    if (part() === 'figure') openPart('figures');
    gate.open = false;
    // Without it in the link it is the whole page again, which is built otherwise.
    window.addEventListener('hashchange', () => !/[#&]embed=1(&|$)/.test(decoded(location.hash)) && location.reload());
    lab.pause(true);
    follow(
      () => lab.running,
      () => this.said(),
    );
    if (this.others !== undefined) this.others.onmessage = ({ data }: MessageEvent<unknown>) => this.onOther(data);
    watchSight(root, (seen) => this.see(seen));
  }

  protected override render() {
    if (!lab.viewState.embed) return nothing;
    const { running, failure } = lab;
    const going = lab.now.progress === 'travelling';
    const done = lab.now.of > 0 ? Math.floor((100 * lab.now.done) / lab.now.of) : 0;
    return html`
      ${
        running || failure !== undefined || part() !== 'views'
          ? nothing
          : button(html`<span>${going ? `On the way to the instant: ${done} %` : html`<i aria-hidden="true">▶</i> Run it`}</span>`, this.start, {
              kind: 'start',
              disabled: going,
            })
      }
      <footer class="embed-line">
        <h1 class="unseen">Snapshot Lab</h1>
        ${button(running ? 'Pause' : 'Play', () => (running ? lab.pause(true) : this.start()), { disabled: going || failure !== undefined })}
        <strong>${rateText(lab.now.a.kbps)}</strong>
        <span class="instant">${lab.now.a.time_s.toFixed(1)} s</span>
        <a href=${`./#${whole()}`} target="_blank" rel="noopener">Open in Snapshot Lab ↗</a>
      </footer>
    `;
  }

  private readonly start = (): void => {
    lab.pause(false);
    focusViews();
  };

  /** Out of sight nothing is worked out, and what ran has to be touched again. */
  private see(seen: boolean): void {
    this.seen = seen;
    gate.open = seen;
    if (!seen && lab.running) lab.pause(true);
  }

  /** Whoever begins to run says so, and the others stop: there is one processor for all. */
  private said(): void {
    if (!lab.running) return;
    if (this.seen) this.others?.postMessage(this.name);
    else lab.pause(true);
  }

  private onOther(name: unknown): void {
    if (name !== this.name && lab.running) lab.pause(true);
  }
}

/** The link of the whole page. */
function whole(): string {
  return lab.permalink
    .split('&')
    .filter((part) => part !== 'embed=1')
    .join('&');
}
