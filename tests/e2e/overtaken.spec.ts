/** A form whose record goes on without it, and what stands beside each other where both have changed it. */
import type { Page } from '@playwright/test';
import { businessDay } from '#domain/business-day.ts';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import type { RoomRowResource } from '#domain/room/resources.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ProductResource, PurchaseOrderResource } from '#domain/stock/resources.ts';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { field } from './elements.ts';
import { addItem } from './stock-elements.ts';

const fish = {
  title: 'Food for the fish',
  description: 'For the front desk',
  amount: 12.4,
  category: 'other',
  expense_date: businessDay(Date.now(), defaultSettings.time_zone),
};
const stays = 'What you have typed stays until you close this.';

test('each tab has a draft of its own: nothing of one is lost, and nothing is saved twice', async ({
  desk,
  clinic,
}) => {
  const [one, other] = ['Lamp of the first tab', 'Chair of the second tab'];
  const { page, context } = await desk('manager', '/expenses?expense=new');
  const second = await context.newPage();
  await second.emulateMedia({ reducedMotion: 'reduce' });
  await second.goto('/expenses?expense=new');
  const kept = (on: Page) => on.getByText('Your earlier entries are still here.');
  const fill = async (on: Page, title: string) => {
    await field(on, 'Title').fill(title);
    await field(on, 'Description').fill('For the waiting room');
    await field(on, 'Amount').fill('20,50');
  };
  await fill(page, one);
  await fill(second, other);
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(kept(page)).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue(one);
  await second.reload();
  await expect(kept(second)).toBeVisible();
  await expect(field(second, 'Title')).toHaveValue(other);

  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText(`${one} was created`)).toBeVisible();
  await second.reload();
  await expect(field(second, 'Title')).toHaveValue(other);
  await second.close();
  // What waits from a tab that is closed shows in the next form.
  await page.goto('/expenses?expense=new');
  await expect(kept(page)).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue(other);
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText(`${other} was created`)).toBeVisible();
  await page.goto('/expenses?expense=new');
  await expect(field(page, 'Title')).toHaveValue('');
  for (const title of [one, other]) {
    const found = await clinic.api<{ expenses: object[] }>(`/expenses?search=${encodeURIComponent(title)}`);
    expect(found.expenses).toHaveLength(1);
  }
});

test('what is typed before the form has its draft is kept, and is not replaced by an earlier draft', async ({
  desk,
}) => {
  const { page, context } = await desk('manager', '/expenses?expense=new');
  await field(page, 'Title').fill('Earlier');
  await field(page, 'Description').fill('For the waiting room');
  await page.waitForTimeout(draftSavedMs);
  await page.close();
  const slow = await context.newPage();
  await slow.emulateMedia({ reducedMotion: 'reduce' });
  // The place of a draft is a lock, which another tab may hold for a moment.
  await slow.addInitScript((waitMs) => {
    const request = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
    navigator.locks.request = async (...args: unknown[]) => {
      if (String(args[0]).startsWith('dental-counter-draft')) await new Promise((go) => setTimeout(go, waitMs));
      return request(...args);
    };
  }, 700);
  await slow.goto('/expenses?expense=new');
  await field(slow, 'Title').fill('Typed at once');
  await expect(slow.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(field(slow, 'Title')).toHaveValue('Typed at once');
  await expect(field(slow, 'Description')).toHaveValue('For the waiting room');
  await slow.reload();
  await expect(field(slow, 'Title')).toHaveValue('Typed at once');
  await slow.getByRole('button', { name: 'Cancel' }).click();
});

test('a form whose order is sent meanwhile says so in place, and keeps what was typed to be read', async ({
  desk,
  clinic,
}) => {
  const item = await addItem(clinic, 'Sent meanwhile');
  const { data: order } = await clinic.api<{ data: PurchaseOrderResource }>('/purchase-orders', {
    vendor: 'Overtaken',
    items: [{ stock_id: item.id, quantity: 2, unit_cost: 5 }],
  });
  const { page } = await desk('manager', `/purchase-orders?order=${order.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Vendor', { exact: true }).fill('Written in vain');
  await clinic.api(`/purchase-orders/${order.id}/send`, {});
  await form.getByRole('button', { name: 'Save changes' }).click();
  const told = form.getByRole('alert').filter({ hasText: stays });
  await expect(told).toContainText('This order is no draft any more: Sent');
  await expect(form.getByLabel('Vendor', { exact: true })).toHaveValue('Written in vain');
  await expect(form.getByRole('button', { name: 'Save changes' })).toHaveCount(0);
  await form.getByRole('button', { name: 'Close' }).last().click();
  await expect(form).toBeHidden();
  await expect(page.getByText('Overtaken')).toBeVisible();
});

test('a form whose expense is approved or deleted meanwhile says so in place, also after a reload @long', async ({
  desk,
  clinic,
}) => {
  const make = async () => (await clinic.api<{ data: ExpenseResource }>('/expenses', fish)).data;
  const approved = await make();
  const { page } = await desk('manager', `/expenses?expense=${approved.id}`);
  const form = page.getByRole('dialog');
  await field(page, 'Notes (optional)').fill('Only on Sundays');
  await page.waitForTimeout(draftSavedMs);
  await clinic.api(`/expenses/${approved.id}/approve`, {});
  await form.getByRole('button', { name: 'Update expense' }).click();
  const told = form.getByRole('alert').filter({ hasText: stays });
  await expect(told).toContainText('This expense has already been approved or rejected.');
  await page.reload();
  await expect(told).toContainText('This expense has already been approved or rejected.');
  await expect(field(page, 'Notes (optional)')).toHaveValue('Only on Sundays');
  await form.getByRole('button', { name: 'Close' }).last().click();
  await page.goto(`/expenses?expense=${approved.id}`);
  await expect(page.getByText('This expense has already been approved or rejected.')).toBeVisible();
  await expect(told).toBeHidden();

  const deleted = await make();
  await page.goto(`/expenses?expense=${deleted.id}`);
  await field(page, 'Notes (optional)').fill('They were fed already');
  await clinic.api(`/expenses/${deleted.id}`, undefined, 'DELETE');
  await form.getByRole('button', { name: 'Update expense' }).click();
  await expect(told).toContainText('This expense does not exist.');
  await expect(field(page, 'Notes (optional)')).toHaveValue('They were fed already');
});

test('a form whose room or supply is deleted meanwhile stays, and says so @long', async ({ desk, clinic }) => {
  const { data: made } = await clinic.api<{ data: RoomRowResource }>('/tables', { number: '77', capacity: 2 });
  const { page } = await desk('manager', `/rooms?room=${made.id}`);
  const form = page.getByRole('dialog');
  await field(page, 'Location').fill('Where nobody goes');
  await clinic.api(`/tables/${made.id}`, undefined, 'DELETE');
  const told = form.getByRole('alert').filter({ hasText: stays });
  await expect(told).toContainText('This room does not exist.');
  await expect(field(page, 'Location')).toHaveValue('Where nobody goes');
  await form.getByRole('button', { name: 'Close' }).last().click();
  await expect(form).toBeHidden();

  const item = await addItem(clinic, 'Deleted meanwhile');
  await page.goto(`/stock?tab=inventory&item=${item.id}`);
  await field(page, 'Supplier').fill('Nobody at all');
  await clinic.api(`/stock/${item.id}`, undefined, 'DELETE');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(told).toContainText('This stock item does not exist.');
  await expect(field(page, 'Supplier')).toHaveValue('Nobody at all');
});

const addService = async (clinic: { api: any }, over: object): Promise<ProductResource> => {
  const { data: categories } = await clinic.api('/categories');
  const { data } = await clinic.api('/products', {
    name: `Overtaken service ${Date.now()}`,
    category_id: categories[0].id,
    price: 50,
    ...over,
  });
  return data;
};

test('a price that somebody changes meanwhile is named, and only a new tap replaces it', async ({ desk, clinic }) => {
  const made = await addService(clinic, {});
  const { page } = await desk('manager', '/services');
  await page.getByRole('searchbox', { name: 'Search services' }).fill(made.name);
  await page.getByRole('button', { name: `Change the price of ${made.name}` }).click();
  const price = page.getByLabel(`New price of ${made.name}`);
  await price.fill('55');
  await clinic.api(`/products/${made.id}`, { price: 60 }, 'PUT');
  const stored = async () => (await clinic.api<{ data: ProductResource }>(`/products/${made.id}`)).data.price;
  await price.press('Enter');
  await price.press('Enter');
  await expect(page.getByText('Price: EUR 50,00 → EUR 60,00')).toBeVisible();
  await expect(price).toBeFocused();
  expect(await stored()).toBe(60);
  const save = page.getByRole('button', { name: `Save the price of ${made.name}` });
  await expect(save).toBeEnabled();
  await save.click();
  await expect.poll(stored).toBe(55);
});

test('two pictures stand side by side, and whoever takes the stored one uploads none @long', async ({
  desk,
  clinic,
}) => {
  const made = await addService(clinic, {});
  const { data: others } = await clinic.api<{ data: ProductResource[] }>('/products');
  const theirs = others.find(({ image_url }) => image_url)!.image_url;
  const { page } = await desk('manager', `/services?service=${made.id}`);
  const form = page.getByRole('dialog').first();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await form.locator('input[type=file]').setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer: png });
  await expect(form.getByText('mine.png')).toBeVisible();
  await clinic.api(`/products/${made.id}`, { image_url: theirs }, 'PUT');
  await form.getByRole('button', { name: 'Update service' }).click();
  const asked = page.getByRole('alert', { name: 'Somebody else has changed this too' });
  await expect(asked.getByRole('img')).toHaveCount(2);
  await asked.getByRole('button', { name: /^Take theirs/ }).click();
  await expect(asked).toBeHidden();
  await expect(form.getByText('mine.png')).toBeHidden();
  await field(page, 'Name').fill(`${made.name} again`);
  await form.getByRole('button', { name: 'Update service' }).click();
  await expect(page.getByText(`${made.name} again`).first()).toBeVisible();
  const { data: stored } = await clinic.api<{ data: ProductResource }>(`/products/${made.id}`);
  expect(stored).toMatchObject({ name: `${made.name} again`, image_url: theirs });
});

test('an item that is added to an order meanwhile gets a line in its open delivery', async ({ desk, clinic }) => {
  const [first, second] = [await addItem(clinic, 'Ordered at once'), await addItem(clinic, 'Ordered later')];
  const lines = [first, second].map(({ id }) => ({ stock_id: id, quantity: 2, unit_cost: 5 }));
  const { data: order } = await clinic.api<{ data: PurchaseOrderResource }>('/purchase-orders', {
    vendor: 'Added to',
    items: lines.slice(0, 1),
  });
  const { page } = await desk('manager', `/purchase-orders?order=${order.id}`);
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  const form = page.getByRole('dialog');
  const lineOf = ({ name }: { name: string }) => form.getByRole('listitem', { name });
  await expect(lineOf(first)).toBeVisible();
  await clinic.api(`/purchase-orders/${order.id}`, { items: lines }, 'PUT');
  const submit = form.getByRole('button', { name: 'Receive items' });
  await submit.click();
  await expect(lineOf(second)).toContainText('Added since you began');
  await expect(lineOf(first)).not.toContainText('Added since you began');
  await lineOf(second).getByLabel('Received now').fill('1');
  await submit.click();
  await expect(form).toBeHidden();
  const { data: stored } = await clinic.api<{ data: PurchaseOrderResource }>(`/purchase-orders/${order.id}`);
  expect(stored.items.map(({ received_quantity }) => received_quantity)).toEqual([2, 1]);
});

test('whoever leaves a question that was asked again is back at the button they had used', async ({ desk, clinic }) => {
  const item = await addItem(clinic, 'Asked again');
  const { data: order } = await clinic.api<{ data: PurchaseOrderResource }>('/purchase-orders', {
    vendor: 'Back at the button',
    items: [{ stock_id: item.id, quantity: 2, unit_cost: 5 }],
  });
  const { page } = await desk('manager', `/purchase-orders?order=${order.id}`);
  const send = page.getByRole('button', { name: 'Mark as sent' });
  await send.waitFor();
  await page.route('**/send', async (route) => {
    await clinic.api(`/purchase-orders/${order.id}`, { notes: 'Ring first' }, 'PUT');
    await route.continue();
  });
  await send.focus();
  await page.keyboard.press('Enter');
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
  await expect(cancel).toBeEnabled();
  await cancel.click();
  await expect(send).toBeFocused();
});

test('prices of many rows change from what their dialog shows, and one that was changed meanwhile is left and named @long', async ({
  desk,
  clinic,
}) => {
  const name = `Frozen ${Date.now()}`;
  const [first, second] = [
    await addService(clinic, { name: `${name} A` }),
    await addService(clinic, { name: `${name} B` }),
  ];
  const { page } = await desk('manager', '/services');
  await page.getByRole('searchbox', { name: 'Search services' }).fill(name);
  for (const each of [first, second])
    await page.getByRole('row').filter({ hasText: each.name }).getByRole('checkbox').check();
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('By percent').fill('10');
  await clinic.api(`/products/${second.id}`, { price: 80 }, 'PUT');
  // The list behind the dialog hears of it, a minute after its last answer, and the dialog still shows what it was opened with.
  const listed = page.getByRole('row', { includeHidden: true }).filter({ hasText: second.name });
  const readAgain = async () => {
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    return listed.textContent();
  };
  await expect.poll(readAgain, { timeout: 90_000, intervals: [2000] }).toContain('EUR 80,00');
  await expect(dialog.getByRole('listitem').filter({ hasText: second.name })).toContainText('EUR 50,00');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const left = page.getByRole('dialog').filter({ hasText: second.name });
  await expect(left).toContainText(/Price: EUR 50,00 →\s*is now EUR 80,00/);
  const priceOf = async (id: number) => (await clinic.api<{ data: ProductResource }>(`/products/${id}`)).data.price;
  expect([await priceOf(first.id), await priceOf(second.id)]).toEqual([55, 80]);
});
