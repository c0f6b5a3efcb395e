// Numbers, links and failures in words, and the scales of charts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleOf } from '../../figures/plot';
import { wordsOfRungs } from '../../figures/rung-ideas';
import { decoded, namesAnInstant, opening, withStill } from '../../links/address';
import { inWords } from '../../shell/failure';
import { count, duration, measure, packetsASecond, partOf, percent, rateText } from '../../shell/format';
import { tables } from '../../tables';
import { digits, place, valueAt } from '../../verdict/slider';
import { startWasm } from './wasm';

test('numbers keep few digits, and say what is no number', () => {
  assert.deepEqual([0.004, 0.42, 7.26, 56.4, 1204.4, 0, -0.001, -3.14, NaN].map(measure), ['0.00', '0.42', '7.3', '56', '1,204', '0', '0.00', '-3.1', '–']);
  assert.deepEqual(
    [count(17_370), percent(0), percent(0.0123), percent(0.5), partOf(0.31), partOf(738)],
    ['17,370', '0 %', '1.2 %', '50 %', '31 % of', '738 times'],
  );
  assert.deepEqual([99.96, 256, 1234, 17_367.8].map(rateText), ['100.0 kbit/s', '256 kbit/s', '1.23 Mbit/s', '17.4 Mbit/s']);
  assert.deepEqual([duration(16.7), duration(1500), packetsASecond('1'), packetsASecond('20')], ['17 ms', '1.5 s', '1 packet a second', '20 packets a second']);
});

test('a link is decoded as programs encode it on the way, and what is malformed stays', () => {
  assert.equal(decoded('v%3D2&grid%3D5%26hz=20&%61t%3D90'), 'v=2&grid=5&hz=20&at=90');
  assert.equal(decoded('show=%zz&a=%ff'), 'show=%zz&a=%ff');
});

test('an address without a link opens the start, and a link opens itself', () => {
  assert.match(opening(''), /^v=2&hz=10&.*scene=katamari/);
  assert.equal(opening('#'), opening(''));
  assert.equal(opening('#v=2&hz=20'), '#v=2&hz=20');
});

test('only a link with an instant leads to one; an embedded page without one begins with a still', () => {
  assert.deepEqual(['#v=2&at=30', '#%61t%3D90', '#beat=3', '#v=2&at=x'].map(namesAnInstant), [true, true, false, false]);
  assert.equal(withStill('#v=2&embed=1'), '#v=2&embed=1&at=420');
  for (const link of ['#v=2', '#v=2&embed=1&at=3', '#embed=1&at=5']) assert.equal(withStill(link), link);
});

test('memory that is not there is told apart from what else breaks', () => {
  const { RuntimeError } = WebAssembly;
  const memory = /no memory left/;
  for (const error of [new RuntimeError('unreachable'), new RangeError('Array buffer allocation failed')]) assert.match(inWords(error), memory);
  assert.equal(inWords(new RuntimeError('memory access out of bounds')), 'memory access out of bounds');
  assert.doesNotMatch(inWords(new RangeError('Maximum call stack size exceeded')), memory);
  assert.equal(inWords(new RangeError('Incorrect locale information provided')), 'Incorrect locale information provided');
  assert.equal(inWords('text'), 'text');
});

test('sliders of ratios come back to their value, and stay within their ends', () => {
  for (const value of [2, 17, 200]) assert.ok(Math.abs(valueAt(place(value, 2, 200, 400), 2, 200, 400) / value - 1) < 0.01);
  assert.deepEqual([place(1, 2, 200, 400), place(900, 2, 200, 400), place(5, 3, 3, 400)], [0, 400, 0]);
  assert.deepEqual([0, 0.0123, 4.56, 78.9].map(digits), ['0', '0.012', '4.6', '79']);
});

test('quantiles and late shares are of sorted delays, and of none', async () => {
  startWasm();
  const { laterThan, quantile } = await import('../../figures/link-data');
  const delays = [10, 20, 30, 40];
  assert.deepEqual([quantile(delays, 0.5), quantile(delays, 0.95), quantile([], 0.5)], [20, 40, 0]);
  assert.deepEqual([laterThan(delays, 25), laterThan(delays, 40), laterThan([], 1)], [2, 0, 0]);
});

test('one outlier does not set the scale of a chart, and is told', () => {
  const flat = Array.from({ length: 100 }, () => 10);
  assert.deepEqual(scaleOf([flat, flat], 5), { top: 11, most: 10 });
  assert.deepEqual(scaleOf([flat, [...flat.slice(1), 1000]], 5), { top: 15, most: 1000 });
  assert.deepEqual(scaleOf([[0], [null]], 5), { top: 5, most: 0 });
});

test('each rung of the ladder has its words, in the same order', () => {
  startWasm();
  const rungs = tables().rungs.map(({ name }) => name);
  assert.deepEqual([...wordsOfRungs.keys()], rungs);
  for (const { after, before, sentence } of wordsOfRungs.values()) {
    assert.match(sentence, /\.$/);
    assert.ok([...before, ...after].every(([, words, bits]) => words !== '' && bits > 0));
  }
});
