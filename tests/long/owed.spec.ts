/** What a refund does to Z report and analytics, as they are printed and shown (decision 042). */
import type { Page } from '@playwright/test';
import { expect, test } from '../e2e/desk.ts';
import { euros, statCard } from '../e2e/elements.ts';
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
} from '../e2e/owed.ts';
import { issuer } from '../support/fiscal-clinic.ts';
import { processPayment } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';

/** Reads the figures that the analytics page shows of today. */
async function shownAnalytics(page: Page, name: string) {
  await page.goto('/reports');
  // The page may show figures that are up to a minute old.
  const refresh = page.getByRole('button', { name: 'Refresh', exact: true });
  await Promise.all([page.waitForResponse(/\/reports\/analytics/), refresh.click()]);
  await expect(refresh).toBeEnabled();
  const number = async (title: string): Promise<number> => {
    const text = await statCard(page, title).innerText();
    const [, shown] = /(?:EUR )?(-?[\d.]+(?:,\d\d)?)/.exec(text.replace(title, ''))!;
    return Number(shown!.replaceAll('.', '').replace(',', '.'));
  };
  await expect(statCard(page, 'Total revenue')).toContainText('EUR');
  const best = page.getByRole('region', { name: 'Top 5 products' }).getByRole('listitem').filter({ hasText: name });
  return {
    revenue: await number('Total revenue'),
    completed: await number('Completed orders'),
    average: await number('Average order'),
    best: (await best.count()) === 0 ? '' : await best.innerText(),
  };
}

/** Returns what a credit note says. */
async function noteText(paper: Page): Promise<string> {
  await expect(paper.getByText('Credit note', { exact: true })).toBeVisible();
  const text = said(await linesOf(paper.locator('body'))).join(' ');
  await paper.close();
  return text;
}

async function takeOffline(tablet: Tablet, customer: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const { page } = tablet;
  await tablet.openCounter();
  await page.getByRole('tab', { name: /payment/i }).click();
  const treatment = page.getByRole('listitem').filter({ hasText: customer });
  await expect(treatment).toBeVisible({ timeout: 25_000 });
  await tablet.loseNetwork();
  await meanwhile();
  await treatment.getByRole('button').first().click();
  await (await processPayment(page)).close();
}

test('under a tax profile a Z report and the analytics state what refunds take back', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  test.slow();
  await clinic.api('/settings', issuer, 'PUT');
  const planned = await addService(clinic, 'Guard of nylon', 'standard');
  const added = await addService(clinic, 'Brush with a case', 'standard');
  // Enough of each to be among the five that sell best.
  await pay(clinic, await agree(clinic, Array<number>(20).fill(added), { customer_name: 'Eva Many' }), 2000);
  const id = await agree(clinic, [planned], { discount: 10, discount_reason: 'Agreed', customer_name: 'Eva Plan' });
  await clinic.api(`/orders/${id}`, { items: [{ product_id: added, quantity: 1 }] }, 'PATCH');
  await pay(clinic, id, 190);
  const tablet = await newTablet(clinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  const before = await shownAnalytics(page, 'Brush with a case');
  expect(before.best).toContain('EUR 2.100,00');

  // The drawer has the refund only, and so its taxes.
  await openDrawer(tablet, '200');
  await tablet.openCounter();
  await openRefund(tablet, 'Eva Plan');
  await dialogOf(page)
    .getByRole('checkbox', { name: /Brush with a case/ })
    .check();
  await (await refund(tablet)).close();
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  const taken = await printedZ(tablet, '100');
  for (const text of ['Refunds (1) EUR -100,00', 'Taxable base 21 % EUR -82,64', 'VAT 21 % EUR -17,36'])
    expect(taken).toContain(text);
  expect(taken).not.toContain('Discounts');
  await expect.poll(() => orderOf(clinic, id), { timeout: 20_000 }).toMatchObject({ owed: 90, paid: 90 });
  const after = await shownAnalytics(page, 'Brush with a case');
  expect(after.revenue).toBeCloseTo(before.revenue - 100, 2);
  expect(after.completed).toBe(before.completed);
  expect(after.best).toContain('EUR 2.000,00');

  // Another tablet takes the money of an invoiced treatment while this one takes it, too, and gives its own back.
  await openDrawer(tablet, '0');
  const twice = await agree(clinic, [added], { customer_name: 'Eva Twice' });
  await clinic.api(`/orders/${twice}/invoices`, {});
  await takeOffline(tablet, 'Eva Twice', () => pay(clinic, twice, 100));
  await openRefund(tablet, 'Eva Twice');
  await (await refund(tablet)).close();
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  await tablet.context.setOffline(false);
  await expect
    .poll(() => orderOf(clinic, twice), { timeout: 30_000 })
    .toMatchObject({ status: 'completed', owed: 0, paid: 100 });
  // The invoice and the credit note of the service leave nothing of its tax.
  const doubled = await printedZ(tablet, '100');
  for (const text of [
    'Sales (1) EUR 200,00',
    'Refunds (1) EUR -100,00',
    'Taxable base 21 % EUR 0,00',
    'VAT 21 % EUR 0,00',
  ])
    expect(doubled).toContain(text);
  const last = await shownAnalytics(page, 'Brush with a case');
  expect(last.revenue).toBeCloseTo(after.revenue + 100, 2);
  expect(last.completed).toBe(after.completed + 1);
  expect(last.best).toContain('EUR 2.000,00');
});

test('without a tax profile a Z report and the analytics follow allowances, mistakes and what two tablets took', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  test.slow();
  const services = [await addService(clinic, 'Cast of clay'), await addService(clinic, 'Splint of clay')];
  // Enough of it to be among the five that sell best.
  await pay(clinic, await agree(clinic, Array<number>(20).fill(services[0]!), { customer_name: 'Eva Many' }), 2000);
  const tablet = await newTablet(clinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  const before = await shownAnalytics(page, 'Cast of clay');
  await openDrawer(tablet, '0');
  for (const customer_name of ['Eva Lowered', 'Eva Mistaken'])
    await pay(clinic, await agree(clinic, services, { customer_name }), 200);
  await tablet.openCounter();
  for (const customer of ['Eva Lowered', 'Eva Mistaken']) {
    await openRefund(tablet, customer);
    await amount(page).fill('50');
    if (customer === 'Eva Mistaken') await stillOwed(page).check();
    const note = await noteText(await refund(tablet));
    for (const text of ['Amount refunded EUR 50,00', 'Cash EUR 50,00']) expect(note).toContain(text);
    expect(note).toMatch(/INV-[A-Z]+\d-\d{6}/);
    // Of no service more than of the other.
    expect(note).toContain('Cast of clay, Splint of clay EUR 50,00');
  }
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  const first = await printedZ(tablet, '300');
  for (const text of ['Sales (2) EUR 400,00', 'Refunds (2) EUR -100,00', 'Invoices (2)', 'Expected EUR 300,00'])
    expect(first).toContain(text);
  const between = await shownAnalytics(page, 'Cast of clay');
  expect(between.revenue).toBeCloseTo(before.revenue + 300, 2);
  // What was taken by mistake is open again.
  expect(between.completed).toBe(before.completed + 1);
  expect(between.best).toContain('EUR 2.075,00');

  // Two tablets take the money of one treatment. A later service uses a part of the surplus.
  await openDrawer(tablet, '0');
  const twice = await agree(clinic, [services[1]!], {
    discount: 10,
    discount_reason: 'Agreed',
    customer_name: 'Eva Twice',
  });
  await takeOffline(tablet, 'Eva Twice', () => pay(clinic, twice, 90));
  await tablet.context.setOffline(false);
  await expect.poll(() => orderOf(clinic, twice), { timeout: 30_000 }).toMatchObject({ paid: 180, balance: -90 });
  const other = await addService(clinic, 'Polish of clay', 'E1', 50);
  await clinic.api(`/orders/${twice}`, { items: [{ product_id: other, quantity: 1 }] }, 'PATCH');
  await openRefund(tablet, 'Eva Twice');
  await amount(page).fill('40');
  const note = await noteText(await refund(tablet));
  expect(note).toContain('Amount refunded EUR 40,00');
  await sales(page).getByRole('button', { name: 'Close recent sales' }).click();
  await expect
    .poll(() => orderOf(clinic, twice), { timeout: 30_000 })
    .toMatchObject({ status: 'completed', owed: 140, paid: 140, balance: 0 });
  const { Invoices, Payments } = await orderOf(clinic, twice);
  const stated = [...Invoices, ...Payments.flatMap(({ credit_note }) => credit_note ?? [])];
  expect(stated.reduce((sum, { total_amount }) => sum + total_amount, 0)).toBe(140);
  const second = await printedZ(tablet, '140');
  for (const text of ['Sales (1) EUR 180,00', 'Refunds (1) EUR -40,00', 'Discounts (1) EUR -10,00'])
    expect(second).toContain(text);
  const after = await shownAnalytics(page, 'Cast of clay');
  expect(after.revenue).toBeCloseTo(between.revenue + 140, 2);
  expect(after.completed).toBe(between.completed + 1);
  expect(euros(after.average)).toBe(euros((between.average * between.completed + 140) / after.completed));
});
