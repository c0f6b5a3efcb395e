// A figure that runs: its lanes, its camera, and the colours of its cubes.

import { type Article, figure_names, type Run } from '../../pkg/article/snapshot_article';
import { Camera, type Vector } from './camera';
import { type Figure, type LiveNumber, laboratoryLink, lanesOf, type ViewName } from './figures';
import { motion } from './motions';
import type { Drawing, LaneTrack } from './protocol';
import { INSTANCE } from './renderer';
import { shadeOf } from './shades';

/** Floats of a pose: place, orientation, red. */
const POSE = 8;
const PLAYER_HALF_M = 0.75;
const HALF_M = 0.2;
const NEUTRAL = [0.75, 0.75, 0.8] as const;
const RED = [0.9, 0, 0] as const;
/** Share of the remaining way to red, and back, that a cube's colour covers in a tick. */
const EASE_TO_RED = 0.25;
const EASE_TO_NEUTRAL = 0.1;
/** Ticks of packets that a drawing shows. */
const WINDOW = 90;
const TENTH = 6;

interface Lane {
  readonly run: Run;
  readonly still: Uint8Array;
}

export class Show {
  readonly camera: Camera;
  tick = 0;
  #widths: Uint32Array = new Uint32Array();
  readonly #lanes = new Map<string, Lane>();
  readonly #poses = new Map<ViewName, Float32Array>();
  readonly #reds = new Map<ViewName, Float32Array>();

  constructor(
    readonly figure: Figure,
    readonly choice: number | undefined,
    readonly pile: Article,
  ) {
    this.camera = new Camera(figure.camera);
    const link = laboratoryLink(figure, choice);
    for (const lane of lanesOf(figure)) this.#lanes.set(lane, { run: pile.run(link, lane === 'a' ? 0 : 1), still: new Uint8Array(pile.length + 1) });
  }

  free(): void {
    for (const { run } of this.#lanes.values()) run.free();
  }

  /** Plays one tick; returns false where the motion has not arrived, or has ended. */
  step(): boolean {
    for (const { of } of this.figure.views) {
      const isThere = of === 'truth' || of === 'a' || of === 'b' || (motion(of)?.truth(this.tick + 1).length ?? 0) > 0;
      if (!isThere) return false;
    }
    // Where a tick has arrived for one lane, it has for the other.
    for (const { run } of this.#lanes.values()) if (!run.step()) return false;
    // Counted are the packets from one question to the next.
    if (this.figure.drawing === 'widths') this.#widths = this.#lanes.get('a')?.run.widths() ?? this.#widths;
    this.tick += 1;
    this.#poses.clear();
    for (const [, { run, still }] of this.#lanes) still[this.tick] = value(run.figures(), 'is_still');
    for (const { of } of this.figure.views) this.#ease(of);
    return true;
  }

  /** Poses of a view at this tick. */
  poses(of: ViewName): Float32Array {
    const known = this.#poses.get(of) ?? this.#read(of);
    this.#poses.set(of, known);
    return known;
  }

  #read(of: ViewName): Float32Array {
    if (of === 'truth') return this.pile.truth(this.tick);
    if (of === 'a' || of === 'b') return this.#lanes.get(of)?.run.poses() ?? new Float32Array();
    return motion(of)?.truth(this.tick) ?? this.pile.truth(this.tick);
  }

  /** Poses of the true cubes at the instant that a view shows. */
  truth(of: ViewName): Float32Array {
    if (of === 'a' || of === 'b') return this.#lanes.get(of)?.run.truth_shown() ?? new Float32Array();
    const age = this.figure.views.find((view) => view.of === of)?.age ?? 0;
    return this.pile.truth(Math.max(0, this.tick - age));
  }

  follow(ticks: number): void {
    const players = this.figure.views.map(({ of }): Vector => {
      const [x = 0, y = 0, z = 0] = this.poses(of);
      return [x, y, z];
    });
    this.camera.follow(players, ticks);
  }

  /** Instances of a view's cubes. */
  cubes(of: ViewName): Float32Array {
    const poses = this.poses(of);
    const reds = this.#red(of);
    const count = poses.length / POSE;
    const instances = new Float32Array(count * INSTANCE);
    const { shade } = this.figure;
    const values = shade !== undefined && (of === 'a' || of === 'b') ? this.#lanes.get(of)?.run.overlay(shade) : undefined;
    for (let cube = 0; cube < count; cube++) {
      const [from, to] = [cube * POSE, cube * INSTANCE];
      instances.set(poses.subarray(from, from + 3), to);
      instances[to + 3] = cube === 0 ? PLAYER_HALF_M : HALF_M;
      instances.set(poses.subarray(from + 3, from + 7), to + 4);
      const red = reds[cube] ?? 0;
      const colour =
        values === undefined || shade === undefined
          ? [0, 1, 2].map((i) => (NEUTRAL[i] ?? 0) + ((RED[i] ?? 0) - (NEUTRAL[i] ?? 0)) * red)
          : shadeOf(values[cube] ?? 0, shade);
      instances.set(colour, to + 8);
      instances[to + 11] = 1;
    }
    return instances;
  }

  /** Instances of the true cubes that a view shows more than a pixel away from their places. */
  outlines(of: ViewName, height: number): Float32Array {
    if (this.figure.outlines === undefined || of === 'truth') return new Float32Array();
    const [poses, truth] = [this.poses(of), this.truth(of)];
    const [eyeX, eyeY, eyeZ] = this.camera.place;
    const pixels = this.camera.pixelsOfMetre(height);
    const found: number[] = [];
    for (let at = 0; at < Math.min(poses.length, truth.length); at += POSE) {
      const number = (array: Float32Array, i: number): number => array[at + i] ?? 0;
      const half = at === 0 ? PLAYER_HALF_M : HALF_M;
      const moved = Math.hypot(number(truth, 0) - number(poses, 0), number(truth, 1) - number(poses, 1), number(truth, 2) - number(poses, 2));
      let cos = 0;
      for (let i = 3; i < 7; i++) cos += number(truth, i) * number(poses, i);
      const apart = moved + 2 * Math.sqrt(Math.max(0, 1 - cos * cos)) * half * Math.sqrt(3);
      const distance = Math.hypot(number(truth, 0) - eyeX, number(truth, 1) - eyeY, number(truth, 2) - eyeZ);
      if ((apart * pixels) / distance > 1) {
        found.push(...truth.subarray(at, at + 3), half, ...truth.subarray(at + 3, at + 7), 0, 0, 0, 1);
      }
    }
    return new Float32Array(found);
  }

  values(): number[] {
    return this.figure.numbers.map((number) => this.#value(number));
  }

  drawing(): Drawing | undefined {
    if (this.figure.drawing === undefined) return undefined;
    const [now, before] = [this.pile.truth(this.tick), this.pile.truth(Math.max(0, this.tick - TENTH))];
    const changed = new Uint8Array(now.length / POSE);
    if (this.figure.drawing === 'fields') {
      changed.forEach((_, cube) => {
        const at = cube * POSE;
        const isSame = now.subarray(at, at + POSE).every((number, i) => number === before[at + i]);
        changed[cube] = isSame ? 0 : 1;
      });
    }
    return {
      tick: this.tick,
      length: this.pile.length,
      tracks: [...this.#lanes.values()].map((lane) => this.#track(lane)),
      turn: [...now.subarray(3, 7)],
      changed,
      widths: this.#widths,
    };
  }

  #track({ run, still }: Lane): LaneTrack {
    const numbers = run.packets(this.figure.drawing === 'stills' ? 0 : Math.max(0, this.tick - WINDOW));
    const packets = [];
    for (let at = 0; at < numbers.length; at += 7) {
      const [, sent = 0, arrived = 0, baseline = 0, bits = 0, , fate] = numbers.subarray(at, at + 7);
      packets.push({ sent, arrived, baseline, bits, isLost: fate === 2 });
    }
    return { packets, still: still.slice(0, this.tick + 1), kbps: value(run.figures(), 'kbps_mean') };
  }

  #value({ lane, figure, per = 1 }: LiveNumber): number {
    const figures = this.#lanes.get(lane)?.run.figures();
    return figures === undefined || figure === undefined ? Number.NaN : value(figures, figure) / per;
  }

  #red(of: ViewName): Float32Array {
    const known = this.#reds.get(of);
    if (known !== undefined) return known;
    const poses = this.poses(of);
    const reds = new Float32Array(poses.length / POSE).map((_, cube) => poses[cube * POSE + 7] ?? 0);
    this.#reds.set(of, reds);
    return reds;
  }

  #ease(of: ViewName): void {
    const reds = this.#red(of);
    const poses = this.poses(of);
    reds.forEach((red, cube) => {
      const goal = poses[cube * POSE + 7] ?? 0;
      reds[cube] = red + (goal - red) * (goal > red ? EASE_TO_RED : EASE_TO_NEUTRAL);
    });
  }
}

let places: Map<string, number> | undefined;

/** A figure of a run, by its name. */
function value(figures: Float64Array, name: string): number {
  places ??= new Map(figure_names().map((name, place) => [name, place]));
  const place = places.get(name);
  if (place === undefined) throw new Error(`the module has no figure ${name}`);
  return figures[place] ?? Number.NaN;
}
