import type { StockResource, StockTransactionResource } from '#domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { expect, test } from './desk.ts';
import { chooseAction } from './elements.ts';
import { addItem, choosePicture, fillNewItem, itemField, newItem, picture, sellItem } from './stock-elements.ts';

const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

async function stocks(clinic: ServerProcess, search: string): Promise<StockResource[]> {
  return (await clinic.api<{ stocks: StockResource[] }>(`/stock?search=${encodeURIComponent(search)}`)).stocks;
}

test('the form names the problem of each field @long', async ({ desk }) => {
  const { page } = await desk('manager', newItem);
  await itemField(page, 'Unit').selectOption('');
  for (const name of ['Quantity', 'Reserved quantity', 'Low stock threshold', 'Cost per unit'])
    await itemField(page, name).fill('-1');
  await page.getByRole('button', { name: 'Create stock item' }).click();
  await expect(itemField(page, 'Name')).toBeFocused();
  for (const [name, problem] of Object.entries({
    Name: 'Name is required',
    Unit: 'Unit is required',
    Supplier: 'Supplier is required',
    'Supplier contact': 'Supplier contact is required',
    Quantity: 'Quantity must be 0 or greater',
    'Reserved quantity': 'Reserved quantity must be 0 or greater',
    'Low stock threshold': 'Low stock threshold must be 0 or greater',
    'Cost per unit': 'Cost per unit must be 0 or greater',
  }))
    await expect(itemField(page, name)).toHaveAccessibleDescription(problem);
});

test('an item is created with a picture, found, edited and deleted, but not while a service needs it', async ({
  desk,
  clinic,
}) => {
  const { page } = await desk('manager', '/stock?tab=inventory');
  await page.getByRole('button', { name: 'Add Stock Item' }).click();
  await fillNewItem(page, 'Zirconia block');
  await itemField(page, 'Unit').selectOption('kg');
  await itemField(page, 'Quantity').fill('2.5');
  await itemField(page, 'Low stock threshold').fill('1');
  await itemField(page, 'Cost per unit').fill('12.40');
  await itemField(page, 'Category').selectOption({ index: 1 });
  await choosePicture(page);
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

  await chooseAction(row, 'Zirconia block', 'Edit');
  await expect(itemField(page, 'Quantity')).toHaveValue('2,5');
  await itemField(page, 'Quantity').fill('0.75');
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

  await chooseAction(row, 'Zirconia block', 'Delete');
  await expect(page.getByRole('dialog')).toContainText('Zirconia block');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Zirconia block was deleted')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await stocks(clinic, 'Zirconia block')).toEqual([]);

  const { data: products } = await clinic.api<{ data: { ingredients: { ingredient_id: number }[] }[] }>('/products');
  const id = products.flatMap(({ ingredients }) => ingredients)[0]!.ingredient_id;
  const { data: needed } = await clinic.api<{ data: StockResource }>(`/stock/${id}`);
  await page.getByLabel('Search stock').fill(needed.name);
  await chooseAction(page, needed.name, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('This item is an ingredient of a service. Remove it there first.')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: needed.name })).toBeVisible();
});

test('SYNC-10 an edit without a new quantity keeps the usage of a sale made meanwhile', async ({ desk, clinic }) => {
  const { id, name, quantity } = await addItem(clinic, 'Edited floss');
  const { page } = await desk('manager', `/stock?tab=inventory&item=${id}`);
  await itemField(page, 'Supplier contact').fill('front desk');
  await sellItem(clinic, id, 1);
  expect((await stocks(clinic, name))[0]!.quantity).toBe(quantity - 1);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText(`${name} was updated`)).toBeVisible();
  expect((await stocks(clinic, name))[0]).toMatchObject({ quantity: quantity - 1, supplier_contact: 'front desk' });
  const { transactions } = await clinic.api<{ transactions: StockTransactionResource[] }>(
    `/stock/inventory/transactions?stock_id=${id}&per_page=1`,
  );
  expect(transactions[0]).toMatchObject({ transaction_type: 'usage' });
});

test('a file that is too large, is no picture or gets no address is refused, and the form keeps its values @long', async ({
  desk,
  clinic,
}) => {
  const { page, context } = await desk('manager', newItem);
  const name = `Pictured item ${Date.now()}`;
  await fillNewItem(page, name);
  const input = page.locator('input[type=file]');
  const create = page.getByRole('button', { name: 'Create stock item' });

  await input.setInputFiles({ name: 'scan.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
  await expect(page.getByRole('alert').filter({ hasText: 'The file is larger than 10 MB.' })).toBeVisible();
  await input.setInputFiles({ name: 'scan.webp', mimeType: 'image/webp', buffer: picture });
  await expect(page.getByRole('alert').filter({ hasText: 'This kind of file is not accepted.' })).toBeVisible();

  // The browser checks the file's name, the server its content.
  await input.setInputFiles({ name: 'drawing.png', mimeType: 'image/png', buffer: drawing });
  await expect(page.getByText('drawing.png')).toBeVisible();
  await create.click();
  await expect(page.getByText('Image upload')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'This kind of file is not accepted.' })).toBeVisible();
  await expect(itemField(page, 'Name')).toHaveValue(name);
  await expect(itemField(page, 'Supplier contact')).toHaveValue('orders@composa.test');

  await context.route('**/api/upload/file', (route) => route.fulfill({ json: { success: true, data: {} } }));
  await choosePicture(page);
  await create.click();
  await expect(page.getByText('Upload failed - no image URL returned').first()).toBeVisible();
  expect(await stocks(clinic, name)).toEqual([]);

  await page.getByRole('button', { name: 'Remove' }).click();
  await create.click();
  await expect(page.getByText(`${name} was created`)).toBeVisible();
  expect((await stocks(clinic, name))[0]).toMatchObject({ image_url: null });
});
