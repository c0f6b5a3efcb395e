// The views on one canvas, their labels, and a person's hands on them.

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { type Overlay, type ViewCount, Views } from '../../pkg/snapshot_web';
import { handInWords } from '../figures/hand';
import { type Live, lab, type Settings } from '../lab';
import { LabElement } from '../shell/element';
import { measure } from '../shell/format';
import { lettersAt } from '../shell/keys';
import { select } from '../shell/parts';
import { wordsOf } from '../shell/strategy';
import { styled } from '../shell/styled';
import { onThemeChange } from '../shell/theme';
import { follow } from '../signals';
import { onFrame, pace } from '../time/loop';
import { sharing } from '../time/sharing';
import { gpu } from './gpu';
import { Quality, Still } from './quality';
import { pxPerMm } from './scale';
import { watchSight } from './sight';
import './divider';
import './picked';
import './overlay-legend';
import { tellWorst } from './inset';
import './touch';
import { button } from '../shell/button';

/** Farther than this from the middle nothing of the grid may be in sight, m; 30 m are its side. */
const FAR_M = 24;
/** Seconds before the player left the others to which the way back leads. A key drives on from there; Undo brings the later ticks back. */
const BACK_S = 1;
/** Time for which a correction is told where it happened. The style sheet fades it out. */
const FLASH_MS = 1200;
/** Smaller corrections are not told, mm. */
const LEAST_FLASH_MM = 1;
/** Longest time between two looks at corrections, ticks: after a longer one the instant was chosen. */
const FLASHED_TICKS = 60;
/** From this age on the plain view tells how old it is, ms. */
const LONG_AGO_MS = 500;
/** A pointer that has moved no farther than this has clicked, CSS px. */
const CLICK_PX = 4;
const arrangements: Readonly<Record<ViewCount, string>> = {
  three: 'original, A and B',
  two: 'A and B',
  one: 'one, with a divider',
};

@customElement('lab-views')
export class ViewsElement extends LabElement {
  private canvas!: HTMLCanvasElement;
  private views: Views | undefined;
  private readonly gpu = gpu();
  private readonly quality = Quality.of(this.gpu);
  private stepDue = false;
  private readonly still = new Still();
  /** Pixels for one CSS pixel, along a side. */
  private ratio = 0;
  /** True if nothing has changed since the last picture with all pixels. */
  private isDone = false;
  /** Frames since the last drawn frame: their number, and their length in 1/60 s. */
  private readonly leftOut = { count: 0, frames: 0 };
  /** True while the time of a picture is being measured. */
  private measures = false;
  private trouble = '';
  /** The place where a finger or button went down, until it has moved. */
  private pressed: { x: number; y: number } | undefined;
  /** The places of the fingers, or of the mouse, by pointer. */
  private readonly fingers = new Map<number, PointerEvent>();
  private inSight = true;
  /** The cubes that were lit last. */
  private lit: readonly number[] = [];
  /** The wheel zooms after a click, until the pointer leaves: a page must scroll. */
  private engaged = false;
  /** The last shown tick with others near. */
  private nearAt = 0;
  /** The tick up to which corrections have been told. */
  private flashedAt = 0;

  protected override render() {
    const { a, b } = lab;
    const overlays = [['', 'as in the original'] as const, ...lab.state.overlays.map(({ name, label }) => [name, `by ${label}`] as const)];
    const arrange = (count: string): void => lab.apply({ look: { arrange: { views: count as ViewCount, divider: lab.viewState.divider } } });
    return html`
      <div class="screen">
        <canvas
          tabindex="0"
          role="application"
          aria-label=${lab.arrangement === undefined || lab.arrangement === 'three' ? 'The simulation, and beside it what was rebuilt from packets' : 'What A rebuilt from packets, and beside it what B did'}
          aria-describedby="views-keys"
        ></canvas>
        <div class="labels ${lab.arrangement === 'one' ? 'divided' : ''}">
          ${
            lab.arrangement === 'two' || lab.arrangement === 'one'
              ? nothing
              : html`<p class="label left">
                  <strong>${lab.state.motion !== undefined ? 'Played' : a.strategy !== 'game' ? 'Simulated' : a.server === 'now' ? 'The server, now' : 'The server'}</strong> <span>${lab.state.motion === undefined ? drivenBy() : lab.motionName}</span>
                  ${lab.state.steers_rival && sharing.value === undefined ? html`<span class="for-keys">(blue: ${lettersAt('WASD')}, ${lettersAt('E')}, ${lettersAt('Q')})</span>` : nothing}
                </p>`
          }
          ${rebuilt('right', b === undefined ? '' : 'A: ', a, lab.now.a)}
          ${b === undefined ? nothing : rebuilt('b', 'B: ', b, lab.now.b)}
        </div>
        ${lab.arrangement === 'one' ? html`<lab-divider @moved=${this.redraw}></lab-divider>` : nothing}
        <div class="flashes" aria-hidden="true"></div>
        <lab-picked></lab-picked>
        ${this.trouble === '' ? nothing : html`<p class="trouble" role="status">${this.trouble}</p>`}
        <details class="look">
          <summary aria-label="Look" title="Colours, outlines, camera">
            <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M8 3.2c3.3 0 5.9 2.2 7.2 4.8-1.3 2.6-3.9 4.8-7.2 4.8S2.1 10.6.8 8C2.1 5.4 4.7 3.2 8 3.2Zm0 1.9a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8Z" /></svg>
          </summary>
          <div class="ways">
            <lab-overlay-legend .overlay=${this.overlay}></lab-overlay-legend>
            ${select('Colour', overlays, lab.viewState.overlay ?? '', (name) => lab.apply({ look: { colour: { overlay: name, ghost: lab.viewState.ghost } } }), 'overlay')}
            ${lab.arrangement === undefined ? nothing : select('Views', Object.entries(arrangements), lab.arrangement, arrange, 'overlay')}
            <label class="check"><input type="checkbox" .checked=${lab.viewState.ghost} @change=${this.setGhost} /> Outline the truth</label>
            ${button('Reset camera', () => this.centre(), { kind: 'quiet' })}
          </div>
        </details>
        <p class="unseen" id="views-keys" ?hidden=${lab.state.motion !== undefined}>Arrows push, Space blows, ${lettersAt('Z')} pulls.</p>
      </div>
      ${this.wayHome()}
      <lab-touch ?hidden=${lab.state.motion !== undefined}></lab-touch>
    `;
  }

  protected override firstUpdated(): void {
    this.canvas = this.querySelector('canvas') as HTMLCanvasElement;
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    watchSight(this.canvas, (seen) => this.see(seen));
    onThemeChange(() => this.recolour());
    onFrame((part, frames) => this.draw(part, frames));
    follow(
      () => [lab.state, lab.now, lab.viewState],
      () => this.redraw(),
    );
    follow(
      () => lab.now,
      () => this.flash(),
    );
    this.build();
  }

  /** Draws what is shown into another canvas; false where nothing can be drawn. */
  copyTo(context: CanvasRenderingContext2D, x: number, y: number, width: number): boolean {
    const { views, canvas } = this;
    if (views === undefined) return false;
    // A WebGL canvas keeps its picture for no longer than the task that drew it.
    lab.guard(() => views.draw(lab.page, 1, 0, lab.running));
    context.drawImage(canvas, x, y, width, (width * canvas.height) / canvas.width);
    return true;
  }

  /** Height of the views, divided by their width. */
  get heightByWidth(): number {
    return this.canvas.height / this.canvas.width;
  }

  /** Something of how it is drawn has changed. */
  private redraw(): void {
    this.isDone = false;
    this.still.change(performance.now());
  }

  /** Tells the size of each new correction of the driver's screen where it happened. */
  private flash(): void {
    const { canvas, flashedAt: from } = this;
    const { at } = lab.now;
    this.flashedAt = at;
    if (lab.a.strategy !== 'game' || !this.inSight || at - from > FLASHED_TICKS) return;
    for (const correction of lab.ask({ corrections: { lane: 'a' } })) {
      const { mm, cube } = correction;
      if (correction.at <= from || correction.at > at || mm < LEAST_FLASH_MM) continue;
      const [x, y] = this.views?.ask(lab.page, { place_of: { cube } }) ?? [];
      if (x === undefined || y === undefined) continue;
      const label = document.createElement('b');
      label.dataset['cube'] = String(cube);
      label.textContent = `${measure(mm)} mm`;
      label.style.left = `${(100 * x) / canvas.width}%`;
      label.style.top = `${(100 * y) / canvas.height}%`;
      // A newer one of the same cube takes its place.
      this.querySelector(`.flashes [data-cube="${cube}"]`)?.remove();
      this.querySelector('.flashes')?.append(label);
      setTimeout(() => label.remove(), FLASH_MS);
    }
  }

  /** A canvas that was out of sight may have lost its picture. */
  private see(seen: boolean): void {
    this.inSight = seen;
    this.redraw();
  }

  /** For a link's camera. */
  private tellCamera(): void {
    lab.guard(() => {
      const position = [...(this.views?.ask(lab.page, 'camera') ?? [])];
      lab.page.apply({ look: { camera: position.length === 0 ? {} : { position } } });
    });
  }

  private build(): void {
    this.views?.free();
    this.views = undefined;
    if (this.gpu === 'none') {
      this.say('This browser gives no WebGL 2, so there is nothing to see here. The simulation, the network and every figure go on.');
      return;
    }
    try {
      this.views = lab.gated(new Views(this.canvas, this.gpu === 'hardware'));
      this.views.apply({ light: { cubes: [...lab.lit] } });
      // A drag tells of the camera without a new picture of the page.
      const position = lab.page.ask({ shown: { reach: 'view' } }).view?.camera ?? null;
      if (position !== null) this.views.apply({ stand_at: { position } });
      this.say('');
      this.recolour();
      this.views.apply({ shadows: { on: this.quality.step.shadows } });
      this.resize();
    } catch (error) {
      this.say(`The views cannot be drawn: ${error instanceof Error ? error.message : String(error)}. Every figure goes on.`);
    }
  }

  private say(trouble: string): void {
    this.trouble = trouble;
    this.requestUpdate();
  }

  private draw(part: number, frames: number): void {
    const { views, leftOut } = this;
    if (views === undefined || !this.inSight) return;
    if (this.lit !== lab.lit) {
      this.lit = lab.lit;
      views.apply({ light: { cubes: [...lab.lit] } });
      this.redraw();
    }
    const now = performance.now();
    if (lab.running) this.still.begin();
    else if (this.isDone) return;
    const most = devicePixelRatio;
    const ratio = lab.running ? Math.min(most, this.quality.step.pixelRatio) : this.still.ratio(now, most);
    // Before drawing: another size empties the canvas.
    if (this.stepDue) views.apply({ shadows: { on: this.quality.step.shadows } });
    this.stepDue = false;
    if (ratio !== this.ratio) {
      this.ratio = ratio;
      this.fit();
    }
    leftOut.count += 1;
    leftOut.frames += frames;
    if (lab.running && leftOut.count < this.quality.step.drawnEvery) return;
    const { frames: all } = leftOut;
    Object.assign(leftOut, { count: 0, frames: 0 });
    const isStill = !lab.running;
    lab.guard(() => views.draw(lab.page, part, all, lab.running));
    tellWorst(views.ask(lab.page, 'worst'));
    // With two digits it stands still while the camera eases.
    pxPerMm.value = Number((((views.ask(lab.page, 'px_of_mm')[0] ?? 0) * most) / ratio).toPrecision(2));
    if (isStill) {
      this.isDone = ratio === most && !this.still.settles(now);
      this.still.drawn(ratio, most, undefined);
    }
    this.measure(now, (drawnMs) => {
      if (isStill) this.still.drawn(ratio, most, drawnMs);
      else this.stepDue = this.quality.add((all * 1000) / 60, drawnMs, pace.behind !== undefined) || this.stepDue;
    });
  }

  /** Measures the time from the draw calls to the finished picture, of one picture at a time. */
  private measure(start: number, tell: (drawnMs: number) => void): void {
    const gl = this.canvas.getContext('webgl2');
    const fence = this.measures ? undefined : gl?.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (gl == null || fence == null) return;
    gl.flush();
    this.measures = true;
    const poll = (): void => {
      // A lost context finishes nothing.
      if (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) {
        setTimeout(poll, 4);
        return;
      }
      this.measures = false;
      gl.deleteSync(fence);
      tell(performance.now() - start);
    };
    setTimeout(poll);
  }

  private resize(): void {
    this.fit();
    this.redraw();
  }

  /** Gives the canvas as many pixels as its place and the ratio ask for. */
  private fit(): void {
    const style = getComputedStyle(this.canvas);
    const scale = this.ratio;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight].map((size) => Math.round(size * scale));
    if (width === undefined || height === undefined || width === 0 || height === 0) return;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const gap = Math.round(Number.parseFloat(style.getPropertyValue('--gap')) * scale);
    this.views?.apply({ resize: { width_px: width, height_px: height, gap_px: gap, stacked: style.getPropertyValue('--stacked').trim() === '1' } });
    this.placeInset();
  }

  /** Gives the worst cube its place in A's view: that of its frame in the words over it. */
  private placeInset(): void {
    const [canvas, frame] = [this.canvas, this.querySelector('lab-inset')].map((part) => part?.getBoundingClientRect());
    if (canvas === undefined) return;
    const { left, top, width, height } = frame ?? new DOMRect();
    const [x, y, wide, high] = [left - canvas.left, top - canvas.top, width, height].map((size) => Math.round(size * this.ratio));
    this.views?.apply({ place_inset: { x_px: x ?? 0, y_px: y ?? 0, width_px: wide ?? 0, height_px: high ?? 0 } });
  }

  private recolour(): void {
    const parts =
      getComputedStyle(this.canvas)
        .backgroundColor.match(/[\d.]+/g)
        ?.map(Number) ?? [];
    const [red = 255, green = 255, blue = 255] = parts;
    this.views?.apply({ background: { red: red / 255, green: green / 255, blue: blue / 255 } });
    this.redraw();
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener('pointerdown', (event) => {
      // Another button opens the browser's menu.
      if (event.button !== 0) return;
      this.engaged = true;
      canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, event);
      this.pressed = this.fingers.size > 1 ? undefined : { x: event.clientX, y: event.clientY };
    });
    canvas.addEventListener('pointerup', (event) => this.pick(event));
    canvas.addEventListener('lostpointercapture', ({ pointerId }) => this.fingers.delete(pointerId));
    canvas.addEventListener('pointerleave', () => (this.engaged = false));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    // Two fingers zoom the views; the browser would scroll the page, or zoom it.
    canvas.addEventListener('touchmove', (event) => event.touches.length > 1 && event.cancelable && event.preventDefault(), { passive: false });
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('dblclick', () => this.centre());
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      // At once: of a context that has come back the old parts are no parts, and it would warn of each.
      lab.guard(() => this.views?.free());
      this.views = undefined;
      this.say('The graphics card has dropped the picture. The views return as soon as the browser allows.');
    });
    canvas.addEventListener('webglcontextrestored', () => this.build());
    // A finger elsewhere closes the sheet of colours, which covers much of a phone.
    window.addEventListener('pointerdown', ({ pointerType, target }) => {
      const sheet = this.querySelector<HTMLDetailsElement>('.look[open]');
      if (pointerType === 'touch' && sheet !== null && !(target instanceof Node && sheet.contains(target))) sheet.open = false;
    });
  }

  private move(event: PointerEvent): void {
    const { fingers } = this;
    if (!fingers.has(event.pointerId)) return;
    const before = spread(fingers);
    fingers.set(event.pointerId, event);
    if (fingers.size > 1) this.views?.apply({ zoom: { factor: before / Math.max(spread(fingers), 1) } });
    else this.views?.apply({ drag: { right_px: event.movementX, down_px: event.movementY } });
    this.tellCamera();
    this.redraw();
  }

  /** An arrow to the grid, for who has driven off. */
  private wayHome() {
    const [distance = 0, bearing = 0] = this.views?.ask(lab.page, 'home') ?? [];
    if (lab.state.motion !== undefined) return nothing;
    if (distance < FAR_M) {
      this.nearAt = lab.now.at;
      return nothing;
    }
    const back = Math.max(this.nearAt - BACK_S * lab.tickRate, lab.now.first);
    return html`<p class="home">
      <i ${styled({ rotate: `${bearing}rad` })}>↑</i> The others are ${Math.round(distance)} m away
      ${this.nearAt < lab.now.at ? button('Back to where you left them', () => lab.seek(back)) : nothing}
    </p>`;
  }

  private get overlay(): Overlay | undefined {
    return lab.state.overlays.find(({ name }) => name === lab.viewState.overlay);
  }

  private setGhost(event: Event): void {
    lab.apply({ look: { colour: { overlay: lab.viewState.overlay ?? '', ghost: (event.target as HTMLInputElement).checked } } });
  }

  /** A click that was no drag looks at the cube under it, and beside all cubes at none. */
  private pick(event: PointerEvent): void {
    const { pressed, canvas } = this;
    this.pressed = undefined;
    if (pressed === undefined || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PX) return;
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    lab.guard(() => {
      const place = { x_px: (event.clientX - box.left) * scale, y_px: (event.clientY - box.top) * scale };
      const [cube] = this.views?.ask(lab.page, { pick: place }) ?? [];
      if (cube !== (lab.viewState.cube ?? undefined)) lab.lookAt(lab.viewState.packet ?? undefined, cube);
    });
  }

  private wheel(event: WheelEvent): void {
    if (!this.engaged && !event.ctrlKey) return;
    event.preventDefault();
    this.views?.apply({ zoom: { factor: Math.exp(event.deltaY * 0.001) } });
    this.tellCamera();
    this.redraw();
  }

  private centre(): void {
    this.views?.apply('reset_camera');
    this.tellCamera();
    this.redraw();
  }
}

/** Distance between the first two fingers, CSS px; 1 where there is one. */
function spread(fingers: ReadonlyMap<number, PointerEvent>): number {
  const [one, other] = [...fingers.values()];
  return one === undefined || other === undefined ? 1 : Math.max(Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY), 1);
}

/** The driver, in words; a script needs none. */
function drivenBy() {
  if (lab.now.is_replaying) return 'somebody’s play, recorded';
  return lab.scripted ? nothing : 'you drive; Share keeps your play, the address does not';
}

/** A view of what arrived, in words. */
function rebuilt(side: string, name: string, settings: Settings, live: Live | undefined) {
  const behind = live?.behind_ms ?? null;
  const age = behind === null ? 'nothing arrived yet' : `${Math.round(behind)} ms behind`;
  if (side === 'b' && lab.client !== undefined)
    return html`<p class="label b"><strong>B: drawn by the client</strong> <span>${lab.clientName}, ${behind === null ? 'no frame yet' : age}</span></p>`;
  // The controls of the front say all this.
  const isPlain = name === '' && settings.strategy === 'snapshot' && !lab.viewState.embed;
  const lost = isPlain && side === 'right' ? lab.ask({ troubles: { ticks: lab.tickRate } }).lost.length : 0;
  return html`<p class="label ${side}">
    <strong>${name}${wordsOf(settings.strategy).view}</strong>
    ${isPlain ? (behind !== null && behind >= LONG_AGO_MS ? html`<span class="ago">${(behind / 1000).toFixed(1)} s back</span>` : nothing) : html`<span>${settings.hz}/s, ${how(settings, live)}, ${live?.strategy === 'game' ? handInWords(live) : age}</span>`}
    ${
      settings.strategy === 'game'
        ? html`<span class="truth">outlined: your cube on the server</span>`
        : lab.viewState.ghost
          ? html`<span class="truth" title="The original, where a corner is over a pixel off">blue: the original</span>`
          : nothing
    }
    ${lost === 0 ? nothing : html`<span class="lost" title="In the last second">${lost === 1 ? 'a packet' : `${lost} packets`} lost</span>`}
    ${side === 'right' ? html`<lab-inset></lab-inset>` : nothing}
    ${lab.now.is_cut ? html`<em>cut off</em>` : nothing}
    ${glitches(side, settings, live).map((word) => html`<em>${word}</em> ${button('why?', () => lab.show('packets'), { kind: 'why' })}`)}
    ${live !== undefined && isOutOfSync(live) ? html`<em>out of sync</em>` : nothing}
  </p>`;
}

/** The glitches of a view. A glitch of one tick is told of A, while paused. */
function glitches(side: string, settings: Settings, live: Live | undefined): readonly string[] {
  // Without news a replica goes on simulating. A picture that is held as long as it should be is no glitch.
  if (live?.waits === true && settings.strategy === 'sync') return ['on its own'];
  if (live?.waits === true && live.still) return ['stands still'];
  const glitch = lab.running || side !== 'right' ? undefined : lab.ask({ glitch: { lane: 'a' } });
  return glitch === undefined ? [] : [glitch.kind === 'jump' ? 'jumps' : 'put right'];
}

/** The receiver's method, in words. */
function how({ strategy, interp, smooth, transport, predict }: Settings, live: Live | undefined): string {
  const tangents = { sent: ' with sent velocities', neighbours: ', velocities estimated from adjacent snapshots' };
  switch (strategy) {
    case 'sync':
      return smooth === 'off' ? 'not smoothed' : `${smooth} smoothing`;
    case 'game':
      return predict === 'wait'
        ? 'waits for the server'
        : `predicts ${predict === 'own' ? 'the own cube' : predict === 'touch' ? 'what is near' : 'all'}, in red`;
    case 'lockstep':
      return transport === 'tcp' ? 'over TCP' : 'over UDP';
    case 'snapshot':
      return `${interp}${live?.strategy === 'snapshot' && live.tangents !== null ? tangents[live.tangents] : ''}`;
  }
}

function isOutOfSync(live: Live): boolean {
  return live.strategy === 'lockstep' && live.first_desync_frame !== null;
}
