import { expect, test } from '../e2e/desk.ts';
import { room } from '../e2e/elements.ts';
import { processPayment } from '../support/tablet.ts';

test('a treatment created offline occupies its room on another tablet once it is sent, until it is paid', async ({
  desk,
  clinic,
}) => {
  const name = `Cabin ${Date.now()}`;
  const { data: made } = await clinic.api<{ data: { id: number } }>('/tables', { number: name, capacity: 2 });
  const office = await desk('manager', '/rooms');
  const seen = room(office.page, name);
  await expect(seen).toContainText('Available');
  const tablet = await desk('counter', '/');
  const { page, context } = tablet;
  await tablet.service('3D scan').click();
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${name}`) });
  await expect(choice).toBeVisible();
  await context.setOffline(true);
  await choice.click();
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  await tablet.service('3D scan').click();
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  await expect(choice).toContainText('Occupied');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(seen).toContainText('Available');

  await context.setOffline(false);
  await expect(seen).toContainText('Occupied', { timeout: 30_000 });
  await expect(seen).toContainText(/T-[A-Z]\d-\d{6}/);
  await seen.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(office.page.getByText('Table is currently occupied. Please clear the table first.')).toBeVisible();
  await seen.getByRole('button', { name: `Clear ${name}` }).click();
  await expect(
    office.page.getByText(
      'A treatment is under way in this room. It becomes free when the treatment is paid or cancelled.',
    ),
  ).toBeVisible();

  await page.getByRole('tab', { name: /payment/i }).click();
  await page.getByRole('listitem').filter({ hasText: name }).getByText(/T-/).first().click();
  await expect(page.getByRole('region', { name: 'Payment' }).getByText(name)).toBeVisible();
  const invoice = await processPayment(page);
  await expect(invoice.getByText(name)).toBeVisible();
  await expect(seen).toContainText('Available', { timeout: 30_000 });
  await clinic.api(`/tables/${made.id}`, undefined, 'DELETE');
});
