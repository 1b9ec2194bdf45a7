/** A person without a mouse: the focus is always somewhere that makes sense. */
import { processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test('a sale and its refund are made by keyboard alone, and each dialog gives the focus back', async ({ tabletOf }) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  const { keyboard } = page;
  await tablet.openCounter();
  await keyboard.press('/');
  await keyboard.type('3D', { delay: 40 });
  await keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Treatment plan' }).getByRole('listitem')).toHaveCount(1);
  const customer = page.getByRole('combobox', { name: 'Customer name' });
  await expect(page.getByRole('searchbox')).toBeFocused();
  await customer.focus();
  await keyboard.type('marta gi', { delay: 40 });
  await expect(page.getByRole('option', { name: /Marta Gil/ })).toBeVisible();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Treatments of Marta Gil/ })).toBeFocused();
  for (const name of ['Discount', 'Room']) {
    const opener = page.getByRole('button', { name, exact: true });
    await opener.focus();
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await keyboard.press('Escape');
    await expect(opener).toBeFocused();
  }
  await keyboard.press('Control+Enter');
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused();
  await keyboard.type('150');
  const invoice = await processPayment(page);
  await invoice.close();
  await expect(page.getByRole('dialog', { name: 'Change' })).toBeVisible();
  await keyboard.press('Enter');
  // The controls of the payment are gone.
  await expect(page.getByRole('tabpanel', { name: 'Create treatment' })).toBeFocused();

  await page.getByRole('button', { name: 'Recent sales', exact: true }).focus();
  await keyboard.press('Enter');
  const refund = page.getByRole('button', { name: /^Refund INV-/ }).first();
  await refund.focus();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Refund', exact: true });
  await expect(dialog.getByLabel('Amount to refund')).toBeFocused();
  await keyboard.press('Escape');
  await expect(refund).toBeFocused();
  await keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Recent sales', exact: true })).toBeFocused();
});
