// The article's table of figures, its page as the build writes it, its time, and what a presenter's keys do.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Camera } from '../../article/camera';
import { FIGURES, laboratoryLink, lanesOf, withSettings } from '../../article/figures';
import { chosen, sweep, ticksOf } from '../../article/pace';
import { type Slide, slideAfter } from '../../article/presenting';
import { shadeOf } from '../../article/shades';
import { withFigures } from '../../build/article';

const source = readFileSync('www/article/index.html', 'utf8');
const ids = FIGURES.map(({ id }) => id);

test('the page has each figure of the table once, in its order', () => {
  const found = [...source.matchAll(/<snapshot-figure id="([\w-]+)"/g)].map(([, id]) => id);
  assert.deepEqual(found, ids);
  assert.equal(new Set([...source.matchAll(/\sid="([\w-]+)"/g)].map(([, id]) => id)).size, [...source.matchAll(/\sid="/g)].length);
});

test('no number is in the words of the table, where no claim would measure it', () => {
  for (const { id, question, caption, seen } of FIGURES) assert.doesNotMatch(`${question} ${caption} ${seen}`, /\d/, id);
});

test('each figure has both stills', () => {
  for (const id of ids) for (const name of [id, `${id}-dark`]) assert.ok(existsSync(`www/article/stills/${name}.webp`), name);
});

test('without a script each figure has its picture, question, numbers and link', () => {
  const page = withFigures(source);
  assert.equal(page.match(/<img src="\/www\/article\/stills\//g)?.length, FIGURES.length);
  assert.equal(page.match(/<p class="question">/g)?.length, FIGURES.length);
  for (const figure of FIGURES) assert.ok(page.includes(`href="../#${laboratoryLink(figure).replaceAll('&', '&amp;')}"`), figure.id);
  assert.ok(page.includes('<span class="of">left</span> <data data-claim="seam-left">'));
  assert.throws(() => withFigures('<snapshot-figure id="none"></snapshot-figure>'), /no figure none/);
  assert.throws(() => withFigures('<snapshot-figure id="seam"></snapshot-figure>'), /has 2 numbers, the page 0/);
});

test('a link takes the value of a control in place of its own', () => {
  assert.equal(withSettings('v=2&pos=3&rot=4&b.pos=9', ['pos', 'rot'], 7), 'v=2&b.pos=9&pos=7&rot=7');
  const rate = FIGURES.find(({ id }) => id === 'rate');
  assert.ok(rate !== undefined);
  assert.match(laboratoryLink(rate), /&hz=10&camera=0_20_900$/);
  assert.match(laboratoryLink(rate, 0), /&hz=5&/);
  assert.equal(laboratoryLink(rate, 0).match(/hz=/g)?.length, 1);
  assert.deepEqual(lanesOf(rate), ['a']);
});

test('the article has at most 3,500 words', () => {
  const words = withFigures(source)
    .replaceAll(/<head>.*<\/head>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .trim()
    .split(/\s+/);
  assert.ok(words.length > 2000 && words.length <= 3500, `${words.length} words`);
});

test('time goes one tick a frame on a usual screen, and never leaps', () => {
  assert.deepEqual(ticksOf(16.7, 3), [1, 0]);
  assert.deepEqual(ticksOf(14.1, 0), [1, 0]);
  assert.deepEqual(ticksOf(8.3, 0), [0, 8.3]);
  assert.equal(ticksOf(8.4, 8.3)[0], 1);
  assert.equal(ticksOf(33.4, 0)[0], 2);
  assert.deepEqual(ticksOf(5000, 0), [3, 0]);
  assert.deepEqual(ticksOf(-5, 0), [0, 0]);
  const at120 = Array.from({ length: 240 }).reduce<[number, number]>(
    ([sum, left]) => {
      const [ticks, rest] = ticksOf(1000 / 120, left);
      return [sum + ticks, rest];
    },
    [0, 0],
  );
  assert.ok(Math.abs(at120[0] - 120) <= 1, `${at120[0]} ticks in two seconds`);
});

test('at most the two figures nearest the middle run, and the seam stays in its picture', () => {
  const figures = [
    { figure: 'a', distance: 300 },
    { figure: 'b', distance: 10 },
    { figure: 'c', distance: 200 },
  ];
  assert.deepEqual(chosen(figures), ['b', 'c']);
  assert.deepEqual(chosen(figures.slice(0, 1)), ['a']);
  for (let tick = 0; tick <= 600; tick++) assert.ok(sweep(tick) > 0.05 && sweep(tick) < 0.95);
});

test('a key plays, the next goes on, and a clicker’s keys do both', () => {
  const after = (slide: Slide, ...keys: string[]) => keys.reduce<Slide | undefined>((at, key) => at && slideAfter(at, key, 3), slide);
  const first = { figure: 0, isShown: false };
  assert.deepEqual(after(first, 'ArrowRight'), { figure: 0, isShown: true });
  assert.deepEqual(after(first, 'PageDown', 'PageDown'), { figure: 1, isShown: false });
  assert.deepEqual(after(first, 'ArrowRight', 'ArrowRight', 'PageUp'), { figure: 0, isShown: true });
  assert.deepEqual(after(first, 'ArrowLeft'), first);
  assert.deepEqual(after({ figure: 2, isShown: true }, 'ArrowRight'), { figure: 2, isShown: true });
  assert.deepEqual(after(first, 'x'), first);
  assert.equal(after(first, 'Escape'), undefined);
});

test('the camera looks at the large cube from the place of the link, and follows it', () => {
  const camera = new Camera([0, 30, 1000]);
  camera.follow([[5, 6, 3]], 0);
  assert.deepEqual(camera.target, [5, 6, 2]);
  const [x, y, z] = camera.place;
  assert.ok(Math.abs(Math.hypot(x - 5, y - 6, z - 2) - 10) < 1e-9 && Math.abs(z - 7) < 1e-9 && y < 6 && Math.abs(x - 5) < 1e-9);
  const matrix = camera.viewProjection(200, 100);
  const [right = 1, up = 1, , w = 0] = [0, 1, 2, 3].map((row) => [5, 6, 2, 1].reduce((sum, at, i) => sum + (matrix[i * 4 + row] ?? 0) * at, 0));
  assert.ok(Math.abs(right / w) < 1e-5 && Math.abs(up / w) < 1e-5 && Math.abs(w - 10) < 1e-4);
  camera.follow([[105, 6, 3]], 1);
  assert.ok(camera.target[0] > 15 && camera.target[0] < 25);
  camera.follow([[105, 6, 3]], -1);
  assert.equal(camera.target[0], 105);
});

test('a shade is grey up to the least value, and dark from the greatest on', () => {
  assert.deepEqual(shadeOf(0, 'error'), [0.82, 0.82, 0.84]);
  assert.deepEqual(shadeOf(1e6, 'error'), shadeOf(200, 'error'));
  assert.ok(shadeOf(150, 'error')[1] < shadeOf(20, 'error')[1]);
});
