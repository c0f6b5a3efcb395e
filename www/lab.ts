// The one laboratory of the page: the wasm's handle, and who is told when something changes. It holds no simulation state.

import init, { Page, on_panic, presets, type Live, type LockstepLive, type Progress, type Setting, type Span, type SyncLive } from '../pkg/snapshot_web';
import { inWords } from './failure';

export type { Live, LockstepLive, Preset, Setting, SyncLive } from '../pkg/snapshot_web';

/** settings: any setting changed. figures: new figures, ten times a second. run: paused, resumed. notices, failed: as named. */
export type Change = 'settings' | 'figures' | 'run' | 'notices' | 'failed';

const FIGURES_EVERY_MS = 100;
/** Ticks on a laboratory that is thrown away, so that the first frames do not wait for wasm to be compiled. */
const WARM_UP_TICKS = 24;
/** Ticks before the still that is shown to people who asked for less motion: cubes have been touched by then. */
const TELLING_TICKS = 420;

/** Whether these are figures of state synchronisation. */
export function isSync(live: Live): live is Live & SyncLive {
  return live.budget_kbps !== undefined;
}

/** Whether these are figures of lockstep. */
export function isLockstep(live: Live): live is Live & LockstepLive {
  return live.frames_checked !== undefined;
}

class Laboratory extends EventTarget {
  readonly presets = presets();
  /** What the present strategy heeds. */
  schema: Setting[] = [];
  readonly page: Page;
  notices: string[];
  settings: Record<string, string> = {};
  facts: Record<string, string | undefined> = {};
  chosenPreset: number | undefined;
  live: Live;
  /** Which ticks are held, and the one that is shown. */
  span: Span;
  /** How far the figures of the settings in force are. */
  progress: Progress;
  /** Whether the network is cut. */
  isCut = false;
  running = true;
  /** Ticks that play again and again. */
  loop: { from: number; to: number } | undefined;
  /** Why nothing goes on, once something has gone wrong in the wasm. */
  failure: string | undefined;
  private figuresAt = 0;
  private link = '';

  constructor(hash: string) {
    super();
    this.page = new Page(hash);
    this.notices = this.page.notices();
    this.live = this.page.live();
    this.span = this.page.span();
    this.progress = this.page.progress();
    this.readSettings();
  }

  on(changes: readonly Change[], listener: () => void): () => void {
    for (const change of changes) this.addEventListener(change, listener);
    return () => changes.forEach((change) => this.removeEventListener(change, listener));
  }

  /** The fragment of the settings in force, without #. It stays readable after a failure. */
  get permalink(): string {
    return this.link;
  }

  get scripted(): boolean {
    return this.settings['scene'] !== 'drive';
  }

  get speed(): number {
    return Number(this.settings['speed'] ?? 1);
  }

  /** One tick, with what is held; a person's first key takes the scripted scene over, and in the past drives on from there. */
  tick(input: number, cut = false): void {
    this.guard(() => {
      if (input === 0 && this.loop !== undefined && this.page.at() >= this.loop.to) this.page.seek(this.loop.from);
      this.page.set_cut(cut);
      if (input !== 0 && (this.scripted || !this.page.is_at_end())) {
        this.loop = undefined;
        this.page.take_over();
        this.changed();
      }
      this.page.tick(input);
    });
  }

  /** Goes on with what a change of settings has called for, for about so long. */
  work(budgetMs: number, now: number): void {
    if (this.progress.state === 'done' || this.failure !== undefined) return;
    let more = false;
    this.guard(() => (more = this.page.work(budgetMs)));
    if (more) this.figuresDue(now);
    else this.readFigures();
  }

  /** Shows another tick of those that are held. Somebody who looks at the past wants it to stand. */
  seek(tick: number): void {
    this.running = false;
    this.guard(() => this.page.seek(tick));
    this.readFigures();
    this.tell('run');
  }

  /** Goes to the nearest such event before or after what is shown, and says whether there is one. */
  find(event: 'loss' | 'hitch' | 'pop', forward: boolean): boolean {
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
    this.readFigures();
    this.tell('run');
  }

  restart(): void {
    this.loop = undefined;
    this.guard(() => this.page.restart());
    this.readFigures();
  }

  /** Sets one setting; what is refused is said in a notice. */
  set(id: string, text: string): void {
    this.guard(() => {
      try {
        this.page.set(id, text);
      } catch (error) {
        if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError) throw error;
        this.notify([error.message]);
      }
      this.changed();
    });
  }

  choosePreset(place: number): void {
    this.guard(() => {
      this.page.choose_preset(place);
      this.changed();
    });
  }

  open(hash: string): void {
    this.guard(() => {
      this.page.open(hash);
      this.notify(this.page.notices());
      this.changed();
    });
  }

  notify(notices: string[]): void {
    this.notices = notices;
    this.tell('notices');
  }

  /** Reads the figures when a tenth of a second has gone by. */
  figuresDue(now: number): void {
    if (now - this.figuresAt >= FIGURES_EVERY_MS) {
      this.figuresAt = now;
      this.readFigures();
    }
  }

  fail(message: string): void {
    if (this.failure !== undefined) return;
    this.failure = message;
    this.running = false;
    this.tell('run');
    this.tell('failed');
  }

  /** Whatever the wasm throws ends in a sentence and a link, not in a frozen page. */
  guard(work: () => void): void {
    if (this.failure !== undefined) return;
    try {
      work();
    } catch (error) {
      this.fail(inWords(error));
    }
  }

  private changed(): void {
    this.readSettings();
    this.tell('settings');
    this.readFigures();
  }

  private readSettings(): void {
    const strategy = this.settings['strategy'];
    this.settings = this.page.settings();
    if (strategy !== this.settings['strategy']) this.schema = this.page.schema();
    this.facts = this.page.facts();
    this.chosenPreset = this.page.chosen_preset();
    this.link = this.page.permalink();
  }

  private readFigures(): void {
    this.guard(() => {
      this.live = this.page.live();
      this.span = this.page.span();
      this.progress = this.page.progress();
      this.isCut = this.page.is_cut();
    });
    this.tell('figures');
  }

  private tell(change: Change): void {
    this.dispatchEvent(new Event(change));
  }
}

await init();
const thrownAway = new Page('');
for (let i = 0; i < WARM_UP_TICKS; i++) thrownAway.tick(0);
thrownAway.free();

export const lab = new Laboratory(location.hash);
on_panic((message: string) => lab.fail(`${message}. That is a mistake of ours`));

if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
  for (let i = 0; i < TELLING_TICKS; i++) lab.tick(0);
  lab.step();
}
