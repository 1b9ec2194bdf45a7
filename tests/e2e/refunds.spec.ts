import type { Page } from '@playwright/test';
import type { AuditPage } from '#domain/audit/resources.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { expectAccessible } from './expect-accessible.ts';
import { invoiceNumber, ordersInvoiced, printedBy, processPayment, serverOrders } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { euros, orderService } from './elements.ts';
import { clerkBesideManager, pins } from './pins.ts';

const openSales = (page: Page) => page.getByRole('button', { name: 'Recent sales', exact: true }).click();
const refundDialog = (page: Page) => page.getByRole('dialog', { name: 'Refund' });
const creditNoteNumber = async (creditNote: Page): Promise<string> =>
  (await creditNote.getByText(/^R-[A-Z]+\d-\d{6}$/).textContent())!.trim();

/** Completes the refund dialog. Returns the window of the credit note. */
async function refund(tablet: Tablet, reason: string): Promise<Page> {
  const { page } = tablet;
  await refundDialog(page).getByLabel('Reason').fill(reason);
  const creditNote = await printedBy(page, () =>
    refundDialog(page)
      .getByRole('button', { name: /^Refund EUR/ })
      .click(),
  );
  await expect(creditNote.getByText('Credit note', { exact: true })).toBeVisible();
  return creditNote;
}

test('an offline refund prints its credit note, reaches the server once, and can be reprinted on another tablet', async ({
  desk,
  clinic,
}) => {
  const customer = `Inés Devolución ${Date.now()}`;
  const tablet = await desk('manager', '/counter');
  const { page, context } = tablet;
  await tablet.counterReady();
  await tablet.nameCustomer(customer);
  const sale = await tablet.sellForCash();
  const invoice = await invoiceNumber(sale);
  await sale.close();
  await expect.poll(async () => (await ordersInvoiced(clinic, invoice)).length).toBe(1);

  await context.setOffline(true);
  await openSales(page);
  await page.getByLabel('Search by number, patient or amount').fill(customer.toLowerCase().replace('ó', 'o'));
  await page.getByRole('button', { name: `Refund ${invoice}` }).click();
  const dialog = refundDialog(page);
  await expect(dialog.getByLabel('Amount to refund')).toHaveValue('60,00');
  await expect(dialog.getByRole('button', { name: 'Cash', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(dialog.getByText(/the treatment is cancelled\. Supplies already used stay used/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Refund EUR/ }).click();
  await expect(dialog.getByText('Please give a reason of at least 3 characters.')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await dialog.getByLabel('Amount to refund').fill('60.01');
  await expect(dialog.getByText('At most EUR 60,00: that is what is still paid.')).toBeVisible();
  await dialog.getByLabel('Amount to refund').fill('20');
  await expect(dialog.getByText('The treatment then costs EUR 40,00. That is paid, and nothing is due.')).toBeVisible();
  await dialog.getByText('Credit note preview').click();
  await expect(dialog.getByRole('region', { name: 'Credit note preview' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Amount to refund').fill('60');

  const creditNote = await refund(tablet, 'Not satisfied');
  await expect.poll(() => creditNote.evaluate(() => window.printed)).toBe(1);
  const number = await creditNoteNumber(creditNote);
  const text = (await creditNote.locator('body').innerText()).replace(/\s+/g, ' ');
  for (const each of [invoice, 'Reason: Not satisfied', 'EUR 60,00', customer]) expect(text).toContain(each);
  await expect(page.getByText('Refund recorded')).toBeVisible();
  await creditNote.close();
  const [unsent] = await ordersInvoiced(clinic, invoice);
  expect(unsent!.Payments).toHaveLength(1);

  await context.setOffline(false);
  await expect
    .poll(async () => (await ordersInvoiced(clinic, invoice))[0]!.status, { timeout: 20_000 })
    .toBe('cancelled');
  const [order] = await ordersInvoiced(clinic, invoice);
  expect(order).toMatchObject({
    paid: 0,
    Payments: [{ amount: 60 }, { amount: -60, credit_note_number: number, reason: 'Not satisfied' }],
  });
  // The server keeps the printed text word for word.
  const rows = order!.Payments[1]!.credit_note!.printed.flatMap(({ left, right }) => [left, right]).filter(Boolean);
  for (const row of rows) expect(text).toContain(row!.replace(/\s+/g, ' '));

  const second = await desk('admin', '/admin/counter');
  await openSales(second.page);
  const copy = await printedBy(second.page, () =>
    second.page.getByRole('button', { name: `Reprint ${number}` }).click(),
  );
  await expect(copy.getByText('COPY')).toBeVisible();
  const copied = (await copy.locator('body').innerText()).replace(/\s+/g, ' ');
  for (const row of rows) expect(copied).toContain(row!.replace(/\s+/g, ' '));
});

test('a clerk refunds a service and gives a discount with the PIN of a manager, offline too', async ({
  tablet,
  clinic,
}) => {
  test.slow();
  const { page, context } = tablet;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await clerkBesideManager(tablet);
  await tablet.service('Composite filling').click();
  const sale = await tablet.sellForCash();
  const invoice = await invoiceNumber(sale);
  await sale.close();
  await expect.poll(async () => (await ordersInvoiced(clinic, invoice)).length).toBe(1);
  await context.setOffline(true);
  await openSales(page);
  await page.getByRole('button', { name: `Refund ${invoice}` }).click();
  const dialog = refundDialog(page);
  await dialog.getByRole('checkbox', { name: /Dental cleaning/ }).check();
  await expect(dialog.getByLabel('Amount to refund')).toHaveValue('60,00');
  await dialog.getByRole('button', { name: 'Not satisfied' }).click();
  const creditNote = await printedBy(page, async () => {
    await dialog.getByRole('button', { name: 'Refund EUR 60,00' }).click();
    const approval = page.getByRole('dialog', { name: 'Manager approval' });
    await expect(approval.getByText('Refund EUR 60,00')).toBeVisible();
    for (const digit of pins.manager) await approval.getByRole('button', { name: digit, exact: true }).click();
  });
  for (const text of [invoice, /Dental cleaning/, 'Reason: Not satisfied'])
    await expect(creditNote.getByText(text).first()).toBeVisible();
  await expect(creditNote.getByText(/Composite filling/)).toHaveCount(0);
  await creditNote.close();
  const sold = page.getByRole('listitem').filter({ hasText: invoice });
  await expect(sold.getByText('Part refunded')).toBeVisible();
  await context.setOffline(false);
  await expect
    .poll(async () => (await ordersInvoiced(clinic, invoice))[0]!.Payments.at(-1)!.amount, { timeout: 20_000 })
    .toBe(-60);

  // A discount follows the plan and appears on the invoice.
  await page.reload();
  await tablet.counterReady();
  await expect(page.getByRole('button', { name: 'Discount', exact: true })).toBeDisabled();
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Discount', exact: true }).click();
  const discount = page.getByRole('dialog', { name: 'Discount' });
  await expect(discount.getByRole('textbox', { name: 'Percent' })).toBeFocused();
  await expectAccessible(page);
  // Two taps.
  await discount.getByRole('button', { name: '10 %', exact: true }).click();
  await expect(discount).toBeHidden();
  await expect(page.getByRole('button', { name: 'Change the discount' })).toContainText('-10 %');
  await tablet.service('Composite filling').click();
  const total = page.getByText(/2 services in the plan, total/);
  const { stocks } = await clinic.api<{ stocks: { name: string; cost_per_unit: number }[] }>('/stock?per_page=200');
  const filling = stocks.find(({ name }) => name.startsWith('Composite filling'))!.cost_per_unit;
  const off = Math.round((60 + filling) * 10) / 100;
  await expect(total).toContainText(euros(60 + filling - off));

  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const reduced = await processPayment(page);
  const number = await invoiceNumber(reduced);
  const text = await reduced.locator('body').innerText();
  for (const each of ['Discount', euros(-off), euros(60 + filling - off)]) expect(text).toContain(each);
  await reduced.close();
  await expect.poll(async () => (await ordersInvoiced(clinic, number))[0]?.discount).toBe(off);

  // Above the limit: the reason in the dialog, the approval when the treatment is created.
  await expect(tablet.pill).toContainText('Online');
  await context.setOffline(true);
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Discount', exact: true }).click();
  await discount.getByRole('button', { name: '20 %', exact: true }).click();
  await expect(discount.getByText('EUR 12,00 off EUR 60,00')).toBeVisible();
  await expect(discount.getByText('Above 10 % (EUR 6,00): a manager approves with a PIN.')).toBeVisible();
  await expect(discount.getByLabel('Reason')).toBeFocused();
  await discount.getByLabel('Reason').fill('Our fault');
  await discount.getByRole('button', { name: 'Apply' }).click();
  const create = page.getByRole('button', { name: 'Create Treatment' });
  const approval = page.getByRole('dialog', { name: 'Manager approval' });
  await create.click();
  await expect(approval.getByText('Discount of EUR 12,00')).toBeVisible();
  await expect(approval.getByText('EUR 60,00 before the discount. Our fault')).toBeVisible();
  await expectAccessible(page);
  await approval.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/1 service in the plan, total EUR 48,00/)).toBeAttached();
  await create.click();
  await expect(approval.getByText('PIN of Tomás Ibarra')).toBeVisible();
  await page.keyboard.type(pins.counter);
  await expect(approval.getByText('Wrong PIN')).toBeVisible();
  await page.keyboard.type(pins.manager);
  await expect(approval).toBeHidden();
  await expect(page.getByRole('button', { name: /Lucía Ferrer/ }).first()).toBeVisible();
  const created = await tablet.treatmentNumber();
  await context.setOffline(false);
  await expect
    .poll(async () => (await serverOrders(clinic)).get(created), { timeout: 30_000 })
    .toMatchObject({ discount: 12, discount_reason: 'Our fault' });
  const { data: entries } = await clinic.api<AuditPage>('/audit?limit=20');
  expect(entries.find(({ subject }) => subject === created)).toMatchObject({
    action: 'order.create',
    person: { name: 'Lucía Ferrer' },
    approver: { name: 'Tomás Ibarra' },
  });
});

test('a partial payment is refunded in payment mode, by its own method @long', async ({ desk, clinic }) => {
  const tablet = await desk('manager', '/counter');
  const { page } = tablet;
  const number = await tablet.openPayment('Dental cleaning');
  await page.getByRole('button', { name: 'Card', exact: true }).click();
  await page.getByLabel('Amount', { exact: true }).fill('20');
  const receipt = await processPayment(page);
  await expect(receipt.getByText('Payment receipt')).toBeVisible();
  await receipt.close();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(refundDialog(page).getByRole('button', { name: 'Card', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await (await refund(tablet, 'Changed their mind')).close();
  await expect.poll(async () => (await serverOrders(clinic)).get(number)?.status).toBe('cancelled');
});

test('a treatment that the device no longer has is found on the server and refunded @long', async ({
  desk,
  clinic,
}) => {
  const { data: orders } = await clinic.api<{ data: OrderResource[] }>('/orders?status=completed&per_page=200');
  const old = orders.findLast(
    ({ created_at, customer_name, paid }) =>
      paid > 0 && customer_name !== '' && Date.parse(created_at) < Date.now() - 9 * 86_400_000,
  )!;
  const tablet = await desk('manager', '/counter');
  const { page } = tablet;
  await openSales(page);
  const invoice = old.Invoices[0]!.invoice_number;
  await page.getByLabel('Search by number, patient or amount').fill(invoice);
  await expect(page.getByText('Nothing found on this device')).toBeVisible();
  await page.getByRole('button', { name: 'Search on the server' }).click();
  await page.getByRole('button', { name: `Refund ${invoice}` }).click();
  await (await refund(tablet, 'Warranty')).close();
  await expect
    .poll(async () => (await clinic.api<{ data: OrderResource }>(`/orders/${old.id}`)).data.status)
    .toBe('cancelled');
});

test('a manager can exceed the discount limit with a reason, and no discount exceeds the plan @long', async ({
  desk,
  clinic,
}) => {
  const tablet = await desk('manager', '/counter');
  const { page } = tablet;
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Discount', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Discount' });
  await dialog.getByRole('radio', { name: 'Amount' }).click();
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('75');
  await expect(dialog.getByText('A discount cannot exceed the total of the services.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByText('Above 10 % please give a reason of at least 3 characters.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Our fault');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.reload();
  await expect(page.getByText(/1 service in the plan, total EUR 0,00/)).toBeAttached();
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  const number = await tablet.treatmentNumber();
  await expect
    .poll(async () => (await serverOrders(clinic)).get(number))
    .toMatchObject({ discount: 60, discount_reason: 'Our fault', price: 0 });
});

test('a double payment from two tablets is settled by a refund, or with a reason', async ({ desk, clinic }) => {
  const stamp = Date.now();
  const refunded = `Twice Refunded ${stamp}`;
  const agreed = `Twice Agreed ${stamp}`;
  const names = [refunded, agreed];
  for (const name of names) await orderService(clinic, 'Dental cleaning', name);
  const tablet = await desk('manager', '/counter');
  const other = await desk('counter', '/');
  const { page } = tablet;
  await page.getByRole('tab', { name: /payment/i }).click();
  await other.page.getByRole('tab', { name: /payment/i }).click();
  for (const each of [tablet, other])
    for (const name of names)
      await expect(each.page.getByRole('listitem').filter({ hasText: name })).toBeVisible({ timeout: 25_000 });
  for (const each of [tablet, other]) await each.context.setOffline(true);
  for (const each of [tablet, other]) {
    for (const name of names) {
      await each.page.getByRole('tab', { name: /payment/i }).click();
      await each.page.getByRole('listitem').filter({ hasText: name }).getByRole('button').first().click();
      const invoice = await processPayment(each.page);
      await invoice.close();
    }
  }
  for (const each of [tablet, other]) await each.context.setOffline(false);
  const paidTwice = async () =>
    [...(await serverOrders(clinic)).values()].filter(
      ({ customer_name, paid }) => names.includes(customer_name) && paid === 120,
    );
  await expect.poll(async () => (await paidTwice()).length, { timeout: 30_000 }).toBe(2);
  const numberOf = new Map((await paidTwice()).map(({ customer_name, number }) => [customer_name, number]));

  await tablet.openOutbox();
  const list = page.getByRole('region', { name: 'For a manager' });
  const item = (name: string) => list.getByRole('listitem').filter({ hasText: numberOf.get(name)! });
  await expect(item(refunded)).toContainText('EUR 60,00 more was paid than the treatment costs.', {
    timeout: 25_000,
  });
  await expectAccessible(page);
  await item(refunded).getByRole('button', { name: 'Refund the surplus' }).click();
  await expect(refundDialog(page).getByLabel('Amount to refund')).toHaveValue('60,00');
  await expect(
    refundDialog(page).getByText('The treatment then costs EUR 60,00. That is paid, and nothing is due.'),
  ).toBeVisible();
  await (await refund(tablet, 'Paid twice')).close();
  await expect(item(refunded)).toHaveCount(0);
  await expect
    .poll(async () => (await serverOrders(clinic)).get(numberOf.get(refunded)!))
    .toMatchObject({ status: 'completed', balance: 0, paid: 60 });

  await item(agreed).getByRole('button', { name: 'Settled another way' }).click();
  const settling = page.getByRole('dialog', { name: 'Settle this?' });
  await expectAccessible(page);
  await settling.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(settling.getByText('Please give a reason of at least 3 characters.')).toBeVisible();
  await settling.getByLabel('What was agreed').fill('Counts for the next visit');
  await settling.getByRole('button', { name: 'Settle', exact: true }).click();
  await expect(item(agreed)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(item(agreed)).toHaveCount(0);
  expect((await serverOrders(clinic)).get(numberOf.get(agreed)!)).toMatchObject({ balance: -60 });
});
