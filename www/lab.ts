// The one laboratory of the page: the wasm's handle, and who is told when something changes. It holds no simulation state.

import init, { Page, on_panic, presets, type Live, type LockstepLive, type Setting, type SyncLive } from '../pkg/snapshot_web';
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
  /** Whether the network is cut. */
  isCut = false;
  running = true;
  /** Why nothing goes on, once something has gone wrong in the wasm. */
  failure: string | undefined;
  private figuresAt = 0;
  private link = '';

  constructor(hash: string) {
    super();
    this.page = new Page(hash);
    this.notices = this.page.notices();
    this.live = this.page.live();
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

  /** One tick, with what is held; a person's first key takes the scripted scene over. */
  tick(input: number, cut = false): void {
    this.guard(() => {
      this.page.set_cut(cut);
      if (input !== 0 && this.scripted) {
        this.page.take_over();
        this.changed();
      }
      this.page.tick(input);
    });
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

  pause(paused: boolean): void {
    this.running = !paused;
    this.tell('run');
  }

  restart(): void {
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
