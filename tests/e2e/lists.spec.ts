/** What every list of the back office does, shown once by tables, and what is done with many rows. */
import type { Page } from '@playwright/test';
import type { CategoryResource, StockResource } from '#domain/stock/resources.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { expect, test } from './desk.ts';
import { actionsOf } from './elements.ts';
import { addItem } from './stock-elements.ts';

const rows = (page: Page) => page.locator('tbody tr');
/** What the rows say, in their order. */
const rowTexts = (page: Page) => rows(page).allInnerTexts();
const viewMenu = (page: Page) => page.getByRole('button', { name: 'View', exact: true });

/** Each list with a column that the server sorts by, and one that can be hidden. */
const lists = {
  expenses: { path: 'expenses', sort: 'Amount', key: 'amount', hide: 'Category' },
  supplies: { path: 'stock?tab=inventory', sort: 'Cost per unit', key: 'cost_per_unit', hide: 'Threshold' },
  services: { path: 'services', sort: 'Price', key: 'price', hide: 'Favourite' },
  categories: { path: 'services?tab=categories', sort: 'Created', key: 'created_at', hide: 'Updated' },
  'purchase orders': { path: 'purchase-orders', sort: 'Vendor', key: 'vendor', hide: 'Total' },
  staff: { path: 'staff', sort: 'Role', key: 'role', hide: 'Joined' },
};

for (const [name, { path, sort, key, hide }] of Object.entries(lists))
  test(`${name}: the address keeps order and search, a message takes the place of nothing, and a column gives way${name === 'expenses' ? '' : ' @long'}`, async ({
    desk,
  }) => {
    const { page, context } = await desk('admin', `/admin/${path}`);
    const head = page.getByRole('columnheader', { name: sort });
    await expect(rows(page).first()).toBeVisible();
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    const sorted = page.waitForResponse(/order=desc/);
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(page).toHaveURL(new RegExp(`sort=-${key}`));
    await (await sorted).finished();
    // The rows of the reply take the place of the former ones within the next frames.
    await page.waitForTimeout(100);
    const order = await rowTexts(page);
    await page.reload();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect.poll(() => rowTexts(page)).toEqual(order);

    await page.getByRole('searchbox').fill('nothing has this name');
    await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
    await expect(page).toHaveURL(/q=nothing\+has/);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(rows(page).first()).toBeVisible();
    await expect(page).not.toHaveURL(/q=/);

    const hidden = page.getByRole('columnheader', { name: hide });
    await expect(hidden).toBeVisible();
    await viewMenu(page).click();
    await page.getByRole('checkbox', { name: hide, exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await expect(hidden).toHaveCount(0);
    await page.reload();
    await expect(rows(page).first()).toBeVisible();
    await expect(hidden).toHaveCount(0);
    await viewMenu(page).click();
    await page.getByRole('checkbox', { name: hide, exact: true }).check();

    // Whoever never loaded the list, and cannot, is told so.
    await context.route(/\/api\/(expenses|stock|services|categories|purchase-orders|users)\?/, (route) =>
      route.abort(),
    );
    await page.getByRole('searchbox').fill('never asked before');
    await expect(page.getByText('The server did not answer')).toBeVisible({ timeout: 15_000 });
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await context.unrouteAll();
  });

test('a list begins with the page size that its reader chose last @long', async ({ desk }) => {
  const inventory = '/admin/stock?tab=inventory';
  const { page } = await desk('admin', inventory);
  const size = page.getByLabel('Results per page');
  await expect(rows(page)).toHaveCount(10);
  await size.selectOption('20');
  await expect(rows(page)).toHaveCount(20);
  await page.goto(inventory);
  await expect(rows(page)).toHaveCount(20);
  await expect(page).not.toHaveURL(/rows=/);
  // Another list has its own, and an address leads to what it says.
  await page.goto('/admin/stock?tab=transactions');
  await expect(rows(page)).toHaveCount(10);
  await page.goto(`${inventory}&rows=5`);
  await expect(rows(page)).toHaveCount(5);
  await size.selectOption('10');
  await page.goto(inventory);
  await expect(rows(page)).toHaveCount(10);
});

test('filters are saved under a name, for one person on this device, and a link or the way back brings its own @long', async ({
  desk,
}) => {
  const { page } = await desk('admin', '/admin/expenses');
  await page.getByLabel('Status').selectOption('Rejected');
  await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
  await viewMenu(page).click();
  await page.getByLabel('Name for these filters').fill('Turned down');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.getByRole('button', { name: 'Turned down', exact: true });
  await expect(saved).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Status')).toHaveValue('all');

  await page.goto('/admin/expenses?status=pending&sort=nonsense&page=x');
  await expect(page.getByLabel('Status')).toHaveValue('pending');
  await expect(page.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'descending');
  await viewMenu(page).click();
  await saved.click();
  await expect(page.getByLabel('Status')).toHaveValue('rejected');
  await expect(page).toHaveURL(/status=rejected/);
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Rooms', level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Status')).toHaveValue('rejected');
  await viewMenu(page).click();
  await page.getByRole('button', { name: 'Delete the filter Turned down' }).click();
  await expect(saved).toHaveCount(0);
});

test('names are in the order in which people count @long', async ({ desk, clinic }) => {
  const prefix = `Implant ${Date.now()}`;
  for (const size of ['10 mm', '2 mm', '1 mm']) await clinic.api('/stock', { ...blank, name: `${prefix}, ${size}` });
  const { page } = await desk('manager', `/stock?tab=inventory&q=${encodeURIComponent(prefix)}`);
  await expect(rows(page)).toHaveCount(3);
  expect((await rows(page).allInnerTexts()).map((text) => /, (\d+) mm/.exec(text)?.[1])).toEqual(['1', '2', '10']);
});

const blank = {
  unit: 'pcs',
  supplier: 'Composa',
  supplier_contact: 'x',
  quantity: 1,
  low_stock_threshold: 0,
  cost_per_unit: 1,
};

/** Creates three supplies that one search finds. */
async function threeItems(clinic: ServerProcess): Promise<{ prefix: string; items: StockResource[] }> {
  const prefix = `Bulk ${Date.now()}`;
  const items: StockResource[] = [];
  for (const [index, cost] of [1.05, 10, 12.34].entries())
    items.push(await addItem(clinic, `${prefix} ${index}`, { cost_per_unit: cost, is_available: true }));
  return { prefix, items };
}

const now = async (clinic: ServerProcess, items: readonly StockResource[]) =>
  Promise.all(items.map(async ({ id }) => (await clinic.api<{ data: StockResource }>(`/stock/${id}`)).data));

test('the keyboard moves, selects, opens and clears', async ({ desk, clinic }) => {
  const { prefix, items } = await threeItems(clinic);
  const { page } = await desk('manager', `/stock?tab=inventory&q=${encodeURIComponent(prefix)}`);
  await expect(rows(page)).toHaveCount(3);
  // The rows are one stop of the Tab key, after the heads.
  await page.getByRole('columnheader', { name: 'Cost per unit' }).getByRole('button').focus();
  await page.keyboard.press('Tab');
  await expect(rows(page).first()).toBeFocused();
  const outline = await rows(page)
    .first()
    .evaluate((row) => getComputedStyle(row).outlineStyle);
  expect(outline).toBe('solid');
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(rows(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('region', { name: 'Selected rows' })).toContainText('2 selected');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(2)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Selected rows' })).toHaveCount(0);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.locator('dialog[open]').getByLabel('Name', { exact: true })).toHaveValue(items[0]!.name);
  await page.keyboard.press('Escape');
  // Under an open dialog nothing takes the focus.
  await expect(page.locator('dialog[open]')).toHaveCount(0);
  await expect(rows(page).first()).toBeFocused();

  // The menu of a row, by keys as well.
  const dots = page.getByRole('button', { name: `Actions for ${items[0]!.name}` });
  await dots.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  // It belongs to the page for those who go by landmarks.
  await expect(page.getByRole('main').getByRole('menuitem', { name: 'Edit' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dots).toBeFocused();
});

test('prices of several rows rise by percent, each rounded to the cent, and Undo sets them back', async ({
  desk,
  clinic,
}) => {
  const { prefix, items } = await threeItems(clinic);
  const { page } = await desk('manager', `/stock?tab=inventory&q=${encodeURIComponent(prefix)}`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Price', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Prices of 3 rows' });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(dialog.getByText('Enter a percentage above 0')).toBeVisible();
  await dialog.getByLabel('By percent').fill('10');
  await expect(dialog.getByRole('list', { name: 'New prices' })).toContainText('EUR 1,16');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('3 rows changed')).toBeVisible();
  expect((await now(clinic, items)).map(({ cost_per_unit }) => cost_per_unit)).toEqual([1.16, 11, 13.57]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Taken back')).toBeVisible();
  expect((await now(clinic, items)).map(({ cost_per_unit }) => cost_per_unit)).toEqual([1.05, 10, 12.34]);
});

test('a change of prices whose replies are lost is tried again without being done twice', async ({ desk, clinic }) => {
  const { prefix, items } = await threeItems(clinic);
  const { page, context } = await desk('manager', `/stock?tab=inventory&q=${encodeURIComponent(prefix)}`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Price', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Prices of 3 rows' });
  await dialog.getByLabel('By percent').fill('10');
  const keys: string[] = [];
  await context.route(/\/api\/stock\/\d+$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    keys.push((await route.request().allHeaders())['idempotency-key']!);
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const report = page.getByRole('dialog', { name: 'Not everything was changed' });
  await expect(report.getByText('may have been done or not').first()).toBeVisible();
  await context.unrouteAll();
  const raised = (await now(clinic, items)).map(({ cost_per_unit }) => cost_per_unit);
  expect(raised).toEqual([1.16, 11, 13.57]);
  expect(new Set(keys).size).toBe(3);
  // Meanwhile somebody gives one of them another price, which a second change would undo.
  await clinic.api(`/stock/${items[0]!.id}`, { cost_per_unit: 50 }, 'PUT');
  await report.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('3 rows changed')).toBeVisible();
  expect((await now(clinic, items)).map(({ cost_per_unit }) => cost_per_unit)).toEqual([50, 11, 13.57]);
});

for (const [device, size] of Object.entries({
  'on a phone': { width: 390, height: 844 },
  'on a tablet with the sidebar open': { width: 1180, height: 820 },
  'below tabs in a wide window': { width: 1440, height: 500 },
}))
  test(`what is done with selected rows stays in view ${device}${device === 'on a phone' ? '' : ' @long'}`, async ({
    desk,
  }) => {
    const { page } = await desk('manager', '/stock?tab=inventory&rows=50');
    await page.setViewportSize(size);
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ }).filter({ visible: true });
    await boxes.first().check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await expect(bar).toBeInViewport();
    await page.locator('main').evaluate((main) => (main.scrollTop = main.scrollHeight));
    await expect(boxes.last()).toBeInViewport();
    await expect(bar).toBeInViewport({ ratio: 1 });
    await boxes.last().check();
    await expect(bar).toContainText('2 selected');
  });

test('an empty list counts nothing @long', async ({ desk }) => {
  const { page } = await desk('manager', '/expenses?q=nothing+has+this+name');
  await expect(page.getByRole('button', { name: 'Show all' })).toBeVisible();
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
});

test('several rows change availability and category, and are deleted and brought back; those that fail are named @long', async ({
  desk,
  clinic,
}) => {
  const { prefix, items } = await threeItems(clinic);
  // A service needs the second: it cannot be deleted.
  await clinic.api('/products', {
    name: `Kit ${prefix}`,
    price: 5,
    ingredients: [{ ingredient_id: items[1]!.id, quantity_required: 1 }],
  });
  const { data: category } = await clinic.api<{ data: CategoryResource }>('/categories', { name: `Group ${prefix}` });
  const { page } = await desk('manager', `/stock?tab=inventory&q=${encodeURIComponent(prefix)}`);
  await expect(rows(page)).toHaveCount(3);
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  await all.check();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect
    .poll(async () => (await now(clinic, items)).map((item) => item.is_available))
    .toEqual([false, false, false]);
  await page.getByRole('button', { name: 'Category', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Category').selectOption(category.name);
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect
    .poll(async () => (await now(clinic, items)).map((item) => item.category_id))
    .toEqual([category.id, category.id, category.id]);

  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete 3 rows?' }).getByRole('button', { name: 'Delete' }).click();
  const report = page.getByRole('dialog', { name: 'Delete stock item' });
  await expect(report).toContainText(items[1]!.name);
  await expect(report).toContainText('ingredient of a service');
  await report.getByRole('button', { name: 'Close' }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(rows(page)).toHaveCount(3);
  const back = await now(clinic, items);
  expect(back.map(({ name, quantity }) => [name, quantity])).toEqual(
    items.map(({ name, quantity }) => [name, quantity]),
  );
  expect(await actionsOf(page, items[0]!.name)).toEqual(['Edit', 'Delete']);
});

test('column heads never touch each other on a tablet with the sidebar open @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/staff');
  await page.setViewportSize({ width: 1180, height: 820 });
  for (const { path } of Object.values(lists)) {
    await page.goto(`/admin/${path}`);
    await expect(rows(page).first()).toBeVisible();
    // Between the heads there is what the signs of their order leave.
    const touching = await page.locator('thead').evaluate((head) => {
      const places = [...head.querySelectorAll('th')].flatMap((cell) => {
        const text = cell.textContent.trim();
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector('button > span') ?? cell);
        const { left, right } = range.getBoundingClientRect();
        return cell.checkVisibility() && text !== '' && right - left > 1 ? [{ text, left, right }] : [];
      });
      return places
        .filter(({ left }, index) => index > 0 && left < places[index - 1]!.right + 2)
        .map(({ text, left }, index) => `${text} at ${left}, after ${places[index]!.right}`);
    });
    expect(touching, path).toEqual([]);
  }
});
