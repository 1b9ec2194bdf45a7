import { expect, test } from '../e2e/fixtures.ts';
import { invoiceNumber, ordersInvoiced, processPayment } from '../support/tablet.ts';

test('a treatment is paid on another tablet', async ({ tabletOf, clinic }) => {
  const [first, second] = [await tabletOf('counter'), await tabletOf('counter')];
  await first.openCounter();
  await second.openCounter();
  await first.service('Dental cleaning').click();
  await first.nameCustomer('Seen elsewhere');
  await first.page.getByRole('button', { name: 'Create Treatment' }).click();
  await second.page.getByRole('tab', { name: /payment/i }).click();
  const card = second.page.getByRole('listitem').filter({ hasText: 'Seen elsewhere' });
  await card.getByText('Seen elsewhere').click();
  const invoice = await processPayment(second.page);
  const number = await invoiceNumber(invoice);
  await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
  await first.page.getByRole('tab', { name: /payment/i }).click();
  await expect(first.page.getByRole('listitem').filter({ hasText: 'Seen elsewhere' })).toHaveCount(0);
});
