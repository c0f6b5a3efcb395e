// A class over the real host: a teacher's page and a student's page, whose datagrams go over WebRTC to a program.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { hasNamespaces, launchInNetwork, type NetworkBrowser, OWN_ADDRESS } from './network';

/** The program that the host's own tests build. */
const PROGRAM = resolve('target/debug/snapshot-host');
const LINK = '#v=2&scene=drive&grid=5&rival=hand&hz=20';

let network: NetworkBrowser;

test.beforeAll(async () => {
  test.skip(!hasNamespaces, 'This machine gives no network namespaces');
  test.skip(!existsSync(PROGRAM), 'The host is not built: cargo xtask host builds it');
  network = await launchInNetwork(
    `"${PROGRAM}" "${LINK}" --lan --address ${OWN_ADDRESS} --page "${resolve('dist')}" > "$FOLDER/host" 2>&1 & echo $! > "$FOLDER/pid"`,
  );
});

test.afterAll(async () => {
  if (network === undefined) return;
  process.kill(Number(readFileSync(join(network.folder, 'pid'), 'utf8')), 'SIGINT');
  await network.close();
});

test('a teacher and a student play over the real host @apart', async () => {
  test.setTimeout(240_000);
  const printed = (): string => readFileSync(join(network.folder, 'host'), 'utf8');
  await expect.poll(printed, { timeout: 30_000 }).toMatch(/^teacher {2}http/m);
  const [teacherAt = '', guestsAt = ''] = [/^teacher +(\S+)$/m, /^guests +(\S+)$/m].map((line) => line.exec(printed())?.[1]);
  const context = await network.browser.newContext({ viewport: { width: 1280, height: 900 } });
  const student = await context.newPage();
  await student.goto(guestsAt);
  await student.getByLabel('Your name').fill('Ann');
  await student.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(student.locator('lab-guest .counters')).toBeVisible({ timeout: 60_000 });
  const teacher = await context.newPage();
  await teacher.goto(teacherAt);
  const row = teacher.locator('lab-class .guests tbody tr').filter({ hasText: 'Ann' });
  await expect(row).toContainText(/\d+ ms.*drives/s, { timeout: 60_000 });
  // The student's keys move the blue cube, and the figures of the page are those of the package.
  await student.bringToFront();
  await student.locator('canvas').press('ArrowUp', { delay: 1_500 });
  await expect(student.locator('lab-guest .counters')).toContainText(/Round trip\s*\d+ ms/);
  // A page that is closed is gone, and is said to be.
  await student.close();
  await teacher.bringToFront();
  await expect(row).toContainText('gone', { timeout: 20_000 });
  await context.close();
});
