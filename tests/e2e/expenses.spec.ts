import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { ExpenseResource, ExpenseList } from '../../domain/expense/resources.ts';
import { ServerProcess } from '../support/server-process.ts';
import { draftSavedMs } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { field, statCard } from './elements.ts';
import { expect, test } from './fixtures.ts';

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f9e8f' } })
    .png()
    .toBuffer();

async function expensesNamed(clinic: ServerProcess, search: string): Promise<ExpenseResource[]> {
  return (await clinic.api<ExpenseList>(`/expenses?search=${encodeURIComponent(search)}`)).expenses;
}

/** Opens the form of a new expense and fills in the required fields. */
async function fillNewExpense(page: Page, title: string, amount = '12.40'): Promise<void> {
  await page.getByRole('button', { name: 'Add Expense' }).click();
  await expect(page.getByRole('heading', { name: 'New expense' })).toBeVisible();
  await field(page, 'Title').fill(title);
  await field(page, 'Description').fill('For the front desk');
  await field(page, 'Amount').fill(amount);
}

async function addExpense(tablet: Tablet, title: string): Promise<void> {
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/expenses');
  await fillNewExpense(page, title);
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText(`${title} was created`)).toBeVisible();
}

test('the counter’s staff see no expenses, and the address redirects to the start page', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('counter');
  await page.goto('/expenses');
  await expect(page).toHaveURL('/');
  await expect(page.getByText('Expenses', { exact: true })).toHaveCount(0);
});

const translations = {
  en: {
    labels: { title: 'Title', description: 'Description', amount: 'Amount', date: 'Date' },
    problems: {
      title: 'Title must be at least 3 characters',
      description: 'Description must be at least 3 characters',
      amount: 'Amount must be 0 or greater',
      date: 'This field is required',
    },
    create: 'Create expense',
    receipt: 'This kind of file is not accepted.',
    reject: 'Reject Handpiece repair',
    confirm: 'Reject',
    reason: 'Reason',
    reasonProblem: 'Rejection reason must be at least 3 characters',
  },
  sp: {
    labels: { title: 'Título', description: 'Descripción', amount: 'Importe', date: 'Fecha' },
    problems: {
      title: 'El título debe tener al menos 3 caracteres',
      description: 'La descripción debe tener al menos 3 caracteres',
      amount: 'El importe debe ser 0 o mayor',
      date: 'Este campo es obligatorio',
    },
    create: 'Crear gasto',
    receipt: 'Este tipo de archivo no se admite.',
    reject: 'Rechazar Handpiece repair',
    confirm: 'Rechazar',
    reason: 'Motivo',
    reasonProblem: 'El motivo del rechazo debe tener al menos 3 caracteres',
  },
} as const;

for (const [language, texts] of Object.entries(translations)) {
  test(`the forms name the problem of each field, in ${language}`, async ({ tablet, clinic }) => {
    const { page } = tablet;
    await tablet.signIn('manager');
    await tablet.useLanguage(language as keyof typeof translations);
    await page.goto('/expenses?expense=new');
    await field(page, texts.labels.title).fill('ab');
    await field(page, texts.labels.amount).fill('-1');
    await field(page, texts.labels.date).fill('');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'receipt.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(page.getByRole('alert').filter({ hasText: texts.receipt })).toBeVisible();
    await page.getByRole('button', { name: texts.create }).click();
    for (const name of Object.keys(texts.problems) as (keyof typeof texts.problems)[]) {
      await expect(field(page, texts.labels[name])).toHaveAccessibleDescription(texts.problems[name]);
    }

    await page.goto('/expenses');
    await page.getByRole('button', { name: texts.reject }).click();
    const dialog = page.getByRole('dialog');
    for (const reason of ['', '  ', 'no']) {
      await dialog.getByLabel(texts.reason).fill(reason);
      await dialog.getByRole('button', { name: texts.confirm }).click();
      await expect(dialog.getByLabel(texts.reason)).toHaveAccessibleDescription(texts.reasonProblem);
    }
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    expect((await expensesNamed(clinic, 'Handpiece repair'))[0]!.status).toBe('pending');
  });
}

test('an expense is created with a receipt, edited and approved, and can’t be changed after that', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/expenses');
  await fillNewExpense(page, 'New stools', '149.90');
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
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText('New stools was created')).toBeVisible();

  const made = row(page, 'New stools');
  await expect(made).toContainText('EUR 149,90');
  await expect(made).toContainText('Equipment');
  await expect(made).toContainText('Pending');
  await expect(made).toContainText('Not approved');
  await made.getByRole('button', { name: 'View the receipt of New stools' }).click();
  await expect(page.getByRole('img', { name: 'The receipt' })).toHaveAttribute('src', /^blob:/);
  expect(
    await page
      .getByRole('img', { name: 'The receipt' })
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(60);
  await page.getByRole('button', { name: 'Close' }).click();

  await made.getByRole('button', { name: 'Edit New stools' }).click();
  await expect(page.getByRole('heading', { name: 'Edit expense' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Saved receipt' })).toBeVisible();
  await field(page, 'Amount').fill('139.90');
  await page.getByRole('button', { name: 'Update expense' }).click();
  await expect(page.getByText('New stools was updated')).toBeVisible();
  await expect(made).toContainText('EUR 139,90');

  await made.getByRole('button', { name: 'Approve New stools' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('New stools was approved')).toBeVisible();
  await expect(made).toContainText('Approved');
  const [expense] = await expensesNamed(clinic, 'New stools');
  expect(expense).toMatchObject({
    amount: 139.9,
    status: 'approved',
    receipt_url: expect.stringMatching(/^\/api\/uploads\//),
  });
  await expect(made).toContainText(expense!.Approver!.name);
  for (const action of ['Edit', 'Approve', 'Reject'])
    await expect(made.getByRole('button', { name: `${action} New stools` })).toHaveCount(0);

  await page.goto(`/expenses?expense=${expense!.id}`);
  await expect(page.getByText('This expense has already been approved or rejected.')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await row(page, 'New stools').getByRole('button', { name: 'Delete New stools' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('New stools was deleted')).toBeVisible();
  await expect(row(page, 'New stools')).toHaveCount(0);
});

test('a rejected expense shows the reason, and a later approval is refused', async ({ tablet, newTablet }) => {
  const { page } = tablet;
  await addExpense(tablet, 'Aquarium');
  const other = await newTablet();
  await other.signIn('admin');
  await other.page.goto('/admin/expenses');
  await expect(row(other.page, 'Aquarium')).toContainText('Pending');

  await row(page, 'Aquarium').getByRole('button', { name: 'Reject Aquarium' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Nobody feeds the fish');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Aquarium was rejected')).toBeVisible();
  await expect(row(page, 'Aquarium')).toContainText('Nobody feeds the fish');
  await expect(row(page, 'Aquarium').getByRole('button', { name: 'Edit Aquarium' })).toHaveCount(0);

  await row(other.page, 'Aquarium').getByRole('button', { name: 'Approve Aquarium' }).click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(other.page.getByText('The expense was not approved')).toBeVisible();
  await expect(other.page.getByText('This expense has already been approved or rejected.')).toBeVisible();
  await expect(row(other.page, 'Aquarium')).toContainText('Nobody feeds the fish');
});

test('the list is searched, filtered and paged, and the cards show the month’s totals', async ({ tablet, clinic }) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/expenses');
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
});

test('an expense typed while the server is down survives a reload and is sent once, by a tap, when the server is back', async ({
  newTablet,
  freshClinic,
}) => {
  test.setTimeout(90_000);
  const tablet = await newTablet(freshClinic);
  const { page, context } = tablet;
  await tablet.signIn('manager');
  await page.goto('/expenses');
  await expect(row(page, 'Magazines')).toBeVisible();
  await freshClinic.stop();
  await fillNewExpense(page, 'Candles');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'candles.png', mimeType: 'image/png', buffer: await picture() });
  await expect(page.getByText('it is not sent by itself')).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText('Please check your connection and try again.').first()).toBeVisible({ timeout: 15_000 });
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(field(page, 'Title')).toHaveValue('Candles', { timeout: 15_000 });
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(page.getByText('candles.png')).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Magazines')).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/This is how things stood on/)).toBeVisible({ timeout: 15_000 });

  await freshClinic.start();
  expect(await expensesNamed(freshClinic, 'Candles')).toEqual([]);
  await page.getByRole('button', { name: 'Add Expense' }).click();
  await expect(field(page, 'Title')).toHaveValue('Candles');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('it is not sent by itself')).toHaveCount(0, { timeout: 15_000 });
  // The reply is lost, and then the page.
  await context.route('**/api/expenses', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText('The expense was not created')).toBeVisible();
  await page.waitForTimeout(draftSavedMs);
  await context.unroute('**/api/expenses');
  await page.reload();
  await expect(field(page, 'Title')).toHaveValue('Candles');
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText('Candles was created')).toBeVisible();
  const made = await expensesNamed(freshClinic, 'Candles');
  expect(made).toHaveLength(1);
  expect(made[0]!.receipt_url).toMatch(/^\/api\/uploads\//);
});

test('an expense whose upload returns no address is not created, and the form keeps its values', async ({
  tablet,
  clinic,
}) => {
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/expenses');
  await fillNewExpense(page, 'Lost receipt');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'lost.png', mimeType: 'image/png', buffer: await picture() });
  await tablet.context.route('**/api/upload/file', (route) => route.fulfill({ json: { success: true, data: {} } }));
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText('Upload failed - no receipt URL returned').first()).toBeVisible();
  await expect(field(page, 'Title')).toHaveValue('Lost receipt');
  expect(await expensesNamed(clinic, 'Lost receipt')).toEqual([]);
  await tablet.context.unroute('**/api/upload/file');
});

test('expenses are cards on a phone, and nothing scrolls sideways', async ({ tablet }) => {
  const { page } = tablet;
  await page.setViewportSize({ width: 390, height: 844 });
  await tablet.signIn('manager');
  await page.goto('/expenses');
  const card = page.getByRole('listitem').filter({ hasText: 'Magazines' });
  await expect(card).toContainText('EUR 74,50');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await card.getByRole('button', { name: 'Edit Magazines' }).click();
  await expect(field(page, 'Title')).toHaveValue('Magazines');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
