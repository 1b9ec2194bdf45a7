/** What a refund does to what is owed (decision 042): at the counter, on paper, in reports and in the tray. */
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { Analytics } from '#domain/report/resources.ts';
import { issuer } from '../support/fiscal-clinic.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { printedBy, processPayment } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { expectAccessible } from './expect-accessible.ts';
import {
  addService,
  agree,
  amount,
  dialogOf,
  linesOf,
  openDrawer,
  openRefund,
  orderOf,
  pay,
  printedZ,
  refund,
  said,
  sales,
  stillOwed,
} from './owed.ts';

/** Reads the figures of today that a refund may move. */
async function figures(clinic: ServerProcess) {
  const { data: day } = await clinic.api<{ data: DayEnd }>('/reports/day-end');
  const { data: analytics } = await clinic.api<{ data: Analytics }>('/reports/analytics?period=today');
  const { completedOrders, averageOrder, totalRefunds, topProducts } = analytics;
  return {
    completed: completedOrders,
    earned: averageOrder.amount * completedOrders,
    refunds: totalRefunds.amount,
    gross: day.gross,
    revenue: day.revenue,
    topProducts,
  };
}

test('a refund gives back what a service earned, once, and its credit note says so @long', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  await clinic.api('/settings', issuer, 'PUT');
  const planned = await addService(clinic, 'Guard of nylon', 'standard');
  const added = await addService(clinic, 'Brush with a case', 'standard');
  // Enough of it to be among the five that sell best.
  const many = await agree(clinic, Array<number>(20).fill(planned), { customer_name: 'Eva Many' });
  await pay(clinic, many, 2000);
  const before = await figures(clinic);
  const id = await agree(clinic, [planned], { discount: 10, discount_reason: 'Agreed', customer_name: 'Eva Plan' });
  await clinic.api(`/orders/${id}`, { items: [{ product_id: added, quantity: 1 }] }, 'PATCH');
  await pay(clinic, id, 190);
  expect(await orderOf(clinic, id)).toMatchObject({ status: 'completed', paid: 190 });

  const tablet = await newTablet(clinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  await openRefund(tablet, 'Eva Plan');
  const service = (name: string) => dialogOf(page).getByRole('checkbox', { name: new RegExp(name) });
  await expect(service('Guard of nylon')).toHaveAccessibleName(/EUR 90,00 ?of EUR 100,00/);
  await service('Brush with a case').check();
  await expect(amount(page)).toHaveValue('100,00');
  // A mistake names no services, and a service is no mistake.
  await stillOwed(page).check();
  await expect(service('Brush with a case')).not.toBeChecked();
  await expect(amount(page)).toHaveValue('190,00');
  await expect(
    dialogOf(page).getByText(
      'The treatment then costs EUR 190,00. Nothing stays paid, so it is open with EUR 190,00 due.',
    ),
  ).toBeVisible();
  await service('Brush with a case').check();
  await expect(stillOwed(page)).not.toBeChecked();
  await expect(dialogOf(page).getByText('The treatment then costs EUR 90,00. That is paid')).toBeVisible();
  await dialogOf(page).getByRole('button', { name: 'Not satisfied' }).click();
  await dialogOf(page).getByText('Credit note preview').click();
  const preview = dialogOf(page).getByRole('region', { name: 'Credit note preview' }).locator('article');
  await expect(preview.getByText('EUR -82,64')).toBeVisible();
  const previewed = said(await linesOf(preview));
  const paper = await refund(tablet);
  await expect(paper.getByText('EUR -82,64')).toBeVisible();
  const printed = said(await linesOf(paper.locator('body')));
  expect(printed).toEqual(expect.arrayContaining(previewed));
  for (const text of ['Brush with a case', 'EUR -100,00', 'EUR -82,64', 'EUR -17,36'])
    expect(printed.join('\n')).toContain(text);
  expect(printed.join('\n')).not.toContain('Guard of nylon');
  const number = printed.join(' ').match(/R-[A-Z]+\d-\d{6}/)![0];
  await paper.close();

  await openRefund(tablet, 'Eva Plan');
  await expect(service('Brush with a case')).toBeDisabled();
  await expect(service('Brush with a case')).toHaveAccessibleName(new RegExp(`Given back ?· ?${number}`));
  await service('Guard of nylon').check();
  await expect(amount(page)).toHaveValue('90,00');
  await page.keyboard.press('Escape');
  await expect
    .poll(() => orderOf(clinic, id), { timeout: 20_000 })
    .toMatchObject({ status: 'completed', price: 190, owed: 90, paid: 90, balance: 0 });
  const after = await figures(clinic);
  expect(after.completed).toBe(before.completed + 1);
  expect(after.refunds).toBe(before.refunds + 100);
  expect(after.gross).toBe(before.gross + 190);
  expect(after.revenue).toBe(before.revenue + 90);
  // The average is rounded to the cent.
  expect(after.earned).toBeCloseTo(before.earned + 90, 0);
  expect(after.topProducts.find(({ name }) => name === 'Guard of nylon')?.revenue).toBe(2090);

  // Another tablet takes the money of an invoiced treatment while this one takes it, too, and gives its own back.
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  const twice = await agree(clinic, [added], { customer_name: 'Eva Twice' });
  await clinic.api(`/orders/${twice}/invoices`, {});
  await page.getByRole('tab', { name: /payment/i }).click();
  const treatment = page.getByRole('listitem').filter({ hasText: 'Eva Twice' });
  await expect(treatment).toBeVisible({ timeout: 25_000 });
  await tablet.loseNetwork();
  await pay(clinic, twice, 100);
  await treatment.getByRole('button').first().click();
  const receipt = await processPayment(page);
  await expect(receipt.getByText('Payment receipt')).toBeVisible();
  await receipt.close();
  await openRefund(tablet, 'Eva Twice');
  await expect(dialogOf(page).getByText(/^Nothing stays paid, so the treatment is cancelled/)).toBeVisible();
  await (await refund(tablet)).close();
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  await tablet.context.setOffline(false);
  await expect
    .poll(() => orderOf(clinic, twice), { timeout: 30_000 })
    .toMatchObject({ status: 'completed', owed: 0, paid: 100, balance: -100 });
  await tablet.openOutbox();
  const told = page
    .getByRole('region', { name: 'For a manager' })
    .getByRole('listitem')
    .filter({ hasText: 'Paid, not invoiced' })
    .filter({ hasText: 'EUR 100,00' });
  await expect(told).toContainText('EUR 100,00 was paid and is on no invoice that stands', { timeout: 25_000 });
  for (const remedy of ['Refund what was paid', 'Settled another way'])
    await expect(told.getByRole('button', { name: remedy })).toBeVisible();
  await expectAccessible(page);
  const invoice = await printedBy(page, () => told.getByRole('button', { name: 'Invoice now' }).click());
  await expect(invoice.getByText('EUR 100,00').first()).toBeVisible();
  await invoice.close();
  await expect(told).toHaveCount(0);
});

test('a refund of an amount lowers what is owed; money taken by mistake is due again and is invoiced anew @long', async ({
  desk,
  clinic,
}) => {
  const stamp = Date.now();
  const services = [await addService(clinic, `Cast ${stamp}`), await addService(clinic, `Splint ${stamp}`)];
  const [lowered, mistaken] = [`Lowered ${stamp}`, `Mistaken ${stamp}`];
  const before = await figures(clinic);
  const ids = new Map<string, string>();
  for (const customer_name of [lowered, mistaken]) {
    const id = await agree(clinic, services, { customer_name });
    await pay(clinic, id, 200);
    ids.set(customer_name, id);
  }
  const tablet = await desk('manager', '/counter');
  const { page } = tablet;
  for (const customer of [lowered, mistaken]) {
    await openRefund(tablet, customer);
    await amount(page).fill('50');
    if (customer === mistaken) await stillOwed(page).check();
    await expect(dialogOf(page).getByText(/^The treatment then costs/)).toHaveText(
      customer === mistaken
        ? 'The treatment then costs EUR 200,00. EUR 150,00 stays paid, so it is open with EUR 50,00 due.'
        : 'The treatment then costs EUR 150,00. That is paid, and nothing is due.',
    );
    await (await refund(tablet)).close();
    const sold = sales(page).getByRole('listitem').filter({ hasText: /INV-/ });
    await expect(sold).toContainText(customer === mistaken ? 'EUR 50,00 due' : 'Part refunded');
    await expect(sold).not.toContainText(customer === mistaken ? 'Part refunded' : 'due');
  }
  const read = (customer: string) => orderOf(clinic, ids.get(customer)!);
  await expect
    .poll(() => read(mistaken), { timeout: 20_000 })
    .toMatchObject({ status: 'confirmed', owed: 200, paid: 150, balance: 50 });
  expect(await read(lowered)).toMatchObject({ status: 'completed', owed: 150, paid: 150, balance: 0 });
  const between = await figures(clinic);
  expect(between.completed).toBe(before.completed + 1);
  expect(between.earned).toBeCloseTo(before.earned + 150, 0);
  expect(between.refunds).toBe(before.refunds + 100);
  expect(between.gross).toBe(before.gross + 400);
  expect(between.revenue).toBe(before.revenue + 300);

  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  await page.getByRole('tab', { name: /payment/i }).click();
  const open = page.getByRole('list', { name: 'Open treatments' }).getByRole('listitem');
  await expect(open.filter({ hasText: mistaken })).toContainText('EUR 50,00');
  await expect(open.filter({ hasText: lowered })).toHaveCount(0);
  await open.filter({ hasText: mistaken }).getByRole('button').first().click();
  await expect(page.getByRole('region', { name: 'Payment details' })).toContainText(
    /TotalEUR 200,00Already paidEUR 150,00DueEUR 50,00/,
  );
  const invoice = await processPayment(page);
  await expect(invoice.getByText(/^INV-/)).toBeVisible();
  await expect(invoice.getByText('EUR 50,00').first()).toBeVisible();
  await invoice.close();
  await expect.poll(() => read(mistaken), { timeout: 20_000 }).toMatchObject({ status: 'completed', balance: 0 });
  expect((await read(mistaken)).Invoices).toHaveLength(2);

  const after = await figures(clinic);
  expect(after.completed).toBe(before.completed + 2);
  expect(after.earned).toBeCloseTo(before.earned + 150 + 200, 0);
});

test('a Z report counts what a service earned when it was given back @long', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  const [planned, added] = [await addService(clinic, 'Inlay'), await addService(clinic, 'Onlay')];
  const tablet = await newTablet(clinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  await openDrawer(tablet, '20');
  const id = await agree(clinic, [planned], { discount: 10, discount_reason: 'Agreed', customer_name: 'Eva Drawer' });
  await clinic.api(`/orders/${id}`, { items: [{ product_id: added, quantity: 1 }] }, 'PATCH');
  await tablet.openCounter();
  await page.getByRole('tab', { name: /payment/i }).click();
  const treatment = page.getByRole('listitem').filter({ hasText: 'Eva Drawer' });
  await expect(treatment).toContainText('EUR 190,00', { timeout: 25_000 });
  await treatment.getByRole('button').first().click();
  await (await processPayment(page)).close();
  await openRefund(tablet, 'Eva Drawer');
  await dialogOf(page).getByRole('checkbox', { name: /Inlay/ }).check();
  await expect(amount(page)).toHaveValue('90,00');
  await (await refund(tablet)).close();
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();

  const printed = await printedZ(tablet, '120');
  for (const text of [
    'Sales (1) EUR 190,00',
    'Refunds (1) EUR -90,00',
    'Discounts (1) EUR -10,00',
    'Expected EUR 120,00',
  ])
    expect(printed).toContain(text);
  await expect
    .poll(() => orderOf(clinic, id), { timeout: 20_000 })
    .toMatchObject({ status: 'completed', owed: 100, paid: 100, balance: 0 });
});

test('a second refund of one service from another tablet stands, is told, and the form offers only what is left @long', async ({
  desk,
  clinic,
}) => {
  const stamp = Date.now();
  const customer = `Doubled ${stamp}`;
  const names = ['Veneer', 'Rinse'].map((name) => `${name} ${stamp}`);
  const services = [await addService(clinic, names[0]!), await addService(clinic, names[1]!)];
  const id = await agree(clinic, services, { customer_name: customer });
  await pay(clinic, id, 200);
  const tablet = await desk('manager', '/counter');
  const { page } = tablet;
  await openRefund(tablet, customer);
  await page.keyboard.press('Escape');
  await tablet.loseNetwork();
  // Another device gives the first service back meanwhile.
  const { OrderItems } = await orderOf(clinic, id);
  const line_id = OrderItems.find(({ name }) => name === names[0])!.id;
  await clinic.api(`/orders/${id}/refunds`, {
    amount: 100,
    reason: 'Not satisfied',
    payment_method: 'cash',
    lines: [{ line_id }],
  });
  await openRefund(tablet, customer);
  const service = (name: string) => dialogOf(page).getByRole('checkbox', { name: new RegExp(name) });
  await service(names[0]!).check();
  await expect(amount(page)).toHaveValue('100,00');
  await (await refund(tablet)).close();
  await tablet.context.setOffline(false);
  await expect
    .poll(() => orderOf(clinic, id), { timeout: 30_000 })
    .toMatchObject({ status: 'confirmed', price: 200, owed: 100, paid: 0, balance: 100 });

  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  await tablet.openOutbox();
  const told = page
    .getByRole('region', { name: 'For a manager' })
    .getByRole('listitem')
    .filter({ hasText: 'Service refunded twice' })
    .filter({ hasText: names[0]! });
  await expect(told).toContainText(`Refunds of ${names[0]} give back EUR 100,00 more than was charged`, {
    timeout: 25_000,
  });
  await expectAccessible(page);

  // The patient pays what is open again. What is left to give back is the other service.
  await pay(clinic, id, 100);
  await tablet.openCounter();
  await openRefund(tablet, customer);
  await expect(service(names[0]!)).toBeDisabled();
  await expect(service(names[0]!)).toHaveAccessibleName(/Given back/);
  await service(names[1]!).check();
  await expect(amount(page)).toHaveValue('100,00');
  await amount(page).fill('101');
  await dialogOf(page).getByRole('button', { name: 'Not satisfied' }).click();
  await dialogOf(page)
    .getByRole('button', { name: /^Refund EUR/ })
    .click();
  await expect(dialogOf(page).getByText('At most EUR 100,00: that is what is still paid.')).toBeVisible();
});
