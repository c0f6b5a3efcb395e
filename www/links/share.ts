// This moment, to take along: as a link, in Markdown, as part of another page, as a picture and, where the link is too long for
// where links go, as a file.

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { Stopped } from '../gate';
import { lab } from '../lab';
import { openAny } from '../motion/open';
import { button } from '../shell/button';
import { download } from '../shell/download';
import { LabElement } from '../shell/element';
import { count, rateText } from '../shell/format';
import { select } from '../shell/parts';
import { tabNames } from '../shell/tabs';
import { copyPicture, savePicture } from './canvas';
import { MOST_LINK_CHARACTERS } from './link';
import { draw } from './picture';
import { filesHere, saveAll } from './saved';

/** The part of the page that is embedded in another page. */
type Part = 'views' | 'figure';

const dialog = document.querySelector<HTMLDialogElement>('#share');

@customElement('lab-share')
export class Share extends LabElement {
  @state() private link = '';
  @state() private trouble = '';
  @state() private said = '';
  @state() private embedded: Part = 'views';

  /** Works out the link of the instant that is shown. */
  async begin(): Promise<void> {
    this.link = this.trouble = this.said = '';
    this.embedded = 'views';
    try {
      const fragment = await lab.share();
      this.link = new URL(`#${fragment}`, location.href).href;
    } catch (error) {
      if (error instanceof Stopped) return;
      this.trouble = error instanceof Error ? error.message : String(error);
    }
    await this.updateComplete;
    const canvas = this.querySelector('canvas');
    if (canvas !== null) draw(canvas);
  }

  protected override render() {
    return html`
      ${this.link === '' ? html`<p role="status">${this.trouble === '' ? 'Making the link…' : `${this.trouble}.`}</p>` : this.ways()}
      <p role="status" class="said">${this.said}</p>
      <div class="row end">
        <label class="button">Open a file<input type="file" accept=".txt,.zip,text/plain" @change=${this.chosen} /></label>
        ${button('Play together', this.together)}
        ${button('Close', () => dialog?.close())}
      </div>
    `;
  }

  private ways() {
    const tooLong = this.link.length > MOST_LINK_CHARACTERS;
    const files = filesHere();
    return html`
      <p>
        ${lab.failure === undefined ? nothing : html`The laboratory has stopped; this is the last copy of what was done, of ${lab.keeper.kept?.time_s.toFixed(1)} s.`}
        ${
          files.length === 0
            ? html`Whoever opens ${tooLong ? 'the file' : 'the link'} sees this instant, ${lab.now.a.time_s.toFixed(1)} s, to the last bit: settings, network and all that was done by hand
                since the scene began.`
            : html`The link carries the settings and the instant, ${lab.now.a.time_s.toFixed(1)} s, but not
                ${files.map(({ what, name }, place) => html`${place === 0 ? '' : ' nor '}${what} of <strong>${name}</strong>`)}: whoever opens it has to drop the same
                ${files.length === 1 ? 'file' : 'files'} on the page. <strong>Save all</strong> puts both the link and
                ${files.length === 1 ? 'that file' : 'those files'} into one file, which opens here by itself.`
        }
        ${
          tooLong
            ? html`<strong>As a link it has ${this.link.length} characters, which many programs cut off: save it as a file.</strong> To open it, drop the
                file on the page.`
            : nothing
        }
      </p>
      ${files.length === 0 ? nothing : button('Save all', this.saveAll, { kind: 'primary' })}
      ${tooLong ? button('Save as a file', this.save, { kind: 'primary' }) : this.text('Link', this.link, files.length === 0)}
      ${tooLong ? nothing : this.text('Markdown', `[${this.heading()}](${this.link})`)}
      ${tooLong ? nothing : this.embedding()}
      <div class="as-picture">
        <canvas role="img" aria-label="The views, and the main figures under them"></canvas>
        <div class="row">
          ${button('Save the picture', () => this.picture(savePicture))}
          ${button('Copy the picture', () => this.picture(copyPicture))}
        </div>
      </div>
    `;
  }

  private text(name: string, text: string, primary = false) {
    const id = `share-${name.split(' ')[0]?.toLowerCase()}`;
    return html`<div class="way">
      <label for=${id}>${name}</label>
      <input id=${id} type="text" readonly .value=${text} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
      ${button('Copy', () => this.copy(name, text), { kind: primary ? 'primary' : '', label: `Copy: ${name}` })}
    </div>`;
  }

  private embedding() {
    const { show } = lab.viewState;
    const parts: [Part, string][] = [
      ['views', 'the views'],
      ['figure', `the figure “${tabNames.get(show ?? 'bits')}”`],
    ];
    return html`<div class="embedding">
      ${this.text('Part of another page', this.snippet())}
      ${select('Shows', parts, this.embedded, (part) => (this.embedded = part as Part), 'which')}
    </div>`;
  }

  private snippet(): string {
    const url = new URL(this.link);
    const parts = url.hash
      .slice(1)
      .split('&')
      .filter((part) => !part.startsWith('show='));
    if (this.embedded === 'figure') parts.push(`show=${lab.viewState.show ?? 'bits'}`);
    url.hash = [...parts, 'embed=1'].join('&');
    return `<iframe src="${url.href.replaceAll('&', '&amp;')}" width="640" height="480" loading="lazy" title="${this.heading()}"></iframe>`;
  }

  private heading(): string {
    return `Snapshot Lab: ${rateText(lab.now.a.kbps)} at ${lab.now.a.time_s.toFixed(1)} s`;
  }

  private async copy(name: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${name} copied`);
    } catch {
      // Without a secure context there is no clipboard.
      this.say('The browser does not let it be copied: select the text, and copy it yourself');
    }
  }

  private say(words: string): void {
    this.said = words;
  }

  private save(): void {
    download('link.txt', new Blob([new URL(this.link).hash.slice(1)], { type: 'text/plain' }));
    this.say('File saved');
  }

  private async saveAll(): Promise<void> {
    this.say('Packing …');
    try {
      const all = await saveAll(new URL(this.link).hash.slice(1));
      download('zip', all);
      this.say(`Saved, ${count(all.size / 1000)} kB`);
    } catch (error) {
      this.say(`Not saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async together(): Promise<void> {
    dialog?.close();
    if (await lab.whole()) (await import('../wire/panel')).openTogether();
  }

  private async picture(give: (canvas: HTMLCanvasElement) => Promise<string>): Promise<void> {
    const canvas = this.querySelector('canvas');
    if (canvas !== null) this.say(await give(canvas));
  }

  private async chosen(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file === undefined) return;
    dialog?.close();
    await openAny(file);
    input.value = '';
  }
}

/** The motion stands while its moment is shared. */
export function openShare(): void {
  const wasRunning = lab.running;
  lab.pause(true);
  dialog?.showModal();
  dialog?.addEventListener('close', () => lab.pause(!wasRunning), { once: true });
  void dialog?.querySelector<Share>('lab-share')?.begin();
}
