import type { Page } from '@playwright/test';
import type { StockResource, StockTransactionResource } from '../../domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { draftSavedMs } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const field = (page: Page, name: string) => page.locator('dialog[open]').getByLabel(name, { exact: true });

async function openForm(tablet: Tablet, item: number | 'new' = 'new'): Promise<void> {
  await tablet.page.goto(`/stock?tab=inventory&item=${item}`);
  await expect(tablet.page.locator('dialog[open] form')).toBeVisible();
}

/** Fills in the required fields of a new item. */
async function fillNewItem(page: Page, name: string): Promise<void> {
  await field(page, 'Name').fill(name);
  await field(page, 'Supplier').fill('Composa');
  await field(page, 'Supplier contact').fill('orders@composa.test');
}

async function stocks(clinic: ServerProcess, search: string): Promise<StockResource[]> {
  return (await clinic.api<{ stocks: StockResource[] }>(`/stock?search=${encodeURIComponent(search)}`)).stocks;
}

const sentences = {
  en: {
    labels: {
      name: 'Name',
      unit: 'Unit',
      supplier: 'Supplier',
      contact: 'Supplier contact',
      quantity: 'Quantity',
      reserved: 'Reserved quantity',
      threshold: 'Low stock threshold',
      cost: 'Cost per unit',
    },
    create: 'Create stock item',
    problems: {
      name: 'Name is required',
      unit: 'Unit is required',
      supplier: 'Supplier is required',
      contact: 'Supplier contact is required',
      quantity: 'Quantity must be 0 or greater',
      reserved: 'Reserved quantity must be 0 or greater',
      threshold: 'Low stock threshold must be 0 or greater',
      cost: 'Cost per unit must be 0 or greater',
    },
  },
  sp: {
    labels: {
      name: 'Nombre',
      unit: 'Unidad',
      supplier: 'Proveedor',
      contact: 'Contacto del proveedor',
      quantity: 'Cantidad',
      reserved: 'Cantidad reservada',
      threshold: 'Umbral de stock bajo',
      cost: 'Coste por unidad',
    },
    create: 'Crear artículo',
    problems: {
      name: 'El nombre es obligatorio',
      unit: 'La unidad es obligatoria',
      supplier: 'El proveedor es obligatorio',
      contact: 'El contacto del proveedor es obligatorio',
      quantity: 'La cantidad debe ser 0 o mayor',
      reserved: 'La cantidad reservada debe ser 0 o mayor',
      threshold: 'El umbral de stock bajo debe ser 0 o mayor',
      cost: 'El coste por unidad debe ser 0 o mayor',
    },
  },
} as const;

for (const [language, { labels, create, problems }] of Object.entries(sentences)) {
  test(`the form names the problem of each field, in ${language}`, async ({ tablet }) => {
    const { page } = tablet;
    await tablet.signIn('manager');
    await tablet.useLanguage(language as keyof typeof sentences);
    await openForm(tablet);
    await field(page, labels.unit).selectOption('');
    for (const name of ['quantity', 'reserved', 'threshold', 'cost'] as const)
      await field(page, labels[name]).fill('-1');
    await page.getByRole('button', { name: create }).click();
    await expect(field(page, labels.name)).toBeFocused();
    for (const name of Object.keys(problems) as (keyof typeof problems)[]) {
      await expect(field(page, labels[name])).toHaveAccessibleDescription(problems[name]);
    }
  });
}

test('an item is created with a picture, found, edited and deleted', async ({ tablet }) => {
  const { page, clinic } = tablet;
  await tablet.signIn('manager');
  await page.goto('/stock?tab=inventory');
  await page.getByRole('button', { name: 'Add Stock Item' }).click();
  await fillNewItem(page, 'Zirconia block');
  await field(page, 'Unit').selectOption('kg');
  await field(page, 'Quantity').fill('2.5');
  await field(page, 'Low stock threshold').fill('1');
  await field(page, 'Cost per unit').fill('12.40');
  await field(page, 'Category').selectOption({ index: 1 });
  await page.locator('input[type=file]').setInputFiles({ name: 'block.png', mimeType: 'image/png', buffer: picture });
  await expect(page.getByRole('img', { name: 'block.png' })).toHaveAttribute('src', /^blob:/);
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page.getByText('Zirconia block was created')).toBeVisible();
  await expect(page.locator('dialog[open]')).toHaveCount(0);

  await page.getByLabel('Search stock').fill('zirc');
  const row = page.getByRole('row').filter({ hasText: 'Zirconia block' });
  await expect(row).toContainText('EUR 12,40');
  await expect(row).toContainText('In stock');
  await expect(row).toContainText('Never');
  await expect(row.getByRole('presentation')).toHaveAttribute('src', /^\/uploads\//);

  await row.getByRole('button', { name: 'Edit Zirconia block' }).click();
  await expect(field(page, 'Quantity')).toHaveValue('2,5');
  await field(page, 'Quantity').fill('0.75');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Zirconia block was updated')).toBeVisible();
  await expect(row).toContainText('Low stock');
  const [item] = await stocks(clinic, 'Zirconia block');
  expect(item).toMatchObject({
    quantity: 0.75,
    unit: 'kg',
    cost_per_unit: 12.4,
    image_url: expect.stringMatching(/^\/uploads\//),
  });

  await row.getByRole('button', { name: 'Delete Zirconia block' }).click();
  await expect(page.getByRole('dialog')).toContainText('Zirconia block');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Zirconia block was deleted')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await stocks(clinic, 'Zirconia block')).toEqual([]);
});

test('an item that is an ingredient of a service is not deleted, and a toast gives the reason', async ({ tablet }) => {
  const { page, clinic } = tablet;
  const { data: products } = await clinic.api<{ data: { ingredients: { ingredient_id: number }[] }[] }>('/products');
  const id = products.flatMap(({ ingredients }) => ingredients)[0]!.ingredient_id;
  const { data: item } = await clinic.api<{ data: StockResource }>(`/stock/${id}`);
  await tablet.signIn('manager');
  await page.goto('/stock?tab=inventory');
  await page.getByLabel('Search stock').fill(item.name);
  await page.getByRole('button', { name: `Delete ${item.name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('This item is an ingredient of a service. Remove it there first.')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: item.name })).toBeVisible();
});

test('SYNC-10 an edit without a new quantity keeps the usage of a sale made meanwhile', async ({
  tablet,
  newTablet,
}) => {
  const { page, clinic } = tablet;
  const [before] = await stocks(clinic, 'Dental floss');
  await tablet.signIn('manager');
  await openForm(tablet, before!.id);
  await field(page, 'Supplier contact').fill('front desk');
  const till = await newTablet();
  await till.signIn('counter');
  await till.sellForCash('Dental floss');
  await expect.poll(async () => (await stocks(clinic, 'Dental floss'))[0]!.quantity).toBe(before!.quantity - 1);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Dental floss was updated')).toBeVisible();
  expect((await stocks(clinic, 'Dental floss'))[0]).toMatchObject({
    quantity: before!.quantity - 1,
    supplier_contact: 'front desk',
  });
  const { transactions } = await clinic.api<{ transactions: StockTransactionResource[] }>(
    `/stock/inventory/transactions?stock_id=${before!.id}&per_page=1`,
  );
  expect(transactions[0]).toMatchObject({ transaction_type: 'usage' });
});

test('a file that is too large or no picture is refused, and the form keeps its values', async ({ tablet }) => {
  const { page, clinic } = tablet;
  await tablet.signIn('manager');
  await openForm(tablet);
  await fillNewItem(page, 'Pictured item');
  const input = page.locator('input[type=file]');

  await input.setInputFiles({ name: 'scan.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
  await expect(page.getByRole('alert').filter({ hasText: 'The file is larger than 10 MB.' })).toBeVisible();
  await input.setInputFiles({ name: 'scan.webp', mimeType: 'image/webp', buffer: picture });
  await expect(page.getByRole('alert').filter({ hasText: 'This kind of file is not accepted.' })).toBeVisible();

  // The browser checks the file's name, the server its content.
  await input.setInputFiles({ name: 'drawing.png', mimeType: 'image/png', buffer: drawing });
  await expect(page.getByText('drawing.png')).toBeVisible();
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page.getByText('Image upload')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'This kind of file is not accepted.' })).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Pictured item');
  await expect(field(page, 'Supplier contact')).toHaveValue('orders@composa.test');
  expect(await stocks(clinic, 'Pictured item')).toEqual([]);

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page.getByText('Pictured item was created')).toBeVisible();
  expect((await stocks(clinic, 'Pictured item'))[0]).toMatchObject({ image_url: null });
});

test('an item whose upload returns no address is not created', async ({ tablet }) => {
  const { page, clinic, context } = tablet;
  await tablet.signIn('manager');
  await context.route('**/api/upload/file', (route) => route.fulfill({ json: { success: true, data: {} } }));
  await openForm(tablet);
  await fillNewItem(page, 'Lost picture');
  await page.locator('input[type=file]').setInputFiles({ name: 'block.png', mimeType: 'image/png', buffer: picture });
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page.getByText('Upload failed - no image URL returned').first()).toBeVisible();
  expect(await stocks(clinic, 'Lost picture')).toEqual([]);
});

test('the form keeps its values and the picture after a reload and an expired session', async ({ tablet }) => {
  const { page, context } = tablet;
  await tablet.signIn('manager');
  await openForm(tablet);
  await fillNewItem(page, 'Half an item');
  await page.locator('input[type=file]').setInputFiles({ name: 'block.png', mimeType: 'image/png', buffer: picture });
  await expect(page.getByRole('img', { name: 'block.png' })).toBeVisible();
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Half an item');
  await expect(page.getByRole('img', { name: 'block.png' })).toBeVisible();

  await context.route('**/api/stock', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 401, json: { success: false, code: 'SESSION_EXPIRED', message: 'expired' } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page).toHaveURL(/\/login/);
  await context.unroute('**/api/stock');
  await tablet.signIn('manager');
  await openForm(tablet);
  await expect(field(page, 'Name')).toHaveValue('Half an item');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(field(page, 'Name')).toHaveValue('');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(field(page, 'Name')).toHaveValue('');
});

test('the stock shows its last data and their time while the server is down, and the form keeps its values', async ({
  newTablet,
  freshClinic,
}) => {
  const tablet = await newTablet(freshClinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/stock');
  await expect(page.getByText(/^\d+ in stock$/)).toBeVisible();
  await page.getByRole('tab', { name: 'All Stock' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Alginate' })).toBeVisible();
  await openForm(tablet);
  await fillNewItem(page, 'Offline item');
  await freshClinic.stop();
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(page.getByText('Please check your connection and try again.')).toBeVisible({ timeout: 15_000 });
  await expect(field(page, 'Name')).toHaveValue('Offline item');
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('row').filter({ hasText: 'Alginate' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText('The server cannot be reached')).toBeVisible();
  await expect(page.getByText(/This is how things stood on .*\d{4}.*\d:\d\d/)).toBeVisible();
  await page.getByRole('tab', { name: 'Dashboard' }).click();
  await expect(page.getByText(/^\d+ in stock$/)).toBeVisible({ timeout: 15_000 });

  await freshClinic.start();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('The server cannot be reached')).toHaveCount(0, { timeout: 30_000 });
});
