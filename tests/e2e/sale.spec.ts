import { invoiceNumber, ordersInvoiced, processPayment, serverOrders } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test('an offline sale reaches the server exactly once', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  await tablet.openCounter();
  await tablet.loseNetwork();

  const invoice = await tablet.sellForCash();
  const number = await invoiceNumber(invoice);
  await expect.poll(() => invoice.evaluate(() => window.printed)).toBe(1);
  await expect(tablet.pill).toContainText('Offline');
  expect(await ordersInvoiced(clinic, number)).toEqual([]);

  await tablet.context.setOffline(false);
  await expect(tablet.pill).toContainText('Online');
  await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
  const [order] = await ordersInvoiced(clinic, number);
  expect(order).toMatchObject({ status: 'completed', balance: 0, price: 60, paid: 60 });
  expect(order!.Payments).toHaveLength(1);
  expect(order!.Invoices).toHaveLength(1);
  // The server keeps the printed text word for word.
  const rows = order!.Invoices[0]!.printed.flatMap(({ left, right }) => [left, right]).filter(Boolean);
  const printed = (await invoice.locator('body').innerText()).replace(/\s+/g, ' ');
  for (const text of rows) expect(printed).toContain(text!.replace(/\s+/g, ' '));
});

test('a treatment with added services is paid by two methods and gets one invoice', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.service('Dental cleaning').click();
  await tablet.nameCustomer('Inés Márquez');
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  await page.getByRole('tab', { name: /payment/i }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Inés Márquez' });
  const number = (await card
    .getByText(/T-[A-Z]+\d-\d{6}/)
    .first()
    .textContent())!.match(/T-[A-Z]+\d-\d{6}/)![0];
  await card.getByText(number).click();
  await page.getByRole('button', { name: `Add services to ${number}` }).click();
  await tablet.service('Composite filling').click();
  await page.getByRole('button', { name: 'Add and take payment' }).click();

  await page.getByRole('button', { name: 'Card', exact: true }).click();
  await page.getByLabel('Amount', { exact: true }).fill('20');
  await page.getByLabel('Reference number').fill('TPV-77');
  const receipt = await processPayment(page);
  await expect(receipt.getByText('Balance due')).toBeVisible();
  await receipt.close();

  // The form now shows the balance due.
  await expect(page.getByLabel('Amount', { exact: true })).not.toHaveValue('20,00');
  const invoice = await processPayment(page);
  await expect(invoice.getByText('TPV-77')).toBeVisible();
  await expect.poll(async () => (await serverOrders(clinic)).get(number)?.status).toBe('completed');
  const order = (await serverOrders(clinic)).get(number)!;
  expect(order.Payments.map(({ method }) => method)).toEqual(['card', 'cash']);
  expect(order.Invoices).toHaveLength(1);
});

test('a treatment is cancelled after a confirmation', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const number = await tablet.openPayment('Dental cleaning');
  await page.getByRole('button', { name: 'Cancel Treatment' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Treatment' }).click();
  await expect.poll(async () => (await serverOrders(clinic)).get(number)?.status).toBe('cancelled');
});

test('an empty plan is refused, and the form keeps its values @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.nameCustomer('Someone');
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  await expect(page.getByText('No Services Selected')).toBeVisible();
  await expect(page.getByText('Please add services to the treatment plan before creating.')).toBeVisible();
  await expect(tablet.customer('Someone')).toBeVisible();
});
