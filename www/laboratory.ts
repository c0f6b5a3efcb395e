// The laboratory: the wasm's handle, the state last read from it, and whoever is told of a change. It holds no simulation state.

import { batch } from '@preact/signals-core';
import {
  type Answer,
  type Changed,
  type Command,
  type Form,
  type Event as Happening,
  hasRest,
  type JudgementWords,
  type LaneName,
  type Live,
  loadRest,
  look_up,
  type Now,
  type NumbersQuery,
  Page,
  type Query,
  type Setting,
  type SettingTexts,
  type State,
  type ViewCount,
  type ViewState,
} from '../pkg/snapshot_web';
import { gated, isRefusal, Stopped } from './gate';
import { isLink, namesAnInstant, opening, withStill } from './links/address';
import { Keeper } from './links/keeper';
import { inWords } from './shell/failure';
import { shortName } from './shell/names';
import { until, watched } from './signals';

const FIGURES_EVERY_MS = 100;
const FRAMES_A_FIGURE = 2;
/** Ticks a second of our own world. */
const TICKS_PER_S = 60;
/** Ticks of which the cost is kept. */
const COSTS_KEPT = 60 * TICKS_PER_S;

const LOADING = 'Loading the rest of the simulation, which this needs';
const UNLOADED = 'The rest of the simulation, which this needs, did not arrive: see to the connection, and try again';

const NO_BYTES = new Uint8Array();

/** Carries out a command, and shows what it has changed. */
type Apply = (command: Command) => void;

/** True for a change that the first part of the program can make. */
function needsNoRest(command: Command): boolean {
  if ('look' in command || 'time' in command) return true;
  return 'lane' in command && typeof command.lane === 'object' && ('quantise' in command.lane || 'form' in command.lane);
}

/** Whoever reads a watched field while it renders is rendered again when the field changes. */
export class Laboratory {
  readonly page: Page;
  /** All that a change of settings, motion or network may have changed. */
  @watched state!: State;
  /** The shown instant, with the figures of both lanes; while it runs, ten times a second. */
  @watched now!: Now;
  /** The view: camera, chosen cube and figure. A link carries them, and no figure depends on them. */
  @watched viewState!: ViewState;
  /** The fragment that opens all this again, without #. It stays readable after a failure. */
  @watched permalink = '';
  @watched running = true;
  @watched notices: readonly string[];
  /** Why nothing goes on, once something has gone wrong in the wasm. */
  @watched failure: string | undefined;
  /** The value that the form was given last and that was refused, until a change is taken. */
  @watched refused: { id: string; why: string } | undefined;
  /** The newest override whose effect has not been shown yet. */
  @watched asked: { packet: number; delivered: boolean } | undefined;
  /** Ticks that play again and again. */
  @watched loop: { from: number; to: number } | undefined;
  /** Cubes that the views light up beside the one that is looked at. */
  @watched lit: readonly number[] = [];
  /** The settings that a page without a link begins with: nobody has touched them. */
  startSettings: Record<string, string | undefined> = {};
  /** The file of the motion from elsewhere. */
  motionFile: File | undefined;
  private givenClient: { file: File; words: JudgementWords } | undefined;
  /** The last recording that a person gave. */
  private givenTrace: { name: string; file: Uint8Array<ArrayBuffer>; fingerprint: string | undefined } | undefined;
  private figuresAt = 0;
  /** The shown tick, which `now` tells ten times a second. */
  private at = 0;
  /** Milliseconds that ticks of the last minute took here. */
  private readonly costsMs = new Map<number, number>();
  /** Changes that wait for the next frame, by their control. */
  private readonly waiting = new Map<string, () => unknown>();
  readonly keeper = new Keeper();

  constructor(hash: string) {
    this.page = this.gated(new Page(opening(withStill(hash))));
    this.notices = [];
    this.take(this.page.ask({ shown: { reach: 'all' } }));
    if (hash.length <= 1 || !isLink(hash)) this.startSettings = this.a;
    if (this.now.progress === 'travelling') this.pause(true);
  }

  /** Asks the wasm. Whoever asks while it renders follows the settings and the instant. */
  ask<const Q extends Query>(question: Q): Answer<Q> {
    void [this.state, this.now];
    return this.page.ask(question);
  }

  /** Asks the wasm for numbers, as `ask` does. */
  numbers(query: NumbersQuery): Float64Array {
    void [this.state, this.now];
    return this.page.numbers(query);
  }

  /** The settings of lane A, which are in force. */
  get a(): SettingTexts {
    return this.state.a;
  }

  /** The settings of lane B, where there is one. */
  get b(): SettingTexts | undefined {
    return this.state.b;
  }

  /** Whose settings the form shows and sets. */
  get setting(): LaneName {
    return this.state.setting;
  }

  /** The settings that the form shows and sets. */
  get settings(): SettingTexts {
    return this.state[this.setting] ?? this.a;
  }

  /** The rest of the form: what its lane's strategy reads, and what there is to say of it. */
  get form(): Form {
    return this.state.form;
  }

  /** Ticks a second of the motion: 60 of our own world, others of a file's. */
  get tickRate(): number {
    return this.state.motion?.tick_rate ?? TICKS_PER_S;
  }

  /** Lane B where it is a lane of the lab, which sends packets. */
  get sendingB(): SettingTexts | undefined {
    return this.state.shows_client ? undefined : this.b;
  }

  /** The figures of lane B, where it sends packets. */
  get sendingNowB(): Live | undefined {
    return this.state.shows_client ? undefined : this.now.b;
  }

  /** A client whose drawing lane B shows, while it does: its file, and its judgement. */
  get client(): typeof this.givenClient {
    return this.state.shows_client ? this.givenClient : undefined;
  }

  get clientName(): string {
    return shortName(this.client?.file.name ?? '');
  }

  get motionName(): string {
    return shortName(this.motionFile?.name ?? '');
  }

  get traceName(): string {
    return shortName(this.ownTrace?.name ?? 'trace');
  }

  /** The recording in use, where a person gave it. */
  get ownTrace(): typeof this.givenTrace {
    return this.givenTrace?.fingerprint === this.state.trace?.fingerprint ? this.givenTrace : undefined;
  }

  get tickMs(): number {
    return 1000 / this.tickRate;
  }

  /** True if the motion goes on by itself, and a person's key takes it over. */
  get scripted(): boolean {
    return this.now.is_scripted || this.now.is_replaying;
  }

  get speed(): number {
    return Number(this.a.speed ?? 1);
  }

  /** Plays one tick with the held keys. The wasm decides whether a key takes over a script, or drives on from the past. */
  tick(input: number, cuts = false): void {
    this.guard(() => {
      if (input === 0 && this.loop !== undefined && this.at >= this.loop.to) this.take(this.page.apply({ time: { seek: { tick: this.loop.from } } }));
      const start = performance.now();
      const { at, changed } = this.page.tick(input, cuts);
      const costMs = performance.now() - start;
      this.at = at;
      if (changed !== undefined) {
        if (input !== 0) this.loop = undefined;
        this.take(changed);
      }
      this.costsMs.set(at, costMs);
      this.costsMs.delete(at - COSTS_KEPT);
    });
  }

  /** Milliseconds that a tick took, with everything in it; none if it was not played since the last change. */
  costMs(tick: number): number | undefined {
    return this.costsMs.get(tick);
  }

  /** Goes on with what a change of settings has called for, for about so long. The shown instant is told as soon as it is there. */
  work(budgetMs: number, now: number, frameMs: number): void {
    if (this.now.progress === 'done' || this.failure !== undefined) return;
    this.guard(() => {
      const { at, changed } = this.page.work(budgetMs);
      this.at = at;
      if (changed !== undefined) this.take(changed);
      else this.figuresDue(now, frameMs);
    });
  }

  /** Carries out a command. A notice tells what is refused. A look or a time never is. */
  apply(command: Command): void {
    if (needsNoRest(command)) this.change((apply) => apply(command));
    else this.changeWhole((apply) => apply(command));
  }

  /**
   * The fragment that opens this instant anywhere, to the bit, with what a person did; once all is made that it speaks of. It
   * throws in words where no link leads here.
   */
  async share(): Promise<string> {
    await until(() => this.now.progress === 'done' || this.failure !== undefined);
    if (this.failure === undefined) return this.page.ask('share');
    const { kept } = this.keeper;
    if (kept === undefined) throw new Error('The laboratory has stopped, and nobody had done anything: the address says everything');
    return kept.moment;
  }

  /** Shows another tick of those that are held. Somebody who looks at the past wants it to stand. */
  seek(tick: number): void {
    if (this.running) this.pause(true);
    this.apply({ time: { seek: { tick: Math.max(tick, 0) } } });
  }

  /** Goes to the nearest event of a kind before or after the shown tick. Returns true if there is one. */
  find(event: Happening, forward: boolean): boolean {
    const tick = this.page.ask({ find: { event, forward } });
    if (tick !== undefined) this.seek(tick);
    return tick !== undefined;
  }

  /** Plays the seconds before what is shown again and again, or no longer. */
  setLoop(ticks: number | undefined): void {
    const { at, first } = this.now;
    this.loop = ticks === undefined ? undefined : { from: Math.max(first, at - ticks), to: at };
  }

  undo(): void {
    this.apply({ time: 'undo' });
    this.seek(this.now.at);
  }

  step(): void {
    this.pause(true);
    this.tick(0);
    this.readNow();
  }

  stepBack(): void {
    this.seek(this.at - 1);
  }

  pause(paused: boolean): void {
    this.running = !paused;
    if (this.running) this.lit = [];
    this.apply({ time: { pause: { on: paused } } });
  }

  restart(): void {
    this.loop = undefined;
    this.apply({ time: 'restart' });
  }

  /** Sets one setting of a lane, by default the form's. The form tells a refusal beside the field. */
  set(id: string, text: string, lane = this.setting): void {
    if (!hasRest() && this.page.ask({ needs_rest: { lane, id, text } })) return void this.whole(() => this.set(id, text, lane));
    this.guard(() => {
      this.refused = undefined;
      try {
        this.take(this.page.apply({ lane: { set: { lane, id, text } } }));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.refused = { id, why: error.message };
      }
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

  /** Changes settings, motion or network in several steps, once the rest of the program is there. A notice tells a refusal. */
  changeWhole(work: (apply: Apply) => void, before = ''): void {
    if (!hasRest()) return void this.whole(() => this.changeWhole(work, before));
    this.change(work, before);
  }

  /**
   * Acts once the rest of the program is there. A notice tells whoever waits. Returns false where it does not arrive, which a notice
   * tells, too.
   */
  async whole(act: () => void = () => {}): Promise<boolean> {
    if (!hasRest()) {
      const others = (): readonly string[] => this.notices.filter((notice) => notice !== LOADING && notice !== UNLOADED);
      this.notify([...others(), LOADING]);
      const isHere = await loadRest().then(
        () => true,
        () => false,
      );
      this.notify(isHere ? others() : [...others(), UNLOADED]);
      if (!isHere) return false;
    }
    act();
    return true;
  }

  private change(work: (apply: Apply) => void, before = ''): void {
    this.guard(() => {
      try {
        work((command) => this.take(this.page.apply(command)));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.notify([before + error.message]);
      }
    });
  }

  /** Plays a file's motion in place of the present one, after all its parts were received. */
  playMotion(file: File, facts?: string): void {
    this.loop = undefined;
    this.changeWhole(
      (apply) => {
        apply({ source: { play: { facts } } });
        this.motionFile = file;
      },
      `${shortName(file.name)} cannot be played: `,
    );
  }

  /** Has lane B show what a client drew over its server's motion. Returns false if that motion is yet to be played. */
  showClient(file: File, words: JudgementWords, recording: Uint8Array): boolean {
    this.changeWhole(() => {
      this.givenClient = { file, words };
      this.take(this.page.receive('client', recording));
    });
    return this.state.shows_client;
  }

  /** Has lane B show what the guest of this world saw. It throws in words if these are no frames of it. */
  showGuest(frames: Uint8Array): void {
    const shown = this.page.receive('guest_frames', frames);
    this.givenClient = { file: new File([], 'the guest'), words: { sentence: '', main: [], figures: [], lists: [] } };
    this.guard(() => this.take(shown));
  }

  /** Plays our own world again. */
  leaveMotion(): void {
    this.loop = undefined;
    this.apply({ source: 'leave_motion' });
  }

  /** Sends packets over a file's recorded link, which a Worker has parsed. */
  useTrace(name: string, file: Uint8Array<ArrayBuffer>, parsed: Uint8Array): void {
    this.changeWhole(
      () => {
        this.take(this.page.receive('trace', parsed));
        this.givenTrace = { name, file, fingerprint: this.state.trace?.fingerprint };
      },
      `${shortName(name)} cannot be used: `,
    );
  }

  /** Puts a lane B beside A, set as A is but for these, and shows the comparison, or another figure that tells of both. */
  compareWith(settings: Readonly<Record<string, string>> = {}, figure = 'compare'): void {
    this.changeWhole((apply) => {
      apply({ lane: 'copy_a_to_b' });
      for (const [id, text] of Object.entries(settings)) apply({ lane: { set: { lane: 'b', id, text } } });
      this.show(figure);
    });
  }

  /** Sets all of A and B that a ready-made comparison needs, and shows it. */
  compareReady(place: number): void {
    this.apply({ lane: { compare: { place } } });
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
    this.apply({ lane: { force: { packet, delivered } } });
    this.show('compare');
  }

  /** Chooses the form's lane; B is there then. */
  setFor(lane: LaneName): void {
    this.apply({ lane: { form: { lane } } });
  }

  open(hash: string): void {
    if (!hasRest() && look_up({ link_needs_rest: { link: hash } }, NO_BYTES)) return void this.whole(() => this.open(hash));
    this.change((apply) => apply({ source: { open: { link: opening(hash) } } }));
    // A link to an instant is one to look at it.
    if ((this.now.progress === 'travelling' || namesAnInstant(hash)) && this.running) this.pause(true);
  }

  /** Goes on where a link was left. */
  goOn(at: number, running: boolean): void {
    this.apply({ time: at <= this.now.last ? { seek: { tick: at } } : { go_to: { tick: at } } });
    this.pause(!running || this.now.progress === 'travelling');
  }

  /** The arrangement of A's and B's views; undefined if there is no B. */
  get arrangement(): ViewCount | undefined {
    return this.b === undefined ? undefined : this.viewState.views;
  }

  /** Shows another figure, or the first where none is named. */
  show(figure: string | undefined): void {
    this.apply({ look: { open: { figure } } });
  }

  /** Looks at a packet and a cube, in all figures and views. */
  lookAt(packet: number | undefined, cube: number | undefined): void {
    this.lit = [];
    this.apply({ look: { select: { packet, cube } } });
  }

  /** Reads the figures ten times a second. Between slow frames it reads them less often, because rendering them takes time. */
  figuresDue(now: number, frameMs: number): void {
    if (now - this.figuresAt >= Math.max(FIGURES_EVERY_MS, FRAMES_A_FIGURE * frameMs)) {
      this.figuresAt = now;
      this.readNow();
    }
  }

  /** Whatever the wasm throws ends in a sentence and a link, not in a frozen page. */
  guard(work: () => void): void {
    if (this.failure !== undefined) return;
    try {
      batch(work);
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
  }

  notify(notices: readonly string[]): void {
    this.notices = notices;
  }

  /** Shows what has changed; the rest stays. */
  private take({ state, now, view, notices, permalink }: Changed): void {
    if (state !== undefined) {
      this.costsMs.clear();
      this.state = state;
    }
    if (view !== undefined) this.viewState = view;
    if (notices !== undefined) this.notify(notices);
    if (permalink !== undefined) this.permalink = permalink;
    if (now === undefined) return;
    this.now = now;
    this.at = now.at;
    if (now.progress === 'done' && this.state.motion === undefined) this.keeper.keep(() => this.page.ask('share'), now.a.time_s);
  }

  /** Finds a setting that a lane's strategy reads by its id, in the form's lane first. */
  row(id: string): Setting | undefined {
    const named = (setting: Setting): boolean => setting.id === id;
    return this.form.schema.find(named) ?? (this.b && this.page.ask({ schema: { lane: this.setting === 'a' ? 'b' : 'a' } }).find(named));
  }

  private readNow(): void {
    this.guard(() => this.take(this.page.ask({ shown: { reach: 'figures' } })));
  }
}
