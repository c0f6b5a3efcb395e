// The figures of the article, in its order. A figure is a row: what runs, what is drawn, and the words around it.

/** Name of a view: the simulation, or the receiver of lane A or B. */
export type ViewName = 'truth' | 'a' | 'b' | 'sync' | 'lockstep';

/** Kind of drawing below the views. */
export type DrawingName = 'fields' | 'lines' | 'stills' | 'components' | 'arcs' | 'widths' | 'bars';

export interface Control {
  readonly label: string;
  readonly unit: string;
  /** Settings of the link that take the value. */
  readonly keys: readonly string[];
  readonly values: readonly number[];
  /** Place of the first value in `values`. */
  readonly start: number;
}

/** A live number below the figure. */
export interface LiveNumber {
  readonly label: string;
  readonly unit: string;
  readonly lane: 'a' | 'b';
  /** Name of the module's figure. Without one, the number is that of the text: of a recorded lane only the picture is here. */
  readonly figure?: string;
  /** The figure is divided by it. */
  readonly per?: number;
  readonly decimals: number;
}

export interface Figure {
  readonly id: string;
  /** Fragment of the laboratory's link: settings of lanes A and B, and what the laboratory shows beside. */
  readonly link: string;
  readonly views: readonly {
    readonly of: ViewName;
    readonly name: string;
    /** Age of a recorded picture, ticks: journey and buffer. */
    readonly age?: number;
  }[];
  /** Two views in one picture, apart at a line that sweeps, or stands in the middle. */
  readonly seam?: 'sweeps' | 'stands';
  /** Degrees round the player, degrees above it, and the distance in cm, as in the link. */
  readonly camera: readonly [round: number, above: number, cm: number];
  readonly shade?: 'error' | 'bits';
  readonly outlines?: true;
  readonly drawing?: DrawingName;
  readonly control?: Control;
  readonly numbers: readonly LiveNumber[];
  /** Tick that makes the point: the still shows it. */
  readonly instant: number;
  readonly question: string;
  readonly caption: string;
  /** Description of the picture, for readers who do not see it. */
  readonly seen: string;
}

/** Settings of all figures: the recorded motion, sixty snapshots a second, 50 ms. */
const BASE = 'v=2&motion=pile&hz=60&latency=50&jitter=0&loss=0';
/** A link with these settings, some of them in place of the base's. */
const on = (settings: string): string => {
  const keys = settings.split('&').map(keyOf);
  return [...BASE.split('&').filter((part) => !keys.includes(keyOf(part))), settings].join('&');
};

const kbps = (label: string, lane: 'a' | 'b'): LiveNumber => ({ label, unit: 'kbit/s', lane, figure: 'kbps_mean', decimals: 0 });
const mm = (label: string, lane: 'a' | 'b', decimals: number): LiveNumber => ({ label, unit: 'mm off', lane, figure: 'mm_rms', decimals });
const still = (label: string, lane: 'a' | 'b'): LiveNumber => ({ label, unit: 'ms still', lane, figure: 'still_ms', decimals: 0 });

export const FIGURES: readonly Figure[] = [
  {
    id: 'seam',
    link: on('codec=uncompressed&b.codec=arithmetic&b.drop=310-339&views=one-50'),
    views: [
      { of: 'a', name: 'Every bit' },
      { of: 'b', name: 'A hundredth of the bits' },
    ],
    seam: 'sweeps',
    camera: [10, 14, 1000],
    numbers: [kbps('left', 'a'), kbps('right', 'b')],
    instant: 565,
    question: 'Left of the line every bit is sent, right of it one in a hundred. Look for the seam.',
    caption: 'Two receivers of one rolling ball. After five seconds the right one gets no packet for half a second, and then heals.',
    seen: 'A large red cube has gathered dozens of small red ones into a ball. A thin line runs across the picture. The two sides of it look the same, until the right one stops for half a second.',
  },
  {
    id: 'snapshot',
    link: on('codec=uncompressed'),
    views: [{ of: 'truth', name: 'Simulated' }],
    camera: [0, 20, 900],
    drawing: 'fields',
    numbers: [{ label: '', unit: 'Mbit/s', lane: 'a', figure: 'kbps_mean', per: 1000, decimals: 1 }],
    instant: 240,
    question: 'How much is one picture of this pile, if you write everything down?',
    caption: 'One snapshot: a small bar for each cube, full in colour where the cube has changed within a tenth of a second.',
    seen: 'Below the ball stands one bar for each of the cubes, with four parts: orientation, position, velocity, colour. Only a few dozen bars are bright: the others are sent although nothing has changed.',
  },
  {
    id: 'rate',
    link: on('codec=uncompressed&interp=none&delay=0&hz=10'),
    views: [
      { of: 'truth', name: 'Simulated' },
      { of: 'a', name: 'Rebuilt from packets' },
    ],
    camera: [0, 20, 900],
    outlines: true,
    control: { label: 'Snapshots', unit: 'a second', keys: ['hz'], values: [5, 10, 20, 30, 60], start: 1 },
    numbers: [mm('', 'a', 0)],
    instant: 257,
    question: 'Before you move the slider: with half as many snapshots, how far off are the cubes?',
    caption: 'Each snapshot is shown until the next one arrives; the blue edges show where the cubes truly are.',
    seen: 'On the left the ball rolls evenly. On the right it stands, and jumps. Blue edges of the true cubes run ahead of it.',
  },
  {
    id: 'line',
    link: on('hz=5&codec=at-rest&interp=linear&b.interp=hermite&views=two&shade=error'),
    views: [
      { of: 'a', name: 'Straight lines' },
      { of: 'b', name: 'Curves, from velocities' },
    ],
    camera: [0, 14, 800],
    shade: 'error',
    outlines: true,
    numbers: [mm('straight', 'a', 1), mm('curved', 'b', 1)],
    instant: 321,
    question: 'Five snapshots a second: which way between them is the better one?',
    caption: 'The darker a cube, the farther it is from its true place.',
    seen: 'The left ball has many dark cubes, which are off by a hand’s breadth. In the right ball nearly all are pale.',
  },
  {
    id: 'playout',
    link: on('jitter=33&codec=changed-flags&delay=0&b.delay=67&views=two'),
    views: [
      { of: 'a', name: 'Shown on arrival' },
      { of: 'b', name: 'Shown after a delay' },
    ],
    camera: [0, 20, 900],
    drawing: 'lines',
    control: { label: 'Delay', unit: 'ms', keys: ['b.delay'], values: [0, 17, 33, 50, 67], start: 4 },
    numbers: [still('left', 'a'), still('right', 'b')],
    instant: 300,
    question: 'Both sides get the same packets. Why does only the left one stutter?',
    caption: 'Each line is a packet on its way down; below, a red mark is a frame that showed nothing new.',
    seen: 'Packets leave at even times and arrive unevenly. The left strip is full of red marks, where time stood still. The right strip has none.',
  },
  {
    id: 'gap',
    link: on('hz=10&jitter=33&loss=5&codec=changed-flags&delay=100&b.delay=350&views=two'),
    views: [
      { of: 'a', name: 'Delay of one interval' },
      { of: 'b', name: 'Three intervals and the jitter' },
    ],
    camera: [0, 20, 900],
    drawing: 'stills',
    control: { label: 'The shorter delay', unit: 'ms', keys: ['delay'], values: [100, 150, 250, 350], start: 0 },
    numbers: [still('left', 'a'), still('right', 'b')],
    instant: 590,
    question: 'Packets come unevenly, and one in twenty is lost. How long must the receiver wait, so that nobody notices?',
    caption: 'The strips run through all ten seconds: a cross is a lost packet, red is a frame that stood still.',
    seen: 'The left strip has a red gap behind nearly each lost packet, and red hairs besides. The right strip, with more delay, is clear.',
  },
  {
    id: 'guess',
    link: on('hz=10&codec=at-rest&interp=extrapolate&delay=0&b.interp=hermite&b.delay=300&views=two&shade=error'),
    views: [
      { of: 'a', name: 'Guessed ahead' },
      { of: 'b', name: 'Waited for' },
    ],
    camera: [0, 14, 800],
    shade: 'error',
    outlines: true,
    numbers: [
      { label: 'left', unit: 'ms old,', lane: 'a', figure: 'age_ms_mean', decimals: 0 },
      mm('', 'a', 1),
      { label: 'right', unit: 'ms old,', lane: 'b', figure: 'age_ms_mean', decimals: 0 },
      mm('', 'b', 1),
    ],
    instant: 308,
    question: 'Would you rather see a young picture that is guessed, or an old one that is known?',
    caption: 'The darker a cube, the farther it is from its true place; the blue edges show that place.',
    seen: 'In the left ball cubes fly off and turn dark before each packet. The right ball is whole and pale.',
  },
  {
    id: 'steps',
    link: on('codec=position&pos=3&rot=4&b.pos=9&b.rot=9&views=one-50'),
    views: [
      { of: 'a', name: 'Coarse' },
      { of: 'b', name: 'Nine bits' },
    ],
    seam: 'stands',
    camera: [-20, 12, 540],
    drawing: 'components',
    control: { label: 'Bits on the left', unit: '', keys: ['pos', 'rot'], values: [3, 4, 5, 6, 7, 8, 9], start: 0 },
    numbers: [mm('left', 'a', 1), mm('right', 'b', 2)],
    instant: 330,
    question: 'How many bits until you no longer see the difference?',
    caption: 'Below are the four components of the large cube’s orientation: the longest is not sent.',
    seen: 'Left of the line cubes jump from step to step and stick into each other. Right of it they roll smoothly. Of four bars, the longest is crossed out.',
  },
  {
    id: 'same',
    link: on('codec=not-changed&shade=bits'),
    views: [{ of: 'a', name: 'Coloured: in the newest packet' }],
    camera: [0, 30, 1500],
    shade: 'bits',
    numbers: [{ label: '', unit: 'of 901 cubes sent', lane: 'a', figure: 'changed_mean', decimals: 0 }],
    instant: 330,
    question: 'How many of these cubes have anything new to say?',
    caption: 'A cube has a colour only while the newest packet says something about it.',
    seen: 'A wide field of grey cubes. Only the ball and a few cubes around it are coloured.',
  },
  {
    id: 'ack',
    link: on('codec=changed-flags&drop=60.120.180.240.300.360.420.480.540&b.latency=250&b.drop=60.120.180.240.300.360.420.480.540&views=two&show=packets'),
    views: [
      { of: 'a', name: 'Near: 50 ms away' },
      { of: 'b', name: 'Far' },
    ],
    camera: [0, 20, 900],
    drawing: 'arcs',
    control: { label: 'Journey of the far one', unit: 'ms', keys: ['b.latency'], values: [0, 50, 100, 250], start: 3 },
    numbers: [kbps('near', 'a'), kbps('far', 'b')],
    instant: 390,
    question: 'A packet says “as before”. Before what, if packets get lost?',
    caption: 'Bars are packets, as high as they are large; an arc leads from each to its baseline, and none leads to a lost one.',
    seen: 'Two rows of bars with arcs. The near arcs are short and the bars low. The far arcs are long and the bars higher. No arc ends at a lost packet.',
  },
  {
    id: 'small',
    link: on('codec=relative-orientation&show=widths'),
    views: [{ of: 'a', name: 'Rebuilt from packets' }],
    camera: [0, 20, 900],
    drawing: 'widths',
    numbers: [kbps('', 'a')],
    instant: 590,
    question: 'A number may take any value. Which values does it take?',
    caption: 'Three counts: how many sent indices, positions and orientations took so many bits.',
    seen: 'In each of the three counts nearly everything stands at the short end, and a little at the full length.',
  },
  {
    id: 'likely',
    link: on('codec=changed-flags&b.codec=arithmetic&views=two&shade=bits'),
    views: [
      { of: 'a', name: 'Whole bits' },
      { of: 'b', name: 'By probability' },
    ],
    camera: [0, 14, 800],
    shade: 'bits',
    drawing: 'bars',
    numbers: [kbps('whole bits', 'a'), kbps('by probability', 'b')],
    instant: 590,
    question: 'The same cubes, the same precision: what if likely things cost less than one bit?',
    caption: 'The darker a cube, the more bits it takes; the line is Fiedler’s goal.',
    seen: 'The left ball is dark: many bits a cube. The right ball is paler. Below, the bar of the left lies beyond the goal, that of the right well before it.',
  },
  {
    id: 'three',
    link: on('codec=arithmetic&b.strategy=sync&views=two&cut=241-300'),
    views: [
      { of: 'a', name: 'Snapshots' },
      { of: 'sync', name: 'State synchronisation', age: 8 },
      { of: 'lockstep', name: 'Lockstep', age: 9 },
    ],
    camera: [0, 24, 1900],
    outlines: true,
    numbers: [
      { label: 'snapshots', unit: 'm off at worst', lane: 'a', decimals: 1 },
      { label: 'synchronised', unit: 'm off at worst', lane: 'a', decimals: 1 },
      { label: 'lockstep', unit: 'ms still', lane: 'a', decimals: 0 },
    ],
    instant: 298,
    question: 'For one second no packet arrives. What do you see?',
    caption: 'After four seconds the network stops for one second: snapshots stand, synchronisation guesses, lockstep waits and then makes up for it.',
    seen: 'The first and the third picture have stopped. The second rolls on, away from the blue edges of the true cubes.',
  },
  {
    id: 'lab',
    // A world that one can drive, so not the recorded one.
    link: 'v=2&codec=arithmetic',
    views: [],
    camera: [0, 24, 1208],
    numbers: [],
    instant: 330,
    question: 'What would you try first?',
    caption: 'The laboratory, in this page or in a window of its own.',
    seen: 'The laboratory: the simulation beside the picture that is rebuilt from packets, with four controls.',
  },
];

export function figureOf(id: string): Figure | undefined {
  return FIGURES.find((figure) => figure.id === id);
}

function keyOf(part: string): string {
  return part.split('=', 1)[0] ?? '';
}

/** A link with other values of some settings. */
export function withSettings(link: string, keys: readonly string[], value: number): string {
  const parts = link.split('&').filter((part) => !keys.includes(keyOf(part)));
  return [...parts, ...keys.map((key) => `${key}=${value}`)].join('&');
}

/** The laboratory's link of a figure, at a value of its control, and at an instant. */
export function laboratoryLink({ link, views, camera, control }: Figure, choice = control?.start): string {
  const value = choice === undefined ? undefined : control?.values[choice];
  const chosen = control === undefined || value === undefined ? link : withSettings(link, control.keys, value);
  return views.length === 0 ? chosen : `${chosen}&camera=${camera.join('_')}`;
}

/** Lanes of the module that a figure needs. */
export function lanesOf({ views, numbers }: Figure): readonly ('a' | 'b')[] {
  const names = [...views.map(({ of }) => of), ...numbers.map(({ lane }) => lane)];
  return (['a', 'b'] as const).filter((lane) => names.includes(lane));
}
