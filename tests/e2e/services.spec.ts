import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { CategoryResource, ProductResource, StockResource, StockStats } from '#domain/stock/resources.ts';
import { palette } from '#domain/stock/palette.ts';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { actionsOf, chooseAction } from './elements.ts';
import { addItem } from './stock-elements.ts';

const services = '/services';
/** A name that no other test and no repetition uses. */
const unique = (name: string) => `${name} ${Date.now()}`;

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});
const dialog = (page: Page) => page.getByRole('dialog');

test.describe('categories', () => {
  test('a new category shows in its colour on another tablet @long', async ({ desk }) => {
    const counter = await desk('counter', '/');
    const { page } = await desk('manager', '/services?tab=categories');
    const name = unique('Sedation');
    await page.getByRole('button', { name: 'Add Category' }).click();
    await expect(dialog(page)).toContainText('Create New Category');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Description').fill('For the anxious');
    await page.getByRole('radio', { name: 'Orange' }).check({ force: true });
    await page.getByRole('button', { name: 'Create Category' }).click();
    await expect(page.getByText(`${name} was created`)).toBeVisible();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('For the anxious');

    const chip = counter.page.getByRole('button', { name });
    await expect(chip).toBeVisible({ timeout: 30_000 });
    const { orange } = palette;
    const rgb = [1, 3, 5].map((at) => parseInt(orange.slice(at, at + 2), 16)).join(', ');
    await expect(chip.locator('span')).toHaveCSS('background-color', `rgb(${rgb})`);
    // The chip lies outside the window and must scroll into view.
    await chip.click();
    await expect(chip).toHaveAttribute('aria-pressed', 'true');
  });

  test('the form refuses a short and a taken name; an edited category is sorted and searched by its new name, and deleted after a confirmation @long', async ({
    desk,
    clinic,
  }) => {
    const old = unique('Orthodontics');
    const name = unique('Zest');
    await clinic.api('/categories', { name: old });
    const { page } = await desk('manager', '/services?tab=categories');
    await page.getByRole('button', { name: 'Add Category' }).click();
    await page.getByLabel('Name', { exact: true }).fill('S');
    await page.getByRole('button', { name: 'Create Category' }).click();
    await expect(page.getByText('Category name must be at least 2 characters')).toBeVisible();
    await page.getByLabel('Name', { exact: true }).fill('endodóntics');
    await page.getByRole('button', { name: 'Create Category' }).click();
    await expect(page.getByText('A category with this name already exists.')).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('endodóntics');
    await page.keyboard.press('Escape');

    await chooseAction(page, old, 'Edit');
    await expect(dialog(page)).toContainText('Edit Category');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Update Category' }).click();
    await expect(page.getByText(`${name} was updated`)).toBeVisible();
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect(page.getByRole('row').nth(1)).toContainText(name);
    await page.getByRole('searchbox', { name: 'Search categories' }).fill(name.toLowerCase());
    await expect(page.getByRole('row')).toHaveCount(2);
    await chooseAction(page, name, 'Delete');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible();
    await chooseAction(page, name, 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`${name} was deleted`)).toBeVisible();
    await expect(page.getByText('No category matches this search.')).toBeVisible();
    const { data } = await clinic.api<{ data: CategoryResource[] }>('/categories');
    expect(data.map((category) => category.name)).not.toContain(name);
  });
});

test.describe('services', () => {
  test('a service with ingredients is created, offered, withdrawn and deleted @long', async ({ desk, clinic }) => {
    const { page } = await desk('manager', services);
    const counter = await desk('counter', '/');
    const name = unique('Whitening kit');
    await page.getByRole('button', { name: 'Add service' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Price', { exact: true }).fill('24.5');
    await page.getByLabel('Category').last().selectOption('Home care');
    const picker = page.getByRole('combobox', { name: 'Add ingredient' });
    await picker.fill('mouthw');
    await page.getByRole('option', { name: /Mouthwash/ }).click();
    await picker.fill('SOFT');
    await page.getByRole('option', { name: /Soft toothbrush/ }).waitFor();
    await picker.press('Enter');
    await page.getByLabel('Quantity of Soft toothbrush').fill('2');
    await expect(dialog(page)).toContainText('EUR 14,70 of a price of EUR 24,50');
    await page.getByRole('button', { name: 'Create service' }).click();
    await expect(page.getByText(`${name} was created`)).toBeVisible();
    await expect(dialog(page)).toHaveCount(0);
    const { data } = await clinic.api<{ data: ProductResource[] }>(`/products?search=${name}`);
    expect(data[0]).toMatchObject({ price: 24.5, is_available: true });
    expect(data[0]!.ingredients.map(({ quantity_required }) => quantity_required).toSorted((a, b) => a - b)).toEqual([
      1, 2,
    ]);

    await counter.page.getByRole('searchbox').fill(name.toLowerCase());
    await expect(counter.service(name)).toBeVisible({ timeout: 30_000 });
    await page.getByRole('searchbox', { name: 'Search services' }).fill(name.toLowerCase());
    await page.getByRole('switch', { name: `${name} is available at the counter` }).click();
    await expect(page.getByText(`${name} is no longer offered`)).toBeVisible();
    await expect(counter.service(name)).toHaveCount(0, { timeout: 30_000 });

    await chooseAction(page, name, 'Delete');
    await expect(dialog(page)).toContainText(`${name} will no longer be offered`);
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(`${name} was deleted`)).toBeVisible();
  });

  test('one list has services, supplies that are sold and products; inventory and stock value have supplies only @long', async ({
    desk,
    clinic,
  }) => {
    const { page } = await desk('manager', services);
    await expect(page.getByRole('heading', { name: 'Services', level: 1 })).toBeVisible();
    const search = page.getByRole('searchbox', { name: 'Search services' });
    await search.fill('tooth');
    await expect(page.getByRole('row', { name: /Soft toothbrush/ })).toContainText('In stock: ');
    expect(await actionsOf(page.getByRole('row', { name: /Soft toothbrush/ }), 'Soft toothbrush')).toEqual(['Edit']);
    await search.fill('clean');
    await expect(page.getByRole('row', { name: /Dental cleaning/ })).toContainText('EUR 60,00');
    await search.fill('kit');
    await expect(page.getByRole('row', { name: /Home care kit/ })).toContainText('EUR 10,90');
    await search.fill('');
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Clinical supplies');
    await expect(page.getByText('No service fits this search and these filters.')).toBeVisible();

    await page.goto('/stock?tab=inventory');
    await page.getByLabel('Search stock').fill('clean');
    await expect(page.getByRole('row', { name: /Denture cleaning tablets/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Dental cleaning/ })).toHaveCount(0);
    const { data } = await clinic.api<{ data: StockStats }>('/stock/stats');
    expect(data.totalValue).toBeLessThan(20_000);
    expect(data.topSuppliers.map(({ supplier }) => supplier)).not.toContain('In house');
  });

  test('a price changes where it stands, and the counter of another tablet asks the new one', async ({
    desk,
    clinic,
  }) => {
    const made = await addItem(clinic, 'Pulp vitality test', { cost_per_unit: 18, is_stocked: false });
    const counter = await desk('counter', '/');
    await counter.page.getByRole('searchbox').fill(made.name);
    await expect(counter.service(made.name)).toContainText('EUR 18,00', { timeout: 30_000 });
    const { page } = await desk('manager', services);
    await page.getByRole('searchbox', { name: 'Search services' }).fill(made.name);
    const price = () => page.getByRole('button', { name: `Change the price of ${made.name}` });
    await price().click();
    const field = page.getByLabel(`New price of ${made.name}`);
    await field.fill('0');
    await expect(page.getByRole('button', { name: `Save the price of ${made.name}` })).toBeDisabled();
    await field.press('Escape');
    await expect(price()).toBeFocused();
    await expect(price()).toHaveText('EUR 18,00');
    await price().click();
    await expect(field).toHaveValue('18,00');
    await field.fill('20,5');
    await field.press('Enter');
    await expect(page.getByText(`${made.name} now costs EUR 20,50`)).toBeVisible();
    await expect(price()).toHaveText('EUR 20,50');
    await expect(counter.service(made.name)).toContainText('EUR 20,50', { timeout: 30_000 });
    const star = page.getByRole('button', { name: `${made.name} is a favourite` });
    await star.click();
    await expect(star).toHaveAttribute('aria-pressed', 'true');
    await expect
      .poll(async () => (await clinic.api<{ data: StockResource }>(`/stock/${made.id}`)).data)
      .toMatchObject({ cost_per_unit: 20.5, is_favourite: true, quantity: 0 });
  });

  test('a service is edited without stock fields, and becomes a supply through its stock details @long', async ({
    desk,
    clinic,
  }) => {
    const { data: made } = await clinic.api<{ data: StockResource }>('/stock', {
      name: unique('Night guard'),
      cost_per_unit: 150,
      is_stocked: false,
    });
    const { page } = await desk('manager', `${services}?sold=${made.id}`);
    await expect(page.getByLabel('Price', { exact: true })).toHaveValue('150,00');
    await expect(page.getByRole('textbox', { name: 'Supplier', exact: true })).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Needs preparation' }).uncheck();
    await page.getByRole('button', { name: 'Update service' }).click();
    await expect(page.getByText(`${made.name} was updated`)).toBeVisible();
    const now = async () => (await clinic.api<{ data: StockResource }>(`/stock/${made.id}`)).data;
    expect(await now()).toMatchObject({ needs_preparation: false, is_stocked: false, cost_per_unit: 150 });
    await page.goto(`${services}?sold=${made.id}`);
    await page.getByRole('button', { name: 'Stock details' }).click();
    await expect(page.getByLabel('Low stock threshold')).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Kept in stock' }).check();
    await page.getByRole('textbox', { name: 'Supplier', exact: true }).fill('Ortolab');
    await page.getByLabel('Supplier contact').fill('lab@ortolab.test');
    await page.getByLabel('Low stock threshold').fill('1');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${made.name} was updated`).first()).toBeVisible();
    expect(await now()).toMatchObject({ is_stocked: true, supplier: 'Ortolab', low_stock_threshold: 1 });
  });

  test('the form names the problem of each field, and keeps its values after a reload @long', async ({ desk }) => {
    const { page } = await desk('manager', `${services}?service=new`);
    await page.getByLabel('Name', { exact: true }).fill('W');
    await page.getByRole('combobox', { name: 'Add ingredient' }).fill('mouthw');
    await page.getByRole('option', { name: /Mouthwash/ }).click();
    await page.getByLabel('Quantity of Mouthwash 500 ml').fill('-1');
    const create = page.getByRole('button', { name: 'Create service' });
    const problems = [
      'Product name must be at least 2 characters',
      'Price must be greater than 0',
      'Quantity must be 0 or greater',
    ];
    await create.click();
    for (const problem of problems) await expect(page.getByText(problem)).toBeVisible();
    await page.waitForTimeout(draftSavedMs);
    await page.reload();
    await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
    await create.click();
    for (const problem of problems) await expect(page.getByText(problem)).toBeVisible();
  });
});

test.describe('CSV files', () => {
  test('an import names the wrong column, then the wrong line, and imports a correct file', async ({
    desk,
    clinic,
  }) => {
    const { page } = await desk('manager', '/stock?tab=inventory');
    const bonding = await addItem(clinic, 'Bonding agent');
    const rubber = unique('Rubber dam');
    const stock = async () => (await clinic.api<{ stocks: StockResource[] }>('/stock')).stocks;
    const before = await stock();
    await page.getByRole('button', { name: 'Import' }).click();
    const file = page.getByLabel('CSV file');
    const header = 'name,supplier,supplier_contact,unit,quantity,cost_per_unit';

    await file.setInputFiles(csv('things.csv', `${header},colour`, 'Floss,Oralia,x,pcs,1,2,red'));
    await expect(page.getByText('Unknown column “colour”.')).toBeVisible();
    await file.setInputFiles(csv('things.csv', 'name,supplier', 'Floss,Oralia'));
    await expect(page.getByText('The column “supplier_contact” is missing.')).toBeVisible();
    await file.setInputFiles(csv('things.xlsx', 'PK'));
    await expect(page.getByText('This is not a CSV file.')).toBeVisible();
    await file.setInputFiles(csv('things.csv', 'x'.repeat(2 * 1024 * 1024 + 1)));
    await expect(page.getByText('The file is larger than 2 MB.')).toBeVisible();

    await file.setInputFiles(
      csv('things.csv', header, `${rubber},Oralia,x,boxes,4,12.50`, 'Wedges,Oralia,x,boxes,many,3'),
    );
    await expect(page.getByText('1 error', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Errors by line')).toContainText('quantity: Enter a number');
    await expect(page.getByLabel('Errors by line')).toContainText('Line 3');
    await expect(page.getByRole('button', { name: /Import \d+ row/ })).toHaveCount(0);

    await page.getByRole('button', { name: 'Choose another' }).click();
    await file.setInputFiles(
      csv(
        'things.csv',
        header,
        `${rubber},Oralia,x,boxes,4,12.50`,
        `${bonding.name},Composa,new@composa.test,bottles,${bonding.quantity},${bonding.cost_per_unit}`,
      ),
    );
    await expect(page.getByLabel('What would change')).toContainText(rubber);
    await expect(page.getByLabel('What would change')).toContainText('cost_per_unit: 12,50');
    await expect(page.getByLabel('What would change')).toContainText(/supplier_contact: .+ → new@composa.test/);
    expect(await stock()).toHaveLength(before.length);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await expect(page.getByText('The table was imported')).toBeVisible();
    const after = await stock();
    expect(after).toHaveLength(before.length + 1);
    expect(after.find(({ name }) => name === rubber)).toMatchObject({
      quantity: 4,
      cost_per_unit: 12.5,
      unit: 'boxes',
    });
    expect(after.find(({ name }) => name === bonding.name)).toMatchObject({
      supplier_contact: 'new@composa.test',
      quantity: bonding.quantity,
    });
  });

  test('an exported file imports without changes @long', async ({ desk }) => {
    const { page } = await desk('manager', services);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('products.csv');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('CSV file').setInputFiles(csv('products.csv', await readFile(await download.path(), 'utf8')));
    await expect(page.getByText('There is nothing to import.')).toBeVisible();
  });
});
