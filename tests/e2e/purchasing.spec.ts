import type { Page } from '@playwright/test';
import type { PurchaseOrderResource, StockResource, StockTransactionResource } from '#domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { draftSavedMs, printedBy } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { addItem as createItem } from './stock-elements.ts';

async function quantityOf(clinic: ServerProcess, { id }: StockResource): Promise<number> {
  return (await clinic.api<{ data: StockResource }>(`/stock/${id}`)).data.quantity;
}

async function purchasesOf(clinic: ServerProcess, name: string): Promise<StockTransactionResource[]> {
  const { transactions } = await clinic.api<{ transactions: StockTransactionResource[] }>(
    '/stock/inventory/transactions?type=purchase&per_page=200',
  );
  return transactions.filter(({ Stock }) => Stock.name === name);
}

const orders = '/purchase-orders';
const create = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' });

/** Creates an order of a new item. Returns its address in the stock section. */
async function orderOf(
  clinic: ServerProcess,
  { vendor, item, quantity, cost }: { vendor: string; item: StockResource; quantity: number; cost: number },
): Promise<string> {
  const { data } = await clinic.api<{ data: PurchaseOrderResource }>('/stock/purchase-orders', {
    vendor,
    items: [{ stock_id: item.id, quantity, unit_cost: cost }],
  });
  return `${orders}?order=${data.id}`;
}

async function addItem(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add item' }).fill(name);
  await page.getByRole('option', { name }).click();
}

/** Returns the line of an item in the form. */
const lineOf = (page: Page, name: string) => page.getByRole('dialog').getByRole('listitem', { name });

test('an order made from suggestions is sent, and received in two deliveries', async ({ desk, clinic }) => {
  const masks = await createItem(clinic, 'Surgical masks');
  const { page } = await desk('manager', orders);
  await page.getByRole('button', { name: 'Create Purchase Order' }).click();
  const addAll = page.getByRole('button', { name: /^Add all from/ }).first();
  const place = await addAll.boundingBox();
  await addAll.click();
  await expect(addAll).toHaveText('Added');
  expect((await addAll.boundingBox())?.y, 'nothing slides under the pointer').toBe(place?.y);
  await expect(page.getByLabel('Vendor', { exact: true })).not.toHaveValue('');
  await expect(page.getByLabel(/^Quantity of/)).not.toHaveCount(0);
  await addItem(page, masks.name);
  await page.getByLabel(`Quantity of ${masks.name}`).fill('5');
  await page.getByLabel(`Unit cost of ${masks.name}`).fill('5.90');
  await create(page).click();
  await expect(page.getByText('The purchase order was created')).toBeVisible();
  const number = (await page.getByRole('heading', { name: /^PO-\d{6}$/ }).textContent())!;
  await page.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0);

  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  for (const field of await page.getByLabel('Received now').all()) await field.fill('0');
  await lineOf(page, masks.name).getByLabel('Received now').fill('2');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText(`The items received of ${number} are in stock`)).toBeVisible();
  await expect(page.getByText('Partly received')).toBeVisible();
  expect(await quantityOf(clinic, masks)).toBe(masks.quantity + 2);

  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await expect(lineOf(page, masks.name).getByLabel('Received now')).toHaveValue('3');
  await lineOf(page, masks.name).getByLabel('Unit cost').fill('6.10');
  for (const lot of await page.getByLabel('Lot number').all()) await lot.fill('LOT-77');
  for (const expiry of await page.getByLabel('Expires on').all()) await expiry.fill('2031-05-31');
  await page.getByRole('button', { name: 'Receive items' }).dblclick();
  await expect(page.getByText(`${number} is complete`)).toBeVisible();
  expect(await quantityOf(clinic, masks)).toBe(masks.quantity + 5);
  const purchases = (await purchasesOf(clinic, masks.name)).filter(({ reference_id }) => reference_id === number);
  expect(purchases.map(({ quantity, total_cost }) => [quantity, total_cost]).toSorted(([a], [b]) => a! - b!)).toEqual([
    [2, 11.8],
    [3, 18.3],
  ]);
  await page.goto('/stock?tab=transactions');
  await expect(
    page
      .getByRole('row', { name: new RegExp(masks.name) })
      .filter({ hasText: number })
      .first(),
  ).toContainText('EUR 18,30');
});

test('the order form names the problem of each field, and keeps its values after a reload @long', async ({ desk }) => {
  const { page } = await desk('manager', `${orders}?order=new`);
  // The fields come with the suggestions.
  await expect(page.getByLabel('Vendor', { exact: true })).toBeVisible();
  await create(page).click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await expect(page.getByText('Add at least one item')).toBeVisible();
  // The form moves to its first problem after it has shown them, which would end a search.
  await expect(page.getByLabel('Vendor', { exact: true })).toBeFocused();
  await addItem(page, 'Alginate');
  await page.getByLabel('Quantity of Alginate').fill('0');
  await create(page).click();
  await expect(page.getByText('Quantity must be greater than 0')).toBeVisible();
  await page.getByLabel('Quantity of Alginate').fill('7');
  await page.getByLabel('Unit cost of Alginate').fill('-1');
  await create(page).click();
  await expect(page.getByText('Cost per unit must be 0 or greater')).toBeVisible();
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(page.getByLabel('Quantity of Alginate')).toHaveValue('7');
});

test('a delivery of a thousand, or of a lot without a number, is refused, and the form keeps its values @long', async ({
  desk,
  clinic,
}) => {
  const tracked = await createItem(clinic, 'Tracked anaesthetic', { quantity: 0, tracks_lots: true });
  const { page } = await desk(
    'manager',
    await orderOf(clinic, { vendor: 'Composa', item: tracked, quantity: 4, cost: 3 }),
  );
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
  expect(await quantityOf(clinic, tracked)).toBe(4);
});

test('a delivery whose reply was lost is received once, also after a reload', async ({ desk, clinic }) => {
  const item = await createItem(clinic, 'Cotton rolls');
  const { page, context } = await desk(
    'manager',
    await orderOf(clinic, { vendor: 'Henara', item, quantity: 10, cost: 4 }),
  );
  await context.route('**/receive', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await page.getByLabel('Received now').fill('4');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText('It is not known whether this was saved.')).toBeVisible();
  await context.unroute('**/receive');
  expect(await quantityOf(clinic, item)).toBe(item.quantity + 4);
  await page.reload();
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await expect(page.getByLabel('Received now')).toHaveValue('4');
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText(/The items received of/)).toBeVisible();
  expect(await quantityOf(clinic, item)).toBe(item.quantity + 4);
});

test('a draft order is changed, copied for the vendor, and cancelled after a confirmation @long', async ({
  desk,
  clinic,
}) => {
  const item = await createItem(clinic, 'Impression paste', { unit: 'packets' });
  const vendor = `Gamma ${Date.now()}`;
  const { page, context } = await desk('manager', await orderOf(clinic, { vendor, item, quantity: 2, cost: 10 }));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel(`Quantity of ${item.name}`).fill('3');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('row', { name: new RegExp(item.name) })).toContainText('3 packets');
  await page.getByRole('button', { name: 'Copy text' }).click();
  await expect(page.getByText('The order was copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`3 packets · ${item.name}: EUR 30,00`);
  await context.clearPermissions();
  const printed = await printedBy(page, () => page.getByRole('button', { name: 'Print' }).click());
  await expect(printed.getByText(vendor)).toBeVisible();
  await printed.close();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await expect(page.getByText('Draft', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible();
  const { data } = await clinic.api<{ data: PurchaseOrderResource[] }>(`/purchase-orders?search=${vendor}`);
  expect(data.map(({ status }) => status)).toEqual(['cancelled']);

  await page.getByRole('button', { name: 'All purchase orders' }).click();
  await page.getByRole('searchbox').fill(vendor.toLowerCase());
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Status').selectOption('Sent');
  await expect(page.getByText('No purchase order matches this search and status.')).toBeVisible();
});

test('a double tap on what somebody has just changed decides nothing, and closes no question unread', async ({
  desk,
  clinic,
}) => {
  const item = await createItem(clinic, 'Overtaken gloves', { quantity: 0 });
  const { page } = await desk('manager', await orderOf(clinic, { vendor: 'Henara', item, quantity: 10, cost: 3 }));
  const path = `/purchase-orders/${new URL(page.url()).searchParams.get('order')}`;
  const order = async () => (await clinic.api<{ data: PurchaseOrderResource }>(path)).data;
  /** Somebody else is a moment faster than the next request to a path. */
  const overtake = (to: string, change: () => Promise<unknown>) =>
    page.route(
      `**${path}/${to}`,
      async (route) => {
        await change();
        await route.continue();
      },
      { times: 1 },
    );

  const notes = { vendor: 'Henara', notes: 'Ring first', items: [{ stock_id: item.id, quantity: 10, unit_cost: 3 }] };
  await overtake('send', () => clinic.api(path, notes, 'PUT'));
  const send = page.getByRole('button', { name: 'Mark as sent' });
  await send.focus();
  await page.keyboard.press('Enter');
  const asked = page.getByRole('dialog');
  await expect(asked.getByText('Nothing was done.')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(asked.getByText('Ring first')).toBeInViewport({ ratio: 1 });
  expect((await order()).status).toBe('draft');
  await asked.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(page.getByText('Sent', { exact: true }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  const line = (await order()).items[0]!;
  await overtake('receive', () =>
    clinic.api(`${path}/receive`, { items: [{ item_id: line.id, quantity: 5, unit_cost: 3 }] }),
  );
  await page.getByLabel('Received now').fill('5');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing was done.')).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(draftSavedMs);
  expect(await quantityOf(clinic, item)).toBe(5);
  await page.getByRole('button', { name: 'Receive items' }).click();
  await expect(page.getByText(/is complete$/)).toBeVisible();
  expect(await quantityOf(clinic, item)).toBe(10);
});
