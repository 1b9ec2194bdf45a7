/** Data and elements that several sections have, and amounts as the screen shows them. */
import type { Locator, Page } from '@playwright/test';
import { formatMinor, minorFromWire } from '#domain/money.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';

/** Formats an amount of the API. */
export const euros = (wire: number): string => formatMinor(minorFromWire(wire));

/** Returns the field of a label. Behind a dialog, which comes last, a list may have a filter of that name. */
export const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true }).last();

/** Returns the card that a heading names. */
export const statCard = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name, exact: true }).locator('xpath=../..');

/** The button of the menu of a row or card, in both languages. */
const menuOf = (row: Page | Locator, name: string): Locator =>
  row.getByRole('button', { name: new RegExp(`^(Actions for|Acciones de) ${escaped(name)}$`) });

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Chooses an action from the menu of a row or card. */
export async function chooseAction(row: Page | Locator, name: string, action: string): Promise<void> {
  const dots = menuOf(row, name);
  await dots.click();
  await dots.page().getByRole('menuitem', { name: action, exact: true }).click();
}

/** Returns the actions that the menu of a row or card offers. */
export async function actionsOf(row: Page | Locator, name: string): Promise<string[]> {
  const dots = menuOf(row, name);
  if ((await dots.count()) === 0) return [];
  await dots.click();
  const names = await dots.page().getByRole('menuitem').allInnerTexts();
  await dots.page().keyboard.press('Escape');
  return names;
}

/** Returns the value that stands behind a term. */
export const figure = (container: Page | Locator, term: string): Locator =>
  container.getByRole('term').filter({ hasText: term }).locator('xpath=following-sibling::dd');

export const incomeReport = (page: Page): Locator => page.getByRole('region', { name: 'Income report' });

/** Returns the card of a room. */
export const room = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

export const openDrawerSection = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Cash drawer', exact: true }).click();

/** Creates a treatment with services of the demo through the API, like another device. */
export async function orderService(
  clinic: ServerProcess,
  names: string | string[],
  customer = '',
): Promise<OrderResource> {
  const item = async (name: string) => {
    const { stocks } = await clinic.api<{ stocks: StockResource[] }>(`/stock?search=${encodeURIComponent(name)}`);
    return { stock_id: stocks.find((found) => found.name.startsWith(name))!.id, quantity: 1 };
  };
  const items = await Promise.all([names].flat().map(item));
  const draft = { items, order_type: 'walk_in', customer_name: customer };
  return (await clinic.api<{ data: OrderResource }>('/orders', draft)).data;
}

/** Sells and pays services of the demo through the API, like another device. */
export async function sellService(
  clinic: ServerProcess,
  names: string | string[],
  method: 'cash' | 'card' = 'cash',
): Promise<OrderResource> {
  const order = await orderService(clinic, names);
  await clinic.api(`/payments/orders/${order.id}/pay`, { payment_method: method, amount: order.price });
  return order;
}

/** Returns the rows of a table on the device, as JSON. */
export const storedIn = (page: Page, table: string): Promise<string> =>
  page.evaluate(
    (name) =>
      new Promise((resolve) => {
        indexedDB.open('dental-counter').onsuccess = ({ target }) => {
          const database = (target as IDBOpenDBRequest).result;
          database.transaction(name).objectStore(name).getAll().onsuccess = ({ target: all }) => {
            database.close();
            resolve(JSON.stringify((all as IDBRequest).result));
          };
        };
      }),
    table,
  );
