import type { Page } from '@playwright/test';
import type { PurchaseOrderResource, StockResource, StockTransactionResource } from '../../domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { draftSavedMs, printedBy } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

async function openOrders(tablet: Tablet, more = ''): Promise<Page> {
  await tablet.signIn('manager');
  await tablet.page.goto(`/stock?tab=purchase-orders${more}`);
  return tablet.page;
}

async function itemNamed(clinic: ServerProcess, name: string): Promise<StockResource> {
  const { stocks } = await clinic.api<{ stocks: StockResource[] }>('/stock');
  return stocks.find((item) => item.name === name)!;
}

async function purchasesOf(clinic: ServerProcess, name: string): Promise<StockTransactionResource[]> {
  const { transactions } = await clinic.api<{ transactions: StockTransactionResource[] }>(
    '/stock/inventory/transactions?type=purchase&per_page=200',
  );
  return transactions.filter(({ Stock }) => Stock.name === name);
}

const create = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' });

/** Creates an order of one item and leaves it open. */
async function order(
  page: Page,
  { vendor, item, quantity, cost }: { vendor: string; item: string; quantity: number; cost: number },
): Promise<void> {
  await page.getByRole('button', { name: 'Create Purchase Order' }).click();
  await page.getByLabel('Vendor', { exact: true }).fill(vendor);
  await addItem(page, item);
  await page.getByLabel(`Quantity of ${item}`).fill(String(quantity));
  await page.getByLabel(`Unit cost of ${item}`).fill(String(cost));
  await create(page).click();
  await expect(page.getByRole('heading', { name: /^PO-\d{6}$/ })).toBeVisible();
}

async function addItem(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add item' }).fill(name.slice(0, 8));
  await page.getByRole('option', { name: new RegExp(name.replaceAll(/[()]/g, String.raw`\$&`)) }).click();
}

/** Returns the line of an item in the form. */
const lineOf = (page: Page, name: string) => page.getByRole('dialog').getByRole('listitem', { name });

test('an order made from suggestions is sent, and received in two deliveries', async ({ tablet, clinic }) => {
  const page = await openOrders(tablet);
  await page.getByRole('button', { name: 'Create Purchase Order' }).click();
  const addAll = page.getByRole('button', { name: /^Add all from/ }).first();
  const place = await addAll.boundingBox();
  await addAll.click();
  await expect(addAll).toHaveText('Added');
  expect((await addAll.boundingBox())?.y, 'nothing slides under the pointer').toBe(place?.y);
  await expect(page.getByLabel('Vendor', { exact: true })).not.toHaveValue('');
  await expect(page.getByLabel(/^Quantity of/)).not.toHaveCount(0);
  await addItem(page, 'Surgical masks');
  await page.getByLabel('Quantity of Surgical masks').fill('5');
  await page.getByLabel('Unit cost of Surgical masks').fill('5.90');
  await create(page).click();
  await expect(page.getByText('The purchase order was created')).toBeVisible();
  const number = (await page.getByRole('heading', { name: /^PO-\d{6}$/ }).textContent())!;
  await page.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0);

  const masks = await itemNamed(clinic, 'Surgical masks');
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  for (const field of await page.getByLabel('Received now').all()) await field.fill('0');
  await lineOf(page, 'Surgical masks').getByLabel('Received now').fill('2');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText(`The items received of ${number} are in stock`)).toBeVisible();
  await expect(page.getByText('Partly received')).toBeVisible();
  expect((await itemNamed(clinic, 'Surgical masks')).quantity).toBe(masks.quantity + 2);

  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await expect(lineOf(page, 'Surgical masks').getByLabel('Received now')).toHaveValue('3');
  await lineOf(page, 'Surgical masks').getByLabel('Unit cost').fill('6.10');
  for (const lot of await page.getByLabel('Lot number').all()) await lot.fill('LOT-77');
  for (const expiry of await page.getByLabel('Expires on').all()) await expiry.fill('2031-05-31');
  await page.getByRole('button', { name: 'Receive items' }).dblclick();
  await expect(page.getByText(`${number} is complete`)).toBeVisible();
  expect((await itemNamed(clinic, 'Surgical masks')).quantity).toBe(masks.quantity + 5);
  const purchases = (await purchasesOf(clinic, 'Surgical masks')).filter(({ reference_id }) => reference_id === number);
  expect(purchases.map(({ quantity, total_cost }) => [quantity, total_cost]).toSorted(([a], [b]) => a! - b!)).toEqual([
    [2, 11.8],
    [3, 18.3],
  ]);
  await page.goto('/stock?tab=transactions');
  await expect(
    page
      .getByRole('row', { name: /Surgical masks/ })
      .filter({ hasText: number })
      .first(),
  ).toContainText('EUR 18,30');
});

test('the order form names the problem of each field, in both languages', async ({ tablet }) => {
  const page = await openOrders(tablet, '&order=new');
  await create(page).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await expect(page.getByText('Add at least one item')).toBeVisible();
  await addItem(page, 'Alginate');
  await page.getByLabel('Quantity of Alginate').fill('0');
  await create(page).click();
  await expect(page.getByText('Quantity must be greater than 0')).toBeVisible();
  await page.getByLabel('Quantity of Alginate').fill('1');
  await page.getByLabel('Unit cost of Alginate').fill('-1');
  await create(page).click();
  await expect(page.getByText('Cost per unit must be 0 or greater')).toBeVisible();
  await page.waitForTimeout(draftSavedMs);
  await tablet.useLanguage('sp');
  await expect(page.getByText('Lo que había escrito antes sigue aquí.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Crear pedido de compra' }).click();
  await expect(page.getByText('Este campo es obligatorio')).toBeVisible();
  await expect(page.getByText('El coste por unidad debe ser 0 o mayor')).toBeVisible();
});

test('a delivery of a thousand, or of a lot without a number, is refused, and the form keeps its values', async ({
  tablet,
  clinic,
}) => {
  const page = await openOrders(tablet);
  const tracked = (await clinic.api<{ stocks: StockResource[] }>('/stock')).stocks.find(
    ({ tracks_lots }) => tracks_lots,
  )!;
  await order(page, { vendor: 'Composa', item: tracked.name, quantity: 4, cost: 3 });
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText('This field is required')).toHaveCount(2);
  await page.getByLabel('Lot number').fill('L-9');
  await page.getByLabel('Expires on').fill('2031-05-31');
  await page.getByLabel('Received now').fill('1000');
  await page.getByRole('button', { name: 'Receive items' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: tracked.name });
  await expect(refusal).toContainText('This is far more than was ordered.');
  await expect(refusal).toContainText('At most 5 can be received.');
  await expect(page.getByLabel('Lot number')).toHaveValue('L-9');

  await page.getByLabel('Received now').fill('3');
  await page.getByRole('button', { name: `Another lot of ${tracked.name}` }).click();
  await page.getByLabel('Received now').last().fill('1');
  await page.getByLabel('Lot number').last().fill('L-10');
  await page.getByLabel('Expires on').last().fill('2032-01-31');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText(/^PO-\d{6} is complete$/)).toBeVisible();
  expect((await itemNamed(clinic, tracked.name)).quantity).toBe(tracked.quantity + 4);
});

test('a delivery whose reply was lost is received once, also after a reload', async ({ tablet, clinic }) => {
  const page = await openOrders(tablet);
  await order(page, { vendor: 'Henara', item: 'Cotton rolls', quantity: 10, cost: 4 });
  const before = await itemNamed(clinic, 'Cotton rolls');
  await tablet.context.route('**/receive', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await page.getByLabel('Received now').fill('4');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText('Please check your connection and try again.')).toBeVisible();
  await tablet.context.unroute('**/receive');
  expect((await itemNamed(clinic, 'Cotton rolls')).quantity).toBe(before.quantity + 4);
  await page.reload();
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await expect(page.getByLabel('Received now')).toHaveValue('4');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText(/The items received of/)).toBeVisible();
  expect((await itemNamed(clinic, 'Cotton rolls')).quantity).toBe(before.quantity + 4);
});

test('a draft order survives a reload and an expired session', async ({ tablet }) => {
  const page = await openOrders(tablet, '&order=new');
  await page.getByLabel('Vendor', { exact: true }).fill('Slow vendor');
  await addItem(page, 'Orthodontic wax');
  await page.getByLabel('Quantity of Orthodontic wax').fill('7');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByLabel('Quantity of Orthodontic wax')).toHaveValue('7');
  await tablet.expireSession();
  await create(page).click();
  await expect(page.getByText('Your session has expired. Please log in again to continue.').first()).toBeVisible();
  await openOrders(tablet, '&order=new');
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await create(page).click();
  await expect(page.getByText('The purchase order was created')).toBeVisible();
  await expect(page.getByText('Slow vendor')).toBeVisible();
});

test('a draft order is changed, copied for the vendor, and cancelled after a confirmation', async ({
  tablet,
  clinic,
}) => {
  const page = await openOrders(tablet);
  await tablet.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await order(page, { vendor: 'Gamma Supplies', item: 'Alginate', quantity: 2, cost: 10 });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Quantity of Alginate').fill('3');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('row', { name: /Alginate/ })).toContainText('3 packets');
  await page.getByRole('button', { name: 'Copy text' }).click();
  await expect(page.getByText('The order was copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('3 packets · Alginate: EUR 30,00');
  const printed = await printedBy(tablet.page, () => page.getByRole('button', { name: 'Print' }).click());
  await expect(printed.getByText('Gamma Supplies')).toBeVisible();
  await printed.close();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
  const { data } = await clinic.api<{ data: PurchaseOrderResource[] }>('/purchase-orders?search=gamma');
  expect(data.map(({ status }) => status)).toEqual(['cancelled']);

  await page.getByRole('button', { name: 'All purchase orders' }).click();
  await page.getByRole('searchbox').fill('gamma');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Status').selectOption('Sent');
  await expect(page.getByText('No purchase order matches this search and status.')).toBeVisible();
});

test('the orders show their last data and their time while the server is down', async ({ tablet }) => {
  const page = await openOrders(tablet);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await tablet.context.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('The server cannot be reached')).toBeVisible();
  await expect(page.getByText(/This is how things stood on/)).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});
