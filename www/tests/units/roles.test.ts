// Whose cube is which: what each of the two is told at each state of the connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestsCube, hostsCubes } from '../../wire/roles';

test('the host is told who drives the blue cube, and only of one who is here', () => {
  const own = 'Yours is the red cube, grey at rest.';
  assert.equal(hostsCubes(undefined), `${own} The blue one stands until a guest is here.`);
  assert.equal(hostsCubes({ is_playing: false }), `${own} A guest joins, and gets the blue one.`);
  assert.equal(hostsCubes({ is_playing: true }), `${own} The blue one is driven by the guest.`);
});

test('a guest is told that a cube is his only while he plays', () => {
  assert.equal(guestsCube(true), 'Yours is the blue cube.');
  assert.equal(guestsCube(false), 'No cube is yours until you play with the host.');
});
