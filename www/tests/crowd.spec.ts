// What a person does among a hundred players: opens the scene, sets a budget, and sees how old each distance is.

import { expect, open, settled, test } from './page';

test('a person sets a budget in the crowd and sees ages by distance, and drives on in the same world @apart', async ({ page }) => {
  await open(page, 'strategy=game&scene=crowd&predict=wait&loss=2&at=300&show=errors');
  const figure = page.locator('lab-distance');
  await expect(figure.getByRole('slider', { name: /^Age in ms/ })).toBeVisible();
  const field = page.locator('#settings').getByRole('spinbutton', { name: 'Budget', exact: true });
  await field.fill('96');
  await field.press('Enter');
  await expect(page).toHaveURL(/budget=96/);
  await settled(page);
  const age = figure.getByRole('slider', { name: /^Age in ms/ });
  await age.focus();
  await age.press('Home');
  await expect(age).toHaveAttribute('aria-valuetext', /0 to 5 m/);
  await age.press('End');
  // What is far waits longer than a packet does.
  await expect(age).toHaveAttribute('aria-valuetext', /worst (\d{3,}|[\d,]{4,}) ms.*beyond 80 m/);
  // The chart has the arrow keys while it has the focus.
  await age.blur();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.keyboard.down('ArrowUp');
  await expect(page.locator('.label.left')).toContainText('you drive');
  await page.keyboard.up('ArrowUp');
  // The crowd is in the world, whoever drives.
  await expect(page.locator('#settings').getByRole('combobox', { name: 'Scene', exact: true })).toHaveValue('crowd');
});
