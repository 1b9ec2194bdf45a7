import { businessDay } from '#domain/business-day.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { PurchaseOrderResource } from '#domain/stock/resources.ts';
import { printedBy } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { addItem, openStockTab, panel, picker, sellItem } from './stock-elements.ts';

test('a sale below the threshold raises an alert, which is acknowledged and resolved', async ({ desk, clinic }) => {
  const { name, id } = await addItem(clinic, 'Crossing gauze', { quantity: 5, low_stock_threshold: 4 });
  const tablet = await desk('manager', '/stock?tab=stock-management');
  const { page } = tablet;
  await page.getByRole('radio', { name: /^Low/ }).click();
  const adjust = page.getByRole('button', { name: `Adjust ${name}` });
  await expect(page.getByRole('heading', { name: 'Running low' })).toBeVisible();
  await expect(adjust).toHaveCount(0);
  await sellItem(clinic, id, 1);
  await expect(adjust).toBeVisible({ timeout: 25_000 });

  await openStockTab(tablet, 'alerts');
  const card = panel(page).getByRole('listitem').filter({ hasText: name });
  for (const text of ['Low stock', 'Medium', 'Current stock 4 boxes', 'Threshold 4', 'Created'])
    await expect(card).toContainText(text);
  await card.getByRole('button', { name: new RegExp(name) }).click();
  for (const text of [
    'Henara Dental',
    'orders@henara.test',
    'EUR 4,00',
    'Last restocked',
    'Recommended action',
    '1 boxes would bring it back',
  ])
    await expect(card).toContainText(text);
  await card.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await expect(card).toContainText('Acknowledged by Tomás Ibarra');
  await expect(card.getByRole('button', { name: 'Acknowledge', exact: true })).toHaveCount(0);

  // A failed resolve shows an error, changes nothing, and can be tried again.
  await tablet.context.route('**/resolve', (route) => route.abort());
  const dialog = page.getByRole('dialog', { name: 'Resolve this alert?' });
  const resolve = () => dialog.getByRole('button', { name: 'Resolve' }).click();
  await card.getByRole('button', { name: 'Resolve', exact: true }).click();
  await resolve();
  await expect(page.getByText('It is not known whether this was saved.')).toBeVisible();
  await tablet.context.unroute('**/resolve');
  await resolve();
  await expect(page.getByText('Alert resolved')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await expect(card).toContainText('Resolved');
  await expect(card).toHaveCSS('opacity', '0.7');
});

test('the list of low stock shows five items, and all on demand; an alert opens the adjustment of its item @long', async ({
  desk,
  clinic,
}) => {
  const prefix = `Lacking gauze ${Date.now()}`;
  const lacking = await Promise.all(Array.from({ length: 6 }, () => addItem(clinic, prefix, { quantity: 0 })));
  const tablet = await desk('manager', '/stock?tab=stock-management');
  const { page } = tablet;
  await page.getByRole('radio', { name: /^Out/ }).click();
  const items = page.getByRole('list', { name: 'Running low' }).getByRole('listitem');
  await expect(items).toHaveCount(5);
  await page.getByRole('button', { name: /^Show all \d+$/ }).click();
  await expect(items.filter({ hasText: prefix })).toHaveCount(6);
  await page.getByRole('button', { name: 'Show fewer' }).click();
  await expect(items).toHaveCount(5);

  const { name } = lacking[0]!;
  await page.getByRole('tab', { name: /^Alerts/ }).click();
  await panel(page)
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await panel(page).getByRole('button', { name: 'Adjust stock' }).click();
  await expect(picker(page)).toHaveValue(name);
  await expect(page).toHaveURL(/tab=stock-management$/);
});

test('an alert orders its item: on a new order to its supplier, and the next item on the same @long', async ({
  desk,
  clinic,
}) => {
  const supplier = `Supplier ${Date.now()}`;
  const low = { quantity: 1, low_stock_threshold: 4, supplier };
  const [first, second] = [await addItem(clinic, 'Ordered gauze', low), await addItem(clinic, 'Ordered swabs', low)];
  const { page } = await desk('manager', '/stock?tab=alerts');
  for (const [index, { name }] of [first, second].entries()) {
    await page.goto('/stock?tab=alerts&rows=50');
    const card = panel(page).getByRole('listitem').filter({ hasText: name });
    await card.getByRole('button', { name: new RegExp(name) }).click();
    await card.getByRole('button', { name: 'Order', exact: true }).click();
    await expect(page.getByRole('heading', { name: /^PO-\d{6}$/ })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();
    const { data } = await clinic.api<{ data: PurchaseOrderResource[] }>(`/purchase-orders?search=${supplier}`);
    expect(data.map(({ status, items }) => [status, items.length])).toEqual([['draft', index + 1]]);
  }
});

test('transactions are filtered by search, type, status and days, and each filter can be removed @long', async ({
  desk,
  clinic,
}) => {
  const { name, id } = await addItem(clinic, 'Filtered gauze');
  const note = `Dropped ${Date.now()}`;
  await clinic.api(`/stock/stock/subtract/${id}`, { amount: 3, notes: note });
  await sellItem(clinic, id, 1);
  const { page } = await desk('manager', '/stock?tab=transactions');
  const rows = page.getByRole('row').filter({ hasText: name });
  await panel(page).getByRole('searchbox').fill(name);
  await expect(rows).toHaveCount(3);
  await panel(page).getByLabel('Type', { exact: true }).selectOption('Usage');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('T-');
  await panel(page).getByLabel('Type', { exact: true }).selectOption('Stock out');
  await expect(rows).toContainText(note);
  await panel(page).getByLabel('Type', { exact: true }).selectOption('All types');
  await expect(rows).toHaveCount(3);

  const today = businessDay(Date.now(), defaultSettings.time_zone);
  await panel(page).getByRole('button', { name: 'Dates: Any date' }).click();
  await panel(page).getByLabel('From', { exact: true }).fill(today);
  await panel(page).getByLabel('To', { exact: true }).fill(today);
  await expect(rows).toHaveCount(3);
  await panel(page).getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('This is before the first day.')).toBeVisible();
  await expect(page.getByText('No transaction matches this search and these filters.')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row')).toHaveCount(11);
  await panel(page).getByRole('searchbox').fill(note);
  await expect(rows).toHaveCount(1);
  await panel(page).getByLabel('Status', { exact: true }).selectOption('Pending');
  await expect(rows).toHaveCount(0);
});

test('a search by lot number lists its patients, on the screen and in print @long', async ({ desk, clinic }) => {
  const { name, id } = await addItem(clinic, 'Traced anaesthetic', { quantity: 0, tracks_lots: true });
  const { data: order } = await clinic.api<{ data: PurchaseOrderResource }>('/stock/purchase-orders', {
    vendor: 'Henara Dental',
    items: [{ stock_id: id, quantity: 8 }],
  });
  const receive = `/stock/purchase-orders/items/${order.items[0]!.id}/receive`;
  const lot = `Trace-${Date.now()}`;
  await clinic.api(receive, { quantity: 8, lot_number: lot, expires_on: '2099-12-31' });
  const first = await sellItem(clinic, id, 2, 'María José');
  const second = await sellItem(clinic, id, 1);
  const { page } = await desk('manager', '/purchase-orders?tab=lots');
  await panel(page).getByRole('searchbox', { name: 'Search by lot number' }).fill(lot.toLowerCase());
  const recall = page.getByRole('region', { name: `Patients treated with lot ${lot}` }).first();
  await expect(recall).toContainText(name);
  await expect(recall).toContainText('8 received, 5 remaining');
  const rows = recall.getByRole('row');
  await expect(rows.filter({ hasText: first.number })).toContainText('María José2 boxes');
  await expect(rows.filter({ hasText: second.number })).toContainText('Not recorded1 boxes');
  const printed = await printedBy(page, () => recall.getByRole('button', { name: 'Print' }).click());
  await expect(printed.getByText(`${first.number} · María José`)).toBeVisible();
  await expect(printed.getByText('2 treatments used this lot')).toBeVisible();
  await printed.waitForFunction(() => window.printed === 1);
  await printed.close();

  await panel(page).getByRole('searchbox').fill('no such lot');
  await expect(page.getByText('No lot number starts like this.')).toBeVisible();
  await expect(recall).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Show all' }).click();
  // Lots of other tests expire before this one.
  await page.goto('/purchase-orders?tab=lots&rows=50');
  await panel(page)
    .getByRole('button', { name: `Patients treated with lot ${lot}` })
    .click();
  await expect(recall).toContainText('María José');
});

const overviewParts = {
  levels: { path: 'stock/stats', text: /^\d+ in stock$/ },
  movements: { path: 'stock/inventory/transactions/stats', text: /^\d+ in the last 7 days$/ },
};
for (const [lost, found] of [
  ['levels', 'movements'],
  ['movements', 'levels'],
] as const) {
  test(`the overview shows the ${found} although the ${lost} do not load, and loads them by a tap @long`, async ({
    desk,
  }) => {
    const { page, context } = await desk('admin', '/admin/rooms');
    const address = `**/api/${overviewParts[lost].path}`;
    await context.route(address, (route) => route.abort());
    await page.goto('/admin/stock');
    const again = panel(page).getByRole('button', { name: 'Try again' });
    await expect(again).toHaveCount(1, { timeout: 15_000 });
    await expect(page.getByText(overviewParts[found].text)).toBeVisible();
    await expect(page.getByText(overviewParts[lost].text)).toHaveCount(0);
    await context.unroute(address);
    await again.click();
    await expect(page.getByText(overviewParts[lost].text)).toBeVisible();
    await expect(again).toHaveCount(0);
  });
}
