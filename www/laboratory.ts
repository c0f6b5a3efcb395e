// The laboratory: the wasm's handle, the state last read from it, and whoever is told of a change. It holds no simulation state.

import {
  comparisons,
  type IncomingMotion,
  type JudgementWords,
  type LaneName,
  type Live,
  type Looking,
  Page,
  type PlayedMotion,
  type Progress,
  presets,
  type Setting,
  type Span,
  type UsedTrace,
  type ViewCount,
} from '../pkg/snapshot_web';
import { gated, isRefusal, Stopped } from './gate';
import type { Lane, Settings } from './lane';
import { isLink, namesAnInstant, opening, withStill } from './links/address';
import { Keeper, type Kept } from './links/keeper';
import { inWords } from './shell/failure';
import { shortName } from './shell/names';

const FIGURES_EVERY_MS = 100;
const FRAMES_A_FIGURE = 2;
/** The trace that a step of the tour comes with. */
const EXAMPLE_TRACE = 'ping-example.txt';
/** Input bits of the hand; a rival's are above. */
const HAND_BITS = 63;
/** Ticks a second of our own world. */
const TICKS_PER_S = 60;
/** Ticks of which the cost is kept. */
const COSTS_KEPT = 60 * TICKS_PER_S;

/**
 * settings: any setting of A or B changed. figures: new figures, ten times a second. run: paused, resumed. looking: another
 * figure, packet or cube. notices, failed: as named. files: another file is read, asked about or kept. desk: another part of
 * the page has opened or closed. compared: more runs of the comparison are done. tour: another step, guess or measured figure.
 */
export type Change = 'settings' | 'figures' | 'run' | 'looking' | 'notices' | 'failed' | 'files' | 'desk' | 'compared' | 'tour';

export class Laboratory extends EventTarget {
  readonly page: Page;
  readonly presets = presets();
  readonly comparisons = comparisons();

  // Told by `settings`.

  /** The settings that the present strategy reads, of the lane that the form is for. */
  schema: Setting[] = [];
  /** The lane whose settings are in force. */
  readonly a: Lane<Live>;
  /** Lane B, where there is one. */
  b: Lane<Live | undefined> | undefined;
  /** The ids of the settings in which B differs from A. */
  differences: readonly string[] = [];
  /** The settings that a page without a link begins with: nobody has touched them. */
  startSettings: Record<string, string | undefined> = {};
  /** Whose settings the form shows and sets. */
  setting: LaneName = 'a';
  facts: Record<string, string | undefined> = {};
  chosenPreset: number | undefined;
  /** The ready-made comparison that A and B are. */
  chosenComparison: number | undefined;
  /** The value that the form was given last and that was refused, until a change is taken. */
  refused: { id: string; why: string } | undefined;
  /** The motion from elsewhere that plays in place of our own world, and its file. */
  motion: PlayedMotion | undefined;
  motionFile: File | undefined;
  /** A client whose drawing lane B shows, while it does: its file, and its judgement. */
  client: { file: File; words: JudgementWords } | undefined;
  private givenClient: typeof this.client;
  /** The recorded link in place of the modelled link. */
  trace: UsedTrace | undefined;
  /** The last recording that a person gave. A step of the tour brings one of its own. */
  private givenTrace: { name: string; file: Uint8Array<ArrayBuffer>; fingerprint: string | undefined } | undefined;

  // Told by `figures`, with the figures of the lanes.

  /** The held ticks, and the shown one. */
  span: Span;
  /** Progress of the figures of the settings in force. */
  progress: Progress;
  /** True if the network is cut. */
  isCut = false;
  /** True if a link's recorded input is being replayed. */
  replaying = false;
  private figuresAt = 0;
  /** Milliseconds that ticks of the last minute took here. */
  private readonly costsMs = new Map<number, number>();
  /** Changes that wait for the next frame, by their control. */
  private readonly waiting = new Map<string, () => unknown>();
  private readonly keeper = new Keeper();

  // Told by `run`.

  running = true;
  /** The newest override whose effect has not been shown yet. */
  asked: { packet: number; delivered: boolean } | undefined;
  /** Ticks that play again and again. */
  loop: { from: number; to: number } | undefined;
  /** The tick at which a step of the tour stops. Frames are rarer than ticks, and figures than frames: without it play overshoots. */
  stopAt: number | undefined;

  // Told by `looking`: a link carries it, and no figure depends on it.

  looking: Looking;
  /** Cubes that the views light up beside the one that is looked at. */
  lit: readonly number[] = [];

  // Told by `notices` and `failed`.

  notices: string[];
  /** Why nothing goes on, once something has gone wrong in the wasm. */
  failure: string | undefined;

  /** The fragment that opens all this again, without #. It stays readable after a failure. */
  permalink = '';

  constructor(hash: string) {
    super();
    this.page = this.gated(new Page(opening(withStill(hash))));
    this.looking = this.page.looking();
    this.notices = this.page.notices();
    this.a = { settings: this.page.settings().a, live: this.page.live().a };
    this.span = this.page.span();
    this.progress = this.page.progress();
    this.replaying = this.page.is_replaying();
    this.readSettings();
    if (hash.length <= 1 || !isLink(hash)) this.startSettings = this.a.settings;
    if (this.progress.state === 'travelling') this.running = false;
  }

  /** Calls back after each of these changes, until told to stop. */
  on(changes: readonly Change[], listener: () => void): () => void {
    for (const change of changes) this.addEventListener(change, listener);
    return () => changes.forEach((change) => this.removeEventListener(change, listener));
  }

  tell(change: Change): void {
    this.dispatchEvent(new Event(change));
  }

  /** Ticks a second of the motion: 60 of our own world, others of a file's. */
  get tickRate(): number {
    return this.motion?.tick_rate ?? TICKS_PER_S;
  }

  /** Lane B where it is a lane of the lab, which sends packets. */
  get sendingB(): typeof this.b {
    return this.client === undefined ? this.b : undefined;
  }

  get clientName(): string {
    return shortName(this.client?.file.name ?? '');
  }

  get motionName(): string {
    return shortName(this.motionFile?.name ?? '');
  }

  get traceName(): string {
    return shortName(this.ownTrace?.name ?? EXAMPLE_TRACE);
  }

  /** The recording in use, where a person gave it. */
  get ownTrace(): typeof this.givenTrace {
    return this.givenTrace?.fingerprint === this.trace?.fingerprint ? this.givenTrace : undefined;
  }

  get tickMs(): number {
    return 1000 / this.tickRate;
  }

  /** The settings that the form shows. */
  get shownSettings(): Settings {
    return this[this.setting]?.settings ?? this.a.settings;
  }

  /** The figures of the lane that the form shows. */
  get shownLive(): Live | undefined {
    return this[this.setting]?.live;
  }

  /** True if the motion goes on by itself, and a person's key takes it over. */
  get scripted(): boolean {
    return this.a.settings.scene !== 'drive' || this.replaying;
  }

  get speed(): number {
    return Number(this.a.settings.speed ?? 1);
  }

  /** Plays one tick with the held keys. A person's first key takes over a scripted scene, unless it is the rival's, and drives on from the past. */
  tick(input: number, cut = false): void {
    this.guard(() => {
      if (input === 0 && this.stopAt !== undefined && this.page.at() >= this.stopAt) return;
      if (input === 0 && this.loop !== undefined && this.page.at() >= this.loop.to) this.page.seek(this.loop.from);
      this.page.set_cut(cut);
      const takesOver = (input & HAND_BITS) !== 0 && this.scripted;
      if (input !== 0 && this.motion === undefined && (takesOver || this.page.follows_its_link() || !this.page.is_at_end())) {
        this.loop = undefined;
        this.page.take_over();
        this.changed();
      }
      const start = performance.now();
      this.page.tick(input);
      this.costsMs.set(this.page.at(), performance.now() - start);
      this.costsMs.delete(this.page.at() - COSTS_KEPT);
      // A recorded person takes over as well.
      if (this.replaying !== this.page.is_replaying()) this.changed();
    });
  }

  /** Milliseconds that a tick took, with everything in it; none if it was not played since the last change. */
  costMs(tick: number): number | undefined {
    return this.costsMs.get(tick);
  }

  /** Goes on with what a change of settings has called for, for about so long. The shown instant is told as soon as it is there. */
  work(budgetMs: number, now: number, frameMs: number): void {
    const { state } = this.progress;
    if (state === 'done' || this.failure !== undefined) return;
    let more = false;
    let isShown = false;
    this.guard(() => {
      more = this.page.work(budgetMs);
      isShown = state !== this.page.progress().state;
    });
    if (more && !isShown) this.figuresDue(now, frameMs);
    else this.readFigures();
    if (!more) this.tell('run');
  }

  /** Stays where it is on the way to a link's instant. */
  stopGoing(): void {
    this.guard(() => this.page.stop_going());
    this.readFigures();
    this.tell('run');
  }

  /**
   * The fragment that opens this instant anywhere, to the bit, with what a person did; once all is made that it speaks of. It
   * throws in words where no link leads here.
   */
  async share(): Promise<string> {
    while (this.progress.state !== 'done' && this.failure === undefined) {
      await new Promise((resolve) => this.addEventListener('figures', resolve, { once: true }));
    }
    if (this.failure === undefined) return this.page.share();
    if (this.kept === undefined) throw new Error('The laboratory has stopped, and nobody had done anything: the address says everything');
    return this.kept.moment;
  }

  get kept(): Kept | undefined {
    return this.keeper.kept;
  }

  /** Forgets the copy of work that is no longer on the tape. */
  forgetCopy(): void {
    this.keeper.kept = undefined;
  }

  /** Shows another tick of those that are held. Somebody who looks at the past wants it to stand. */
  seek(tick: number): void {
    this.running = false;
    this.guard(() => this.page.seek(tick));
    this.readFigures();
    this.tell('run');
  }

  /** Goes to the nearest event of a kind before or after the shown tick. Returns true if there is one. */
  find(event: 'loss' | 'hitch' | 'freeze' | 'pop', forward: boolean): boolean {
    const tick = this.page.find(event, forward);
    if (tick !== undefined) this.seek(tick);
    return tick !== undefined;
  }

  /** Plays the seconds before what is shown again and again, or no longer. */
  setLoop(ticks: number | undefined): void {
    const { at, first } = this.span;
    this.loop = ticks === undefined ? undefined : { from: Math.max(first, at - ticks), to: at };
    this.tell('figures');
  }

  undo(): void {
    this.guard(() => this.page.undo());
    this.seek(this.page.at());
  }

  cutFor(ticks: number): void {
    this.guard(() => this.page.cut_for(ticks));
    this.readFigures();
  }

  step(): void {
    this.pause(true);
    this.tick(0);
    this.readFigures();
  }

  stepBack(): void {
    this.seek(this.page.at() - 1);
  }

  pause(paused: boolean): void {
    this.running = !paused;
    if (this.running) this.lit = [];
    this.readFigures();
    this.tell('run');
  }

  restart(): void {
    this.loop = undefined;
    this.guard(() => this.page.restart());
    this.readFigures();
  }

  /** Sets one setting of a lane, by default the form's. The form tells a refusal beside the field. */
  set(id: string, text: string, lane = this.setting): void {
    this.guard(() => {
      this.refused = undefined;
      const { at } = this.span;
      try {
        this.page.set(lane, id, text);
        // Another scene begins at 0; somebody who looked at an instant goes on looking at it.
        if (!this.running && this.page.at() < at) this.page.go_to(at);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.refused = { id, why: error.message };
      }
      this.changed();
    });
  }

  /** Makes a change at the next frame, before its work and its picture. A newer change of the same control drops the one that waits. */
  soon(control: string, change: () => unknown): void {
    this.waiting.set(control, change);
  }

  /** Makes the changes that wait. Returns false if there is none. */
  makeWaiting(): boolean {
    const changes = [...this.waiting.values()];
    this.waiting.clear();
    for (const change of changes) change();
    return changes.length > 0;
  }

  /** Changes settings, motion or network, and reads everything again. A refusal is told in a notice. */
  change(work: (page: Page) => void, before = ''): void {
    this.guard(() => {
      try {
        work(this.page);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.notify([before + error.message]);
      }
      this.changed();
    });
  }

  /** Plays a file's motion in place of the present one, after all its parts have arrived. */
  playMotion(file: File, incoming: IncomingMotion, facts?: string): void {
    this.loop = undefined;
    this.change(
      () => {
        this.page.play_motion(incoming, facts);
        this.motionFile = file;
        this.notify(this.page.notices());
      },
      `${shortName(file.name)} cannot be played: `,
    );
  }

  /** Has lane B show what a client drew over its server's motion. Returns false if that motion is yet to be played. */
  showClient(file: File, words: JudgementWords, recording: Uint8Array): boolean {
    let isShown = false;
    this.change(() => {
      this.givenClient = { file, words };
      isShown = this.page.show_client(recording);
      this.notify(this.page.notices());
    });
    return isShown;
  }

  /** Plays our own world again. */
  leaveMotion(): void {
    this.loop = undefined;
    this.change(() => this.page.leave_motion());
  }

  /** Sends packets over a file's recorded link. */
  useTrace(name: string, file: Uint8Array<ArrayBuffer>): void {
    this.change(
      () => {
        this.page.use_trace(file);
        this.givenTrace = { name, file, fingerprint: this.page.trace()?.fingerprint };
        this.notify(this.page.notices());
      },
      `${shortName(name)} cannot be used: `,
    );
  }

  /** Puts a lane B beside A, set as A is but for these, and shows the comparison, or another figure that tells of both. */
  compareWith(settings: Readonly<Record<string, string>> = {}, figure = 'compare'): void {
    this.guard(() => {
      this.page.make_b_what_a_is();
      for (const [id, text] of Object.entries(settings)) this.page.set('b', id, text);
      this.changed();
    });
    this.show(figure);
  }

  /** Sets all of A and B that a ready-made comparison needs, and shows it. */
  compareReady(place: number): void {
    this.change(() => this.page.compare(place));
    this.show('compare');
  }

  /** Puts a lane B beside A, set as A is, and gives it the form. */
  compareByHand(): void {
    this.compareWith();
    this.setFor('b');
  }

  /** Puts lane B beside A where there is none, and makes it the form's lane. A given value of one setting becomes B's. */
  compareOne(id: string, text: string | undefined): void {
    this.setFor('b');
    if (text !== undefined) this.set(id, text, 'b');
    this.show('compare');
  }

  /** Puts a lane B beside A with an override of one packet, and shows the comparison, which goes to the first effect. */
  whatIf(packet: number, delivered: boolean): void {
    this.pause(true);
    this.asked = { packet, delivered };
    this.change(() => this.page.what_if(packet, delivered));
    this.show('compare');
  }

  /** Chooses the form's lane; B is there then. */
  setFor(lane: LaneName): void {
    this.setting = lane;
    this.guard(() => {
      if (lane === 'b' && this.b === undefined) this.page.make_b_what_a_is();
      this.changed();
    });
  }

  open(hash: string): void {
    this.guard(() => {
      this.page.open(opening(hash));
      this.notify(this.page.notices());
      this.changed();
    });
    this.lookAnew();
    // A link to an instant is one to look at it.
    if ((this.progress.state === 'travelling' || namesAnInstant(hash)) && this.running) this.pause(true);
  }

  /** Goes on where a link was left. */
  goOn(at: number, running: boolean): void {
    this.guard(() => (at <= this.span.last ? this.page.seek(at) : this.page.go_to(at)));
    this.readFigures();
    this.pause(!running || this.progress.state === 'travelling');
  }

  /** Opens a step of the tour, paused at its instant. */
  openStep(id: string): void {
    this.loop = undefined;
    this.guard(() => {
      this.page.open_step(id);
      this.notify(this.page.notices());
      this.changed();
    });
    this.lookAnew();
    this.pause(true);
  }

  /** The arrangement of A's and B's views; undefined if there is no B. */
  get arrangement(): ViewCount | undefined {
    return this.b === undefined ? undefined : this.looking.views;
  }

  /** Changes what the viewer looks at. */
  look(work: (page: Page) => void): void {
    this.guard(() => work(this.page));
    this.lookAnew();
  }

  /** Shows another figure, or the first where none is named. */
  show(figure: string | undefined): void {
    this.look((page) => page.look_at_figure(figure));
  }

  /** Looks at a packet and a cube, in all figures and views. */
  lookAt(packet: number | undefined, cube: number | undefined): void {
    this.lit = [];
    this.look((page) => page.look_at(packet, cube));
  }

  private lookAnew(): void {
    this.guard(() => {
      this.looking = this.page.looking();
      this.readLink();
    });
    this.tell('looking');
  }

  /** Reads the figures ten times a second. Between slow frames it reads them less often, because rendering them takes time. */
  figuresDue(now: number, frameMs: number): void {
    if (now - this.figuresAt >= Math.max(FIGURES_EVERY_MS, FRAMES_A_FIGURE * frameMs)) {
      this.figuresAt = now;
      this.readFigures();
    }
  }

  /** Whatever the wasm throws ends in a sentence and a link, not in a frozen page. */
  guard(work: () => void): void {
    if (this.failure !== undefined) return;
    try {
      work();
    } catch (error) {
      // What the gate has shut has been said.
      if (!(error instanceof Stopped)) this.fail(inWords(error));
    }
  }

  /** A handle of the wasm that is called through the gate alone. */
  gated<T extends object>(handle: T): T {
    return gated(handle, { isShut: () => this.failure !== undefined, shut: (error) => this.fail(inWords(error)) });
  }

  fail(message: string): void {
    if (this.failure !== undefined) return;
    this.running = false;
    this.failure = message;
    this.tell('run');
    this.tell('failed');
  }

  notify(notices: string[]): void {
    this.notices = notices;
    this.tell('notices');
  }

  private changed(): void {
    this.costsMs.clear();
    this.readSettings();
    this.tell('settings');
    this.readFigures();
  }

  /** Finds a setting that a lane's strategy reads by its id, in the form's lane first. */
  row(id: string): Setting | undefined {
    const named = (setting: Setting): boolean => setting.id === id;
    return this.schema.find(named) ?? (this.b && this.page.schema(this.setting === 'a' ? 'b' : 'a').find(named));
  }

  private readSettings(): void {
    const { a, b } = this.page.settings();
    this.a.settings = a;
    this.b = b === undefined ? undefined : { settings: b, live: this.b?.live };
    this.motion = this.page.motion();
    this.trace = this.page.trace();
    this.client = this.page.shows_client() ? this.givenClient : undefined;
    this.differences = this.page.differences();
    if (this.b === undefined) this.setting = 'a';
    this.schema = this.page.schema(this.setting);
    this.facts = this.page.facts(this.setting);
    this.chosenComparison = this.page.chosen_comparison();
    this.chosenPreset = this.page.chosen_preset(this.setting);
    this.readLink();
  }

  private readLink(): void {
    this.permalink = this.page.permalink(!this.running);
  }

  private readFigures(): void {
    const wasTravelling = this.progress.state === 'travelling';
    this.guard(() => {
      const { a, b } = this.page.live();
      this.a.live = a;
      if (this.b !== undefined) this.b.live = b;
      this.span = this.page.span();
      this.progress = this.page.progress();
      this.isCut = this.page.is_cut();
      this.replaying = this.page.is_replaying();
      // A recorded person may have taken over on the way.
      if (wasTravelling && this.progress.state !== 'travelling') {
        this.readSettings();
        this.tell('settings');
      }
      this.readLink();
      if (this.progress.state === 'done' && this.motion === undefined) this.keeper.keep(() => this.page.share(), this.a.live.time_s);
    });
    this.tell('figures');
  }
}
