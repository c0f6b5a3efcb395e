// Links of the tour that was: each leads to a figure of the article, or to the settings of its step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIGURES } from '../../article/figures';
import { addressOfStep, stepsOfFigures } from '../../links/steps';

test('a step leads to a figure that there is, or to its own link', () => {
  for (const [figure, steps] of Object.entries(stepsOfFigures)) {
    assert.ok(
      FIGURES.some(({ id }) => id === figure),
      figure,
    );
    for (const step of steps.split(' ')) assert.equal(addressOfStep(`#step=${step}`), `./article/?step=${step}#${figure}`);
  }
  assert.match(addressOfStep('#v=2&step=your-key') ?? '', /^#v=2&strategy=game&predict=wait.*&step=your-key$/);
});

test('a link that says more, a part of a page and an unknown step stay where they are', () => {
  for (const hash of ['#v=2&hz=20', '#step=no-such', '#v=2&hz=20&at=60&step=your-key', '#step=cut&embed=1']) assert.equal(addressOfStep(hash), undefined, hash);
  assert.match(addressOfStep('#step=your-key&embed=1') ?? '', /&embed=1$/);
});
