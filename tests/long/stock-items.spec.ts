import { expect, test } from '../e2e/fixtures.ts';
import { choosePicture, fillNewItem, itemField, newItem } from '../e2e/stock-elements.ts';
import { draftSavedMs } from '../support/tablet.ts';

test('the form keeps its values and the picture after a reload and an expired session', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto(newItem);
  await fillNewItem(page, 'Half an item');
  await choosePicture(page);
  await expect(page.getByRole('img', { name: 'block.png' })).toBeVisible();
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(itemField(page, 'Name')).toHaveValue('Half an item');
  await expect(page.getByRole('img', { name: 'block.png' })).toBeVisible();

  await tablet.expireSession();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page).toHaveURL(/\/login/);
  await tablet.submitSignIn('manager@demo.test', 'demo-manager');
  await expect(page).not.toHaveURL(/\/login/);
  await page.goto(newItem);
  await expect(itemField(page, 'Name')).toHaveValue('Half an item');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(itemField(page, 'Name')).toHaveValue('');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(itemField(page, 'Name')).toHaveValue('');
});
