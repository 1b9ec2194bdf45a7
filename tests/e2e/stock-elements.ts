/** Data and elements of the stock tests. */
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { OrderResource } from '#domain/order/resource.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Tablet } from '../support/tablet.ts';

/** Has four digits always, so that no name of an item begins with the name of another. */
let itemCount = 1000;

/** Creates a stock item for one test. Its name begins with `prefix`. */
export async function addItem(
  clinic: ServerProcess,
  prefix: string,
  over: Partial<StockResource> = {},
): Promise<StockResource> {
  const { data } = await clinic.api<{ data: StockResource }>('/stock', {
    name: `${prefix} ${(itemCount += 1)}`,
    unit: 'boxes',
    supplier: 'Henara Dental',
    supplier_contact: 'orders@henara.test',
    quantity: 10,
    low_stock_threshold: 2,
    cost_per_unit: 4,
    ...over,
  });
  return data;
}

/** Sells and pays through the API, like another device. */
export async function sellItem(
  clinic: ServerProcess,
  stockId: number,
  quantity: number,
  customer = '',
): Promise<OrderResource> {
  const { data: order } = await clinic.api<{ data: OrderResource }>('/orders', {
    items: [{ stock_id: stockId, quantity }],
    order_type: 'walk_in',
    customer_name: customer,
  });
  await clinic.api(`/payments/orders/${order.id}/pay`, { payment_method: 'card', amount: quantity * 4 });
  return order;
}

export async function openStockTab({ page }: Tablet, tab: string): Promise<void> {
  await page.goto(`/stock?tab=${tab}`);
  await expect(panel(page)).toBeVisible();
}

export const panel = (page: Page) => page.getByRole('tabpanel');
/** The field of the adjustment form that chooses the item. */
export const picker = (page: Page) => page.getByRole('combobox', { name: /^(Item|Artículo)$/ });

/** The address of the form of a new item. */
export const newItem = '/stock?tab=inventory&item=new';

export const itemField = (page: Page, name: string) => page.locator('dialog[open]').getByLabel(name, { exact: true });
export const choosePicture = (page: Page) =>
  page.locator('input[type=file]').setInputFiles({ name: 'block.png', mimeType: 'image/png', buffer: picture });

/** Fills in the required fields of a new item. */
export async function fillNewItem(page: Page, name: string): Promise<void> {
  await itemField(page, 'Name').fill(name);
  await itemField(page, 'Supplier').fill('Composa');
  await itemField(page, 'Supplier contact').fill('orders@composa.test');
}

/** A picture of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
