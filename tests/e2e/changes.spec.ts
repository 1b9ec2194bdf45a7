/** The change of an open treatment: its services, its room and its patient. */
import { expectAccessible } from './expect-accessible.ts';
import { serverOrders } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test('services of an open treatment are changed and removed offline, with Undo before saving, and its room and patient too', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('counter');
  const { page, context } = tablet;
  await tablet.openCounter();
  const number = await tablet.openPayment('Dental cleaning', 'Composite filling');
  await expect.poll(async () => (await serverOrders(clinic)).has(number)).toBe(true);
  await context.setOffline(true);

  await page.getByRole('button', { name: 'Change treatment' }).click();
  const dialog = page.getByRole('dialog', { name: `Change ${number}` });
  const save = dialog.getByRole('button', { name: 'Save changes' });
  await expect(save).toBeDisabled();
  await dialog.getByRole('button', { name: 'Remove Composite filling' }).last().click();
  await expect(dialog.getByText('EUR 60,00')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep Composite filling' }).click();
  await expect(save).toBeDisabled();
  await dialog.getByRole('button', { name: 'Remove Composite filling' }).last().click();
  await dialog.getByLabel('Quantity of Dental cleaning').fill('2');
  // Text that is only typed names nobody.
  await dialog.getByLabel('Patient').fill('Nora Cambio');
  await save.click();
  await expect(dialog.getByText('Choose a patient, or confirm that this is a name only')).toBeVisible();
  await dialog.getByRole('button', { name: 'Use “Nora Cambio” as name only' }).click();
  await dialog.getByLabel('Room').selectOption({ index: 1 });
  await expectAccessible(page);
  await save.click();
  await expect(page.getByText(`${number} changed`)).toBeVisible();
  const details = page.getByRole('region', { name: 'Payment details' });
  await expect(details).toContainText('EUR 120,00');
  await expect(details).toContainText('Nora Cambio');

  await context.setOffline(false);
  await expect.poll(async () => (await serverOrders(clinic)).get(number)?.price, { timeout: 20_000 }).toBe(120);
  const order = (await serverOrders(clinic)).get(number)!;
  expect(order).toMatchObject({ customer_name: 'Nora Cambio', balance: 120 });
  expect(order.room_id).not.toBeNull();
  expect(order.OrderItems.map(({ name, quantity }) => [name, quantity])).toEqual([['Dental cleaning', 2]]);
});
