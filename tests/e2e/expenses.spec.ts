import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { businessDay } from '#domain/business-day.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { DrawerResource } from '#domain/drawer/resource.ts';
import type { ExpenseResource, ExpenseList } from '#domain/expense/resources.ts';
import { loseReplies } from '../support/lost-replies.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { closeDrawers } from './drawers.ts';
import { actionsOf, chooseAction, field, statCard } from './elements.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expect, test } from './desk.ts';

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f9e8f' } })
    .png()
    .toBuffer();

const repair = {
  description: 'For the front desk',
  amount: 12.4,
  category: 'other',
  expense_date: businessDay(Date.now(), defaultSettings.time_zone),
};

async function expensesNamed(clinic: ServerProcess, search: string): Promise<ExpenseResource[]> {
  return (await clinic.api<ExpenseList>(`/expenses?search=${encodeURIComponent(search)}`)).expenses;
}

/** Opens the form of a new expense and fills in the required fields. */
async function fillNewExpense(page: Page, title: string, amount = '12.40'): Promise<void> {
  await page.getByRole('button', { name: 'Add Expense' }).click();
  await expect(page.getByRole('heading', { name: 'Add expense' })).toBeVisible();
  await field(page, 'Title').fill(title);
  await field(page, 'Description').fill('For the front desk');
  await field(page, 'Amount').fill(amount);
}

test('the forms name the problem of each field @long', async ({ desk, clinic }) => {
  const title = `Handpiece repair ${Date.now()}`;
  await clinic.api('/expenses', { ...repair, title });
  const { page } = await desk('manager', '/expenses?expense=new');
  await field(page, 'Title').fill('ab');
  await field(page, 'Amount').fill('-1');
  await field(page, 'Date').fill('');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'receipt.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(page.getByRole('alert').filter({ hasText: 'This kind of file is not accepted.' })).toBeVisible();
  await page.getByRole('button', { name: 'Create expense' }).click();
  for (const [label, problem] of Object.entries({
    Title: 'Title must be at least 3 characters',
    Description: 'Description must be at least 3 characters',
    Amount: 'Amount must be 0 or greater',
    Date: 'This field is required',
  }))
    await expect(field(page, label)).toHaveAccessibleDescription(problem);

  await page.goto('/expenses');
  await chooseAction(row(page, title), title, 'Reject');
  const dialog = page.getByRole('dialog');
  for (const reason of ['', '  ', 'no']) {
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(
      'Rejection reason must be at least 3 characters',
    );
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect((await expensesNamed(clinic, title))[0]!.status).toBe('pending');
});

test('an expense is created with a receipt once the upload succeeds, is edited and approved, and can’t be changed after that', async ({
  desk,
  clinic,
}) => {
  const title = `New stools ${Date.now()}`;
  const { page, context } = await desk('manager', '/expenses');
  await fillNewExpense(page, title, '149.90');
  await expect(field(page, 'Category')).toHaveValue('other');
  await field(page, 'Category').selectOption('Equipment');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'stools.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') });
  await expect(page.getByText('stools.pdf')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('stools.pdf')).toHaveCount(0);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'stools.png', mimeType: 'image/png', buffer: await picture() });
  await expect(page.getByRole('img', { name: 'stools.png' })).toHaveAttribute('src', /^blob:/);

  // An upload that returns no address creates nothing.
  await context.route('**/api/upload/file', (route) => route.fulfill({ json: { success: true, data: {} } }));
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText('Upload failed - no receipt URL returned').first()).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue(title);
  expect(await expensesNamed(clinic, title)).toEqual([]);
  await context.unroute('**/api/upload/file');
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText(`${title} was created`)).toBeVisible();

  const made = row(page, title);
  await expect(made).toContainText('EUR 149,90');
  await expect(made).toContainText('Equipment');
  await expect(made).toContainText('Pending');
  await expect(made).toContainText('Not approved');
  await made.getByRole('button', { name: `View the receipt of ${title}` }).click();
  await expect(page.getByRole('img', { name: 'The receipt' })).toHaveAttribute('src', /^blob:/);
  expect(
    await page
      .getByRole('img', { name: 'The receipt' })
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(60);
  await page.getByRole('button', { name: 'Close' }).click();

  await chooseAction(made, title, 'Edit');
  await expect(page.getByRole('heading', { name: 'Edit expense' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Saved receipt' })).toBeVisible();
  await field(page, 'Amount').fill('139.90');
  await page.getByRole('button', { name: 'Update expense' }).click();
  await expect(page.getByText(`${title} was updated`)).toBeVisible();
  await expect(made).toContainText('EUR 139,90');

  await chooseAction(made, title, 'Approve');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText(`${title} was approved`)).toBeVisible();
  await expect(made).toContainText('Approved');
  const [expense] = await expensesNamed(clinic, title);
  expect(expense).toMatchObject({
    amount: 139.9,
    status: 'approved',
    receipt_url: expect.stringMatching(/^\/api\/uploads\//),
  });
  await expect(made).toContainText(expense!.Approver!.name);
  expect(await actionsOf(made, title)).toEqual(['Delete']);

  await page.goto(`/expenses?expense=${expense!.id}`);
  await expect(page.getByText('This expense has already been approved or rejected.')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await chooseAction(row(page, title), title, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`${title} was deleted`)).toBeVisible();
  await expect(row(page, title)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(made).toContainText('EUR 139,90');
});

test('a row opens all that is known of an expense, and what may be done with it', async ({ desk, clinic }) => {
  const title = `Compressor ${Date.now()}`;
  await clinic.api('/expenses', { ...repair, title, notes: 'The second one this year' });
  const { page } = await desk('manager', '/expenses');
  await row(page, title).getByText(title).first().click();
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog).toContainText('The second one this year');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  const asked = page.getByRole('dialog', { name: 'Reject expense' });
  await asked.getByLabel('Reason').fill('It is still under warranty');
  await asked.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText(`${title} was rejected`)).toBeVisible();
  await row(page, title).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('It is still under warranty');
  await expect(dialog.getByRole('button')).toHaveText(['Close']);
});

test('a rejected expense shows the reason, and a later approval is refused @long', async ({ desk, clinic }) => {
  const title = `Aquarium ${Date.now()}`;
  await clinic.api('/expenses', { ...repair, title });
  const { page } = await desk('manager', '/expenses');
  const other = await desk('admin', '/admin/expenses');
  await expect(row(other.page, title)).toContainText('Pending');
  // The other tablet hears of the rejection late.
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  await other.context.route(/\/api\/expenses\?/, async (route) => {
    await released;
    await route.continue();
  });

  await chooseAction(row(page, title), title, 'Reject');
  await page.getByRole('dialog').getByLabel('Reason').fill('Nobody feeds the fish');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText(`${title} was rejected`)).toBeVisible();
  await expect(row(page, title)).toContainText('Nobody feeds the fish');
  expect(await actionsOf(row(page, title), title)).toEqual(['Delete']);

  await chooseAction(row(other.page, title), title, 'Approve');
  await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(other.page.getByRole('alert')).toContainText(/Status: Pending →\s*is now Rejected/);
  // Nothing is left to decide, so nothing is offered but to close.
  await expect(other.page.getByRole('dialog').getByRole('button')).toHaveText(['Close']);
  release();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(row(other.page, title)).toContainText('Nobody feeds the fish');
  await other.context.unrouteAll();
});

test('an expense that becomes dearer between list and tap is shown anew before it is approved', async ({
  desk,
  clinic,
}) => {
  const title = `Autoclave ${Date.now()}`;
  const { data: made } = await clinic.api<{ data: ExpenseResource }>('/expenses', { ...repair, title, amount: 50 });
  const { page } = await desk('manager', '/expenses');
  await chooseAction(row(page, title), title, 'Approve');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('EUR 50,00');
  await clinic.api(`/expenses/${made.id}`, { ...repair, title, amount: 5000 }, 'PUT');
  const approve = dialog.getByRole('button', { name: 'Approve' });
  const before = (await approve.boundingBox())!;
  await approve.dblclick();
  await expect(dialog.getByRole('alert')).toContainText(/Amount: EUR 50,00 →\s*is now EUR 5\.000,00/);
  const after = (await approve.boundingBox())!;
  expect(Math.abs(after.y - before.y)).toBeLessThan(1);
  expect(Math.abs(after.x - before.x)).toBeLessThan(1);
  expect((await expensesNamed(clinic, title))[0]!.status).toBe('pending');
  await approve.click();
  await expect(page.getByText(`${title} was approved`)).toBeVisible();
  expect((await expensesNamed(clinic, title))[0]).toMatchObject({ status: 'approved', amount: 5000 });
});

test('the list is searched, filtered and paged, the cards show the month’s totals, and a phone shows cards @long', async ({
  desk,
  clinic,
}) => {
  const { page } = await desk('manager', '/expenses');
  const { data } = await clinic.api<{ data: { totalCount: number } }>('/expenses/summary');
  await expect(statCard(page, 'Total expenses')).toContainText(String(data.totalCount));
  await expect(page.getByText(/^Showing 1 to 20 of \d+ results$/)).toBeVisible();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText(/^Showing 21 to/)).toBeVisible();
  await page.getByLabel('Status').selectOption('Rejected');
  await expect(row(page, 'Second coffee machine')).toContainText('The present machine still works');
  await expect(row(page, 'Magazines')).toHaveCount(0);
  await page.getByLabel('Category').selectOption('Marketing');
  await expect(row(page, 'Second coffee machine')).toHaveCount(0);
  await expect(row(page, 'Advertisement')).toBeVisible();
  await page.getByLabel('Status').selectOption('All statuses');
  await page.getByLabel('Category').selectOption('All categories');
  await page.getByLabel('Date', { exact: true }).selectOption('Today');
  await expect(row(page, 'Waste collection')).toBeVisible();
  await expect(row(page, 'Magazines')).toHaveCount(0);
  await page.getByLabel('Search expenses').fill('nothing like it');
  await expect(page.getByText('No expenses found')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText(/^Showing 1 to 20 of/)).toBeVisible();
  await page.getByLabel('Search expenses').fill('ESPRESSO');
  await expect(row(page, 'Second coffee machine')).toBeVisible();
  await expect(row(page, 'Magazines')).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel('Search expenses').fill('Magazines');
  const card = page.getByRole('listitem').filter({ hasText: 'Magazines' });
  await expect(card).toContainText('EUR 74,50');
  await chooseAction(card, 'Magazines', 'Edit');
  await expect(field(page, 'Title')).toHaveValue('Magazines');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('an expense from the drawer whose reply was lost is changed by the next tap, and the drawer pays once', async ({
  desk,
  clinic,
}) => {
  const title = `Courier ${Date.now()}`;
  await closeDrawers(clinic);
  const tablet = await desk('manager', '/drawer');
  const { page, context } = tablet;
  await page.getByLabel('Float').fill('80');
  await page.getByRole('button', { name: 'Open drawer' }).click();
  const open = async () =>
    (await clinic.api<{ data: DrawerResource[] }>('/drawers?per_page=200')).data.find((one) => one.closed_at === null);
  await expect.poll(open).toMatchObject({ float: 80 });
  await page.goto('/expenses');
  await fillNewExpense(page, title, '10');
  await page.getByRole('checkbox', { name: 'Paid from the cash drawer' }).check();
  const replyAgain = await loseReplies(context, '**/api/expenses');
  const create = page.getByRole('button', { name: 'Create expense' });
  await create.click();
  await expect(page.getByText('It is not known whether this was saved.')).toBeVisible();
  await replyAgain();
  await field(page, 'Description').fill('For the laboratory');
  await create.click();
  await expect(page.getByText(`${title} was created`)).toBeVisible();
  expect(await expensesNamed(clinic, title)).toMatchObject([{ description: 'For the laboratory', amount: 10 }]);
  expect((await open())!.movements).toHaveLength(1);
  await closeDrawers(clinic);
});
