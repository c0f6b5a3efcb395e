// The keyboard: letters and arrows drive wherever the focus is, unless it is on something that has keys of its own.

import { expect, menu, open, show, test } from './page';

test.use({ views: 'none' });

for (const [what, name, role] of [
  ['Pause and Play', 'Pause', 'button'],
  ['a step of the time', 'One tick further', 'button'],
  ['a tab', 'Packets', 'tab'],
] as const) {
  test(`a key drives after a click on ${what}${name === 'Pause' ? '' : ' @apart'}`, async ({ page }) => {
    await open(page, 'grid=5');
    await page.getByRole(role, { name, exact: true }).first().click();
    if (name !== 'Packets') await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.keyboard.down('ArrowUp');
    await expect(page.locator('.label.left')).toContainText('you drive');
    await page.keyboard.up('ArrowUp');
  });
}

test('a slider that a pointer dragged gives the keys back to the cube, and by keys it keeps them', async ({ page }) => {
  await open(page, 'grid=5');
  const slider = page.locator('#front-hz');
  await slider.focus();
  await page.keyboard.press('ArrowUp', { delay: 200 });
  await expect(page.locator('.label.left')).not.toContainText('you drive');
  // The figure of the control has come, so that nothing moves below the pointer.
  await expect(page.locator('lab-front-controls')).toContainText('late');
  const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 4, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, middle, { steps: 4 });
  await page.mouse.up();
  const rate = await slider.inputValue();
  // The slider gives the keys away in a task of its own.
  await expect(page.locator('.screen canvas')).toBeFocused();
  // A tap counts, also if it lies between two frames of a busy machine.
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('.label.left')).toContainText('you drive');
  await expect(slider).toHaveValue(rate);
});

test('a key drives while a button has the focus by keyboard, and Space presses the button @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await page.getByRole('button', { name: 'Pause', exact: true }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
  await expect(page.locator('.label.left')).not.toContainText('you drive');
  await page.keyboard.press('Space');
  await page.keyboard.press('w', { delay: 200 });
  await expect(page.locator('.label.left')).toContainText('you drive');
});

test('a slider, a field, a list of tabs and a dialog keep their keys @apart', async ({ page }) => {
  await open(page, 'grid=5');
  for (const own of [
    page.locator('#settings').getByRole('spinbutton', { name: 'Send rate' }),
    page.getByLabel('Codec rung', { exact: true }),
    page.getByRole('slider', { name: 'Instant that is shown' }),
    page.getByRole('tab', { name: 'Bits', exact: true }),
  ]) {
    await own.focus();
    await page.keyboard.press('ArrowDown', { delay: 100 });
  }
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await menu(page, 'Help');
  await page.keyboard.press('w', { delay: 200 });
  await expect(page.locator('.label.left')).not.toContainText('you drive');
});

test('a click on a tab leaves the figure open and gives the views the keys @apart', async ({ page }) => {
  await open(page, 'grid=5');
  await show(page, 'Errors');
  await expect(page.locator('.screen canvas')).toBeFocused();
});

test('the second hand steers the rival beside a script, and W A S D leave the hand alone @apart', async ({ page }) => {
  await open(page, 'grid=5&scene=roll&rival=hand');
  await expect(page.locator('.label.left')).toContainText('blue: W A S D');
  for (const key of ['w', 'a', 'e', 'q']) await page.keyboard.press(key, { delay: 200 });
  await expect(page.locator('.label.left')).not.toContainText('you drive');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const link = page.getByRole('dialog').getByLabel('Link', { exact: true });
  await expect(link).toHaveValue(/scene=roll&rival=hand.*&rival-tape=0\./);
  await expect(link).not.toHaveValue(/&tape=/);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await page.keyboard.press('ArrowUp', { delay: 200 });
  await expect(page.locator('.label.left')).toContainText('you drive');
});
