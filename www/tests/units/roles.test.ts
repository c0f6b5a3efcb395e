// Whose cube is which: what each of the two is told at each state of the connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestsCube, hostsCubes } from '../../wire/roles';

test('the host is told who drives the blue cube, and only of one who is here', () => {
  const nobody = 'Yours is the red cube, grey at rest. The blue one stands until a guest is here.';
  assert.equal(hostsCubes([]), nobody);
  assert.equal(hostsCubes([{ name: 'Ann', status: 'gone', has_hand: true }]), nobody);
  assert.match(
    hostsCubes([{ name: 'Ann', status: 'joining', has_hand: true }]),
    /^Yours is the red cube, grey at rest\. “.Ann.” joins, and gets the blue one\.$/,
  );
  const two = [
    { name: 'Bob', status: 'playing', has_hand: false },
    { name: '\u202eAnn', status: 'playing', has_hand: true },
  ] as const;
  assert.match(hostsCubes(two), /^Yours is the red cube, grey at rest\. The blue one is driven by “.\[U\+202E\]Ann.”\.$/);
});

test('a guest is told that a cube is his only while the host says so', () => {
  assert.equal(guestsCube(true), 'Yours is the blue cube.');
  assert.match(guestsCube(false), /^No cube is yours: another guest drives/);
  assert.equal(guestsCube(null), 'No cube is yours until the host says so.');
});
