// <snapshot-figure id="rate">: a figure of the article, in the article and on any other page.

import { type Actor, enter, leave, ready } from './director';
import { draw } from './drawings';
import { paperOf } from './drawings/pen';
import style from './figure.css?inline';
import { type Figure, figureOf, laboratoryLink } from './figures';
import { figureTree, pictureTree, toNode } from './markup';
import { HOLD_FRAMES, sweep, ticksOf } from './pace';
import { type Presented, present, type Slide } from './presenting';
import type { Picture, Reply, Wanted } from './protocol';
import { stills } from './stills';

/** Address of the site, of which this script is a part: from `assets/` or `article/`, or from its source. */
const UP = import.meta.env.DEV ? '../../' : '../';
const SITE = new URL(UP, import.meta.url).href;
/** Views stand one below the other where a figure is narrower, px. */
const NARROW_PX = 560;
const TICKS_PER_S = 60;
/** An engine that takes longer for a frame gets smaller pictures, ms. */
const SLOW_MS = 24;

let keys = 0;
/** Share of the screen's pixels that pictures have. */
let quality = 1;
let slow = 0;

class SnapshotFigure extends HTMLElement implements Actor, Presented {
  readonly #key = (keys += 1);
  #figure: Figure | undefined;
  #stage: HTMLElement | undefined;
  #canvas: HTMLCanvasElement | undefined;
  #drawing: HTMLCanvasElement | undefined;
  #numbers: HTMLDataElement[] = [];
  #button: HTMLButtonElement | undefined;
  #slider: HTMLInputElement | undefined;
  #choice: number | undefined;
  /** True if time goes on while the figure is in sight. */
  #plays = !matchMedia('(prefers-reduced-motion: reduce)').matches;
  #isInSight = false;
  /** True if the picture is out of date although time stands. */
  #isStale = false;
  #isStill = false;
  #goal = 0;
  #reached = 0;
  #length = -1;
  #held = 0;
  #last_ms = 0;
  #left_ms = 0;

  connectedCallback(): void {
    if (this.#figure !== undefined) return;
    const figure = figureOf(this.id);
    if (figure === undefined) return;
    this.#figure = figure;
    this.#choice = figure.control?.start;
    const stage = this.#root(figure).querySelector<HTMLElement>('.stage');
    if (stage === null) return;
    this.#stage = stage;
    void this.#bringStill(figure, stage);
    if (figure.views.length > 0) this.#run(figure, stage);
    else void import('./lab').then(({ open }) => open(this.#figurePart('.stage'), `${SITE}#${laboratoryLink(figure)}`));
  }

  /** The figure's elements: those of the article's page, or new ones in a shadow, where no style leaks in or out. */
  #root(figure: Figure): ParentNode {
    if (this.querySelector('figure') !== null) return this;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(toNode(figureTree(figure, { site: SITE, still: (name) => stills[name] ?? '', numbers: [] })));
    return root;
  }

  /** Puts the still into its place, behind what moves. */
  async #bringStill(figure: Figure, stage: HTMLElement): Promise<void> {
    if (this.#plays && figure.views.length > 0) await ready;
    stage.querySelector('noscript')?.replaceWith(toNode(pictureTree(figure, (name) => stills[name] ?? '')));
  }

  #figurePart(selector: string): HTMLElement {
    return (this.shadowRoot ?? this).querySelector(selector) as HTMLElement;
  }

  #run(figure: Figure, stage: HTMLElement): void {
    this.#canvas = document.createElement('canvas');
    this.#canvas.className = 'picture';
    this.#canvas.ariaHidden = 'true';
    stage.append(this.#canvas);
    if (figure.drawing !== undefined) {
      this.#drawing = document.createElement('canvas');
      this.#drawing.className = 'drawing';
      this.#drawing.ariaHidden = 'true';
      stage.append(this.#drawing);
    }
    this.#numbers = [...(this.shadowRoot ?? this).querySelectorAll('data')];
    this.#controls(figure);
    stage.addEventListener('click', () => this.#toggle());
    this.addEventListener('keydown', (event) => this.#press(event));
    new IntersectionObserver(([entry]) => this.#seen(entry?.isIntersecting === true && entry.intersectionRatio >= 0.5), { threshold: [0, 0.5] }).observe(stage);
    new ResizeObserver(() => this.#refresh()).observe(stage);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#refresh());
  }

  #controls({ control, question }: Figure): void {
    const row = this.#figurePart('.control');
    const button = document.createElement('button');
    button.type = 'button';
    this.#button = button;
    button.addEventListener('click', () => this.#toggle());
    row.append(button);
    if (control !== undefined) {
      const slider = document.createElement('input');
      slider.type = 'range';
      slider.max = String(control.values.length - 1);
      slider.value = String(control.start);
      slider.ariaLabel = control.label;
      const label = document.createElement('label');
      const said = document.createElement('output');
      label.append(`${control.label} `, slider, said);
      row.append(label);
      const say = (): void => {
        said.textContent = `${control.values[slider.valueAsNumber]} ${control.unit}`;
        slider.ariaValueText = said.textContent;
      };
      say();
      slider.addEventListener('input', () => {
        say();
        this.#choose(slider.valueAsNumber);
      });
      this.#slider = slider;
      // One stop of the Tab key a figure: the slider's keys also play and pause.
      button.tabIndex = -1;
    }
    const big = document.createElement('button');
    big.type = 'button';
    big.className = 'big';
    big.tabIndex = -1;
    big.textContent = 'Full screen';
    big.addEventListener('click', () => present(this, figuresOfPage()));
    row.append(big);
    this.#button.ariaKeyShortcuts = 'Space F';
    this.#button.title = question;
    this.#sayState();
  }

  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key.toLowerCase() === 'f') present(this, figuresOfPage());
    else if (event.key === ' ' && event.target === this.#slider) this.#toggle();
    else return;
    event.preventDefault();
  }

  #choose(choice: number): void {
    this.#choice = choice;
    // At the end there is nothing to see of a change but the number: begin anew.
    if (this.#length > 0 && this.#goal >= this.#length) this.#goal = 0;
    const link = this.#figurePart('figcaption a');
    if (this.#figure !== undefined && link instanceof HTMLAnchorElement) link.href = `${SITE}#${laboratoryLink(this.#figure, choice)}`;
    this.#refresh();
  }

  #toggle(): void {
    this.#plays = !this.#plays;
    this.#sayState();
    this.#refresh();
  }

  #sayState(): void {
    if (this.#button !== undefined) this.#button.textContent = this.#plays ? 'Pause' : 'Play';
  }

  #seen(isInSight: boolean): void {
    this.#isInSight = isInSight;
    if (isInSight && (this.#plays || this.#isStale)) enter(this);
    else if (!isInSight) leave(this);
  }

  /** Has the picture drawn again, if there is one. */
  #refresh(): void {
    this.#isStale = this.#plays || this.#canvas?.dataset['drawn'] !== undefined;
    if (this.#isInSight && this.#isStale) enter(this);
  }

  distance(): number {
    const box = this.#stage?.getBoundingClientRect();
    return box === undefined ? Number.POSITIVE_INFINITY : Math.abs((box.top + box.bottom) / 2 - innerHeight / 2);
  }

  wants(now_ms: number): Wanted | 'later' | undefined {
    if (!this.#isInSight || (!this.#plays && !this.#isStale)) {
      leave(this);
      return undefined;
    }
    const [ticks, left_ms] = ticksOf(now_ms - this.#last_ms, this.#left_ms);
    this.#last_ms = now_ms;
    this.#left_ms = left_ms;
    const isAtEnd = this.#length > 0 && this.#goal >= this.#length;
    if (this.#plays && this.#reached === this.#goal) {
      if (isAtEnd) {
        this.#held += 1;
        if (this.#held < HOLD_FRAMES && !this.#isStale) return 'later';
        if (this.#held >= HOLD_FRAMES) this.#goal = 0;
      } else {
        this.#held = 0;
        this.#goal = this.#length < 0 ? this.#goal : Math.min(this.#goal + ticks, this.#length);
        if (ticks === 0 && !this.#isStale) return 'later';
      }
    }
    return this.#wanted();
  }

  #wanted(): Wanted | undefined {
    const [canvas, stage] = [this.#canvas, this.#stage];
    if (canvas === undefined || stage === undefined) return undefined;
    const scale = Math.min(2, devicePixelRatio) * quality;
    const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)];
    const seam = this.#figure?.seam === 'stands' ? 0.5 : sweep(this.#goal);
    const isColumn = stage.clientWidth < NARROW_PX;
    if (width === 0 || height === 0) return undefined;
    return {
      key: this.#key,
      id: this.id,
      choice: this.#choice,
      tick: this.#goal,
      width,
      height,
      isColumn,
      seam,
      isStill: this.#isStill,
      paper: paperOf(stage),
    };
  }

  show(reply: Reply, took_ms: number): void {
    this.#length = reply.length;
    const picture = reply.pictures.find(({ key }) => key === this.#key);
    const failure = reply.failure ?? picture?.failure;
    if (failure !== undefined) {
      this.#fail(failure);
      return;
    }
    if (picture === undefined) return;
    this.#reached = picture.tick;
    if (picture.bitmap === undefined) return;
    this.#isStale = picture.tick !== this.#goal;
    this.#paint(picture, picture.bitmap);
    slow = took_ms > SLOW_MS ? slow + 1 : 0;
    if (slow > 30 && quality > 0.5) [quality, slow] = [quality * 0.8, 0];
  }

  #paint({ values, drawing, tick }: Picture, bitmap: ImageBitmap): void {
    const canvas = this.#canvas as HTMLCanvasElement;
    canvas.dataset['drawn'] = '';
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
    this.dataset['tick'] = String(tick);
    const isLive = this.#figure?.numbers.some(({ figure }) => figure !== undefined) === true;
    this.#figurePart('figure').toggleAttribute('data-runs', isLive && tick < this.#length);
    if (isLive) this.#figurePart('.so-far').textContent = `so far: ${Math.floor(tick / TICKS_PER_S)} of ${this.#length / TICKS_PER_S} s`;
    const numbers = this.#figure?.numbers ?? [];
    numbers.forEach(({ decimals }, place) => {
      const [value, element] = [values[place], this.#numbers[place]];
      if (value === undefined || Number.isNaN(value) || element === undefined) return;
      const text = value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
      if (element.textContent !== text) element.textContent = text;
    });
    if (this.#drawing === undefined || drawing === undefined || this.#figure?.drawing === undefined) return;
    this.#drawing.dataset['drawn'] = '';
    draw(this.#figure.drawing, this.#drawing, drawing);
  }

  /** Says once that the figures cannot run: the stills stay. */
  #fail(sentence: string): void {
    this.#plays = false;
    this.#isStale = false;
    const row = this.#figurePart('.control');
    row.replaceChildren(sentence);
    leave(this);
  }

  get instant(): number {
    return this.#figure?.instant ?? 0;
  }

  /** Goes to a tick and stays there, as a still is made. */
  stand(tick: number): void {
    this.#plays = false;
    this.#goal = tick;
    this.#isInSight = true;
    this.#isStale = true;
    this.#isStill = true;
    this.#sayState();
    enter(this);
  }

  present(slide: Slide | undefined): void {
    if (slide === undefined) {
      for (const part of [this, this.#figurePart('figure')]) delete part.dataset['presented'];
      this.hidePopover();
      this.removeAttribute('popover');
      return;
    }
    if (this.dataset['presented'] === undefined) {
      this.popover = 'manual';
      this.showPopover();
      this.#goal = 0;
    }
    for (const part of [this, this.#figurePart('figure')]) part.dataset['presented'] = slide.isShown ? 'shown' : 'asked';
    this.#plays = slide.isShown;
    this.#isStale = true;
    this.#isInSight = true;
    this.#sayState();
    enter(this);
    (this.#slider ?? this.#button)?.focus();
  }
}

function figuresOfPage(): SnapshotFigure[] {
  return [...document.querySelectorAll<SnapshotFigure>('snapshot-figure')];
}

customElements.define('snapshot-figure', SnapshotFigure);
