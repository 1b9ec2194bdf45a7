import type { Page } from '@playwright/test';
import type { OrderResource } from '../../domain/order/resource.ts';
import type { PurchaseOrderResource, StockResource } from '../../domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { draftSavedMs, printedBy } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

/** Calls the API as the manager. */
async function callApi<T>(clinic: ServerProcess, method: 'POST' | 'PUT', path: string, json: object): Promise<T> {
  const send = async (token: string | null, url: string, verb: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const reply = await fetch(`${clinic.url}/api${url}`, { method: verb, headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${verb} ${url}: ${await reply.text()}`);
    return ((await reply.json()) as { data: T }).data;
  };
  const { accessToken } = (await send(null, '/users/login', 'POST', {
    email: 'manager@demo.test',
    password: 'demo-manager',
  })) as { accessToken: string };
  return send(accessToken, path, method, json);
}

let made = 0;
/** Creates a stock item for one test. Its name begins with `prefix`. */
function addItem(clinic: ServerProcess, prefix: string, over: Partial<StockResource> = {}): Promise<StockResource> {
  const name = `${prefix} ${(made += 1)}`;
  return callApi(clinic, 'POST', '/stock', {
    name,
    unit: 'boxes',
    supplier: 'Henara Dental',
    supplier_contact: 'orders@henara.test',
    quantity: 10,
    low_stock_threshold: 2,
    cost_per_unit: 4,
    ...over,
  });
}

/** Sells and pays through the API, like another device. */
async function sell(clinic: ServerProcess, stockId: number, quantity: number, customer = ''): Promise<OrderResource> {
  const order = await callApi<OrderResource>(clinic, 'POST', '/orders', {
    items: [{ stock_id: stockId, quantity }],
    order_type: 'walk_in',
    customer_name: customer,
  });
  await callApi(clinic, 'POST', `/payments/orders/${order.id}/pay`, { payment_method: 'card', amount: quantity * 4 });
  return order;
}

async function open(tablet: Tablet, tab: string): Promise<void> {
  await tablet.page.goto(`/stock?tab=${tab}`);
  await expect(tablet.page.getByRole('tabpanel')).toBeVisible();
}

const panel = (page: Page) => page.getByRole('tabpanel');
const picker = (page: Page) => page.getByRole('combobox', { name: /^(Item|Artículo)$/ });
const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true });
const amount = (page: Page) => page.getByLabel(/^(Amount|Cantidad)$/);
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const recent = (page: Page) => page.getByRole('list', { name: 'Adjusted on this device' }).getByRole('listitem');

async function choose(page: Page, name: string): Promise<void> {
  await picker(page).fill(name);
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click();
}

test('an adjustment made while the server is down is sent when it returns, with its author and device', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  const { name } = await addItem(clinic, 'Offline gauze', { is_available: false });
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await picker(page).fill('offline g');
  await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible();
  await clinic.stop();
  await picker(page).press('Enter');
  await expect(picker(page)).toHaveValue(name);
  await amount(page).fill('5');
  await page.getByLabel('Reason').fill('Delivery without a paper');
  await expect(preview(page)).toContainText('Current10 boxes');
  await expect(preview(page)).toContainText('Change+5 boxes');
  await expect(preview(page)).toContainText('New total15 boxes');
  await update(page).click();
  await expect(page.getByText(`${name}: 5 boxes added`)).toBeVisible();
  await expect(page.getByText('Saved here. It will be sent to the server.')).toBeVisible();

  // The form is empty again, and the stock level on this device includes the adjustment.
  await expect(picker(page)).toHaveValue('');
  await expect(amount(page)).toHaveValue('0');
  await expect(page.getByLabel('Reason')).toHaveValue('');
  await expect(page.getByRole('radio', { name: 'Add', exact: true })).toBeChecked();
  await expect(recent(page).first()).toContainText(`${name}+5 boxes`);
  await expect(recent(page).first()).toContainText('On this device');
  await choose(page, name);
  await expect(preview(page)).toContainText('Current15 boxes');
  await expect(preview(page)).toContainText('without them it is 10 boxes');

  await clinic.start();
  await expect(recent(page).first()).toContainText('On the server', { timeout: 30_000 });
  const where = await recent(page).first().textContent();
  const device = /Device (\w+)/.exec(where!)![1]!;
  await open(tablet, 'transactions');
  await panel(page).getByRole('searchbox', { name: 'Search items and notes' }).fill(name);
  const row = page.getByRole('row').filter({ hasText: 'Delivery without a paper' });
  for (const text of [name, 'Stock in', '10 → 15 boxes', 'Completed', 'Tomás Ibarra', `Device ${device}`, 'EUR 20,00'])
    await expect(row).toContainText(text);
});

test('an adjustment requires an item and an amount, warns of a low result, and accepts a count of 0', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  const { name } = await addItem(clinic, 'Warned gauze', { unit: 'kg' });
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await expect(update(page)).toBeDisabled();
  await amount(page).fill('3');
  await expect(update(page)).toBeDisabled();
  await choose(page, name);
  await expect(update(page)).toBeEnabled();
  await expect(amount(page)).toHaveAttribute('step', '0.01');
  await page.getByRole('button', { name: 'More' }).click();
  await expect(amount(page)).toHaveValue('3.01');
  await amount(page).fill('0');
  await expect(update(page)).toBeDisabled();

  await page.getByRole('radio', { name: 'Subtract' }).click();
  await amount(page).fill('8.5');
  await expect(preview(page)).toContainText('Low stock: at or below the threshold of 2 kg.');
  await amount(page).fill('12');
  await expect(preview(page)).toContainText('New total-2 kg');
  await expect(preview(page)).toContainText('Negative stock');
  await expect(update(page)).toBeEnabled();
  for (const [typed, problem] of [
    ['-1', 'Quantity must be 0 or greater'],
    ['0.0001', 'This number is too large or has too many decimals'],
  ] as const) {
    await amount(page).fill(typed);
    await amount(page).blur();
    await expect(page.getByText(problem)).toBeVisible();
    await expect(update(page)).toBeDisabled();
  }

  await amount(page).fill('0');
  await page.getByRole('radio', { name: 'Set' }).click();
  await expect(amount(page)).toHaveValue('');
  await expect(update(page)).toBeDisabled();
  await amount(page).fill('0');
  await expect(preview(page)).toContainText('Out of stock: nothing would remain.');
  await update(page).click();
  await expect(page.getByText(`${name}: set to 0 kg`)).toBeVisible();

  // The item is out of stock now, and its button in the list fills the form.
  await page.getByRole('radio', { name: /^Out/ }).click();
  await page.getByRole('button', { name: `Adjust ${name}` }).click();
  await expect(picker(page)).toHaveValue(name);
  await expect(amount(page)).toBeFocused();
});

test('an item is found by barcode and by keyboard, and a search without results says so', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  const { name } = await addItem(clinic, 'Scanned gauze', { barcode: '8400000000017' });
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await picker(page).focus();
  await page.keyboard.type('8400000000017', { delay: 4 });
  await page.keyboard.press('Enter');
  await expect(picker(page)).toHaveValue(name);
  await expect(amount(page)).toBeFocused();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name}: 2 boxes added`)).toBeVisible();
  await expect(picker(page)).toBeFocused();

  await page.keyboard.type('nitrile');
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: /Nitrile gloves S/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(picker(page)).toHaveValue('Nitrile gloves S');

  // Keys that are faster than the list choose the item under the arrow, not the first one.
  await picker(page).fill('nitrile');
  await expect(page.getByRole('option')).toHaveCount(2);
  await picker(page).evaluate(async (field: HTMLInputElement) => {
    // The native setter, because React ignores values set through its own.
    Reflect.set(HTMLInputElement.prototype, 'value', 'nitrile g', field);
    const keys = ['ArrowDown', 'Enter'].map(
      (key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    for (const event of [new InputEvent('input', { bubbles: true }), ...keys]) {
      field.dispatchEvent(event);
      // The page renders before the next key, but the database has not answered yet.
      await Promise.resolve();
    }
  });
  await expect(picker(page)).toHaveValue('Nitrile gloves S');

  await picker(page).fill('nothing like it');
  await expect(page.getByText('No stock item begins with “nothing like it” or has this barcode.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveValue('Nitrile gloves S');
});

test('the form keeps its values after a reload', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await choose(page, 'Nitrile gloves S');
  await amount(page).fill('7');
  await page.getByLabel('Reason').fill('Half counted');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByText('What you typed earlier is still here.')).toBeVisible();
  await expect(picker(page)).toHaveValue('Nitrile gloves S');
  await expect(amount(page)).toHaveValue('7');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(picker(page)).toHaveValue('');
});

test('a sale below the threshold raises an alert, which is acknowledged and resolved', async ({ tablet, clinic }) => {
  const { page } = tablet;
  const { name, id } = await addItem(clinic, 'Crossing gauze', { quantity: 5, low_stock_threshold: 4 });
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await page.getByRole('radio', { name: /^Low/ }).click();
  const adjust = page.getByRole('button', { name: `Adjust ${name}` });
  await expect(page.getByRole('heading', { name: 'Running out' })).toBeVisible();
  await expect(adjust).toHaveCount(0);
  await sell(clinic, id, 1);
  await expect(adjust).toBeVisible({ timeout: 25_000 });

  await open(tablet, 'alerts');
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

  // A failed resolve shows an error and changes nothing.
  await tablet.context.route('**/resolve', (route) => route.abort());
  const resolve = async () => {
    await card.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByRole('dialog', { name: 'Resolve this alert?' }).getByRole('button', { name: 'Resolve' }).click();
  };
  await resolve();
  await expect(page.getByText('Resolve alert')).toBeVisible();
  await expect(page.getByText('Please check your connection and try again.')).toBeVisible();
  await tablet.context.unroute('**/resolve');
  await resolve();
  await expect(page.getByText('Alert resolved')).toBeVisible();
  await expect(card).toHaveCount(0);
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await expect(card).toContainText('Resolved');
  await expect(card).toHaveCSS('opacity', '0.7');
});

test('the list of low stock shows five items, and all on demand', async ({ tablet, clinic }) => {
  const { page } = tablet;
  for (let count = 0; count < 6; count += 1) await addItem(clinic, 'Lacking gauze', { quantity: 0 });
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await page.getByRole('radio', { name: /^Out/ }).click();
  const items = page.getByRole('list', { name: 'Running out' }).getByRole('listitem');
  await expect(items).toHaveCount(5);
  await page.getByRole('button', { name: /^Show all \d+$/ }).click();
  await expect(items.filter({ hasText: 'Lacking gauze' })).toHaveCount(6);
  await page.getByRole('button', { name: 'Show fewer' }).click();
  await expect(items).toHaveCount(5);
});

test('an alert opens the adjustment of its item', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await open(tablet, 'alerts');
  await panel(page)
    .getByRole('button', { name: /Saliva ejectors/ })
    .click();
  await panel(page).getByRole('button', { name: 'Adjust stock' }).click();
  await expect(picker(page)).toHaveValue('Saliva ejectors');
  await expect(page).toHaveURL(/tab=stock-management$/);
});

test('transactions are filtered by search, type, status and days, and each filter can be removed', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  const { name, id } = await addItem(clinic, 'Filtered gauze');
  await callApi(clinic, 'POST', `/stock/stock/subtract/${id}`, { amount: 3, notes: 'Dropped zirconia' });
  await sell(clinic, id, 1);
  await tablet.signIn('manager');
  await open(tablet, 'transactions');
  const rows = page.getByRole('row').filter({ hasText: name });
  await panel(page).getByRole('searchbox').fill(name);
  await expect(rows).toHaveCount(3);
  await panel(page).getByLabel('Type', { exact: true }).selectOption('Usage');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('T-');
  await panel(page).getByLabel('Type', { exact: true }).selectOption('Stock out');
  await expect(rows).toContainText('Dropped zirconia');
  await panel(page).getByRole('button', { name: 'Remove filter Type: Stock out' }).click();
  await expect(rows).toHaveCount(3);

  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format();
  await panel(page).getByLabel('From', { exact: true }).fill(today);
  await panel(page).getByLabel('To', { exact: true }).fill(today);
  await expect(rows).toHaveCount(3);
  await panel(page).getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(page.getByText('This is before the first day.')).toBeVisible();
  await expect(page.getByText('No transaction fits this search and these filters.')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Remove all' }).click();
  await expect(page.getByRole('row')).toHaveCount(11);
  await panel(page).getByRole('searchbox').fill('zirconia');
  await expect(rows).toHaveCount(1);
  await panel(page).getByLabel('Status', { exact: true }).selectOption('Pending');
  await expect(rows).toHaveCount(0);
});

test('SYNC-10 an adjustment older than a count shows that it had no effect', async ({ tablet, clinic }) => {
  const { page, context } = tablet;
  const { name, id } = await addItem(clinic, 'Counted gauze');
  await tablet.signIn('manager');
  await open(tablet, 'stock-management');
  await context.setOffline(true);
  await choose(page, name);
  await page.getByRole('radio', { name: 'Subtract' }).click();
  await amount(page).fill('4');
  await update(page).click();
  await expect(recent(page).first()).toContainText('On this device');
  await callApi(clinic, 'POST', `/stock/stock/update/${id}`, { amount: 6 });
  await context.setOffline(false);
  await expect(recent(page).first()).toContainText('On the server', { timeout: 30_000 });
  await open(tablet, 'transactions');
  await panel(page).getByRole('searchbox').fill(name);
  const row = page.getByRole('row').filter({ hasText: 'Stock out' }).filter({ hasText: name });
  await expect(row).toContainText('No effect: a later count already includes this.');
});

test('a search by lot number lists its patients, on the screen and in print', async ({ tablet, clinic }) => {
  const { page } = tablet;
  const { name, id } = await addItem(clinic, 'Traced anaesthetic', { quantity: 0, tracks_lots: true });
  const order = await callApi<PurchaseOrderResource>(clinic, 'POST', '/stock/purchase-orders', {
    vendor: 'Henara Dental',
    items: [{ stock_id: id, quantity: 8 }],
  });
  const receive = `/stock/purchase-orders/items/${order.items[0]!.id}/receive`;
  await callApi(clinic, 'POST', receive, { quantity: 8, lot_number: 'Trace-77', expires_on: '2099-12-31' });
  const first = await sell(clinic, id, 2, 'María José');
  const second = await sell(clinic, id, 1);
  await tablet.signIn('manager');
  await open(tablet, 'lots');
  await panel(page).getByRole('searchbox', { name: 'Search by lot number' }).fill('trace-77');
  const recall = page.getByRole('region', { name: 'Who received lot Trace-77' }).first();
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
  await expect(page.getByText('No lot number begins like this.')).toBeVisible();
  await expect(recall).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Show all' }).click();
  // Lots of other tests expire before this one.
  await panel(page).getByRole('combobox', { name: 'Results per page' }).selectOption('50');
  await panel(page).getByRole('button', { name: 'Who received lot Trace-77' }).click();
  await expect(recall).toContainText('María José');
});

test('the lists show their last data and their time while the server is down', async ({ tablet, clinic }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await open(tablet, 'alerts');
  await expect(panel(page).getByRole('button', { name: /Saliva ejectors/ })).toBeVisible();
  await open(tablet, 'transactions');
  await expect(page.getByRole('row')).toHaveCount(11);
  await clinic.stop();
  for (const tab of ['Alerts', 'Transactions']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    await page.reload();
    await expect(page.getByText('The server cannot be reached')).toBeVisible({ timeout: 15_000 });
    await expect(panel(page).getByText('Saliva ejectors').or(page.getByRole('row').nth(10)).first()).toBeVisible();
  }
  await clinic.start();
});

test('the stock tabs fit a phone without scrolling sideways', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const tab of ['stock-management', 'alerts', 'transactions', 'lots']) {
    await open(tablet, tab);
    await expect(panel(page).getByRole('listitem').first()).toBeVisible();
    const overflow = await page.evaluate(() =>
      [document.documentElement, document.querySelector('main')!].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    );
    expect(overflow, tab).toEqual([0, 0]);
  }
});

test.describe('in Spanish', () => {
  test.use({ locale: 'es-ES' });

  test('an adjustment shows its warnings and problems in Spanish', async ({ tablet, clinic }) => {
    const { page } = tablet;
    const { name } = await addItem(clinic, 'Gasa avisada');
    await page.goto('/login');
    await page.locator('input[type=email]').fill('manager@demo.test');
    await page.locator('input[type=password]').fill('demo-manager');
    await page.locator('button[type=submit]').click();
    await tablet.counterReady();
    await open(tablet, 'stock-management');
    await choose(page, name);
    await page.getByRole('radio', { name: 'Restar' }).click();
    const warnings = {
      9: 'Stock bajo: en el umbral de 2 cajas o por debajo.',
      10: 'Agotado: no quedaría nada.',
      11: 'Existencias negativas',
    };
    for (const [typed, text] of Object.entries(warnings)) {
      await amount(page).fill(typed);
      await expect(page.getByText(text)).toBeVisible();
    }
    for (const [typed, problem] of [
      ['-1', 'La cantidad debe ser 0 o mayor'],
      ['0.0001', /demasiados decimales/],
    ] as const) {
      await amount(page).fill(typed);
      await amount(page).blur();
      await expect(page.getByText(problem)).toBeVisible();
    }
    await amount(page).fill('1');
    await page.getByRole('button', { name: 'Actualizar', exact: true }).last().click();
    await expect(page.getByText(`${name}: salida de 1 cajas`)).toBeVisible();
    await expect(page.getByText('Guardado aquí. Se enviará al servidor.')).toBeVisible();
  });
});
