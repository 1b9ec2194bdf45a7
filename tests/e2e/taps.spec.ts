/** The work of the hand in the flows that a clinic repeats all day. */
import { processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';
import { countTaps } from './taps.ts';

test('an exact cash sale of one service takes three taps', async ({ tablet }) => {
  await tablet.signIn();
  const effort = await countTaps(tablet.page, async () => {
    await tablet.service('Dental cleaning').click();
    await tablet.page.getByRole('button', { name: 'Create and take payment' }).click();
    await processPayment(tablet.page);
  });
  expect(effort).toEqual({ taps: 3, keys: 0 });
});

test('a manager orders what runs low in at most six taps', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('admin');
  await page.goto('/admin/dashboard');
  const effort = await countTaps(page, async () => {
    await page.getByRole('link', { name: 'Stock', exact: true }).click();
    await page.getByRole('tab', { name: 'Purchase orders' }).click();
    await page.getByRole('button', { name: 'Create Purchase Order' }).click();
    await page
      .getByRole('button', { name: /^Add all from/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' }).click();
    await page.getByRole('button', { name: 'Mark as sent' }).click();
    await expect(page.getByText(/is marked as sent$/)).toBeVisible();
  });
  expect(effort).toEqual({ taps: 6, keys: 0 });
});

test('a price is changed with four taps from the counter', async ({ tablet }) => {
  await tablet.signIn('manager');
  const { page } = tablet;
  const effort = await countTaps(page, async () => {
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByRole('tab', { name: 'Services' }).click();
    await page.getByRole('button', { name: 'Change the price of 3D scan' }).click();
    await page.getByLabel('New price of 3D scan').pressSequentially('115');
    await page.getByRole('button', { name: 'Save the price of 3D scan' }).click();
    await expect(page.getByText('now costs EUR 115,00')).toBeVisible();
  });
  expect(effort).toEqual({ taps: 4, keys: 3 });
});
