/** The back office while the server is down: the last data of its pages, and what was typed. */
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import type { ExpenseList } from '#domain/expense/resources.ts';
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { DashboardStats, IncomeReport, SalesPreview } from '#domain/report/resources.ts';
import { loseReplies } from '../support/lost-replies.ts';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from '../e2e/desk.ts';
import { euros, field, figure, incomeReport, room, sellService, statCard } from '../e2e/elements.ts';

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const stoodThen = (page: Page) => page.getByText(/^This is how things stood on .*\d{4}.*\d:\d\d/);
const noConnection = (page: Page) =>
  page.getByText(/Please check your connection and try again|It is not known whether this was saved/).first();

test('every page shows its last data and their time while the server is down, and each form keeps its values', async ({
  desk,
  clinic,
}) => {
  test.slow();
  const { page, context } = await desk('admin', '/admin/dashboard');
  const order = await sellService(clinic, 'Dental cleaning');
  await clinic.api(`/orders/${order.id}/refunds`, { amount: 12.35, reason: 'Stopped early' });
  const { data: stats } = await clinic.api<{ data: DashboardStats }>('/admin/dashboard/stats');
  const { data: income } = await clinic.api<{ data: IncomeReport }>('/admin/dashboard/income-report');
  const { data: day } = await clinic.api<{ data: DayEnd }>('/reports/day-end');
  const filters = 'status=completed&minAmount=100';
  const { data: sales } = await clinic.api<{ data: SalesPreview }>(`/reports/sales/preview?${filters}`);

  /** What a page shows of its data, by its address. */
  const shown: Record<string, (page: Page) => Locator[]> = {
    dashboard: () => [
      statCard(page, "Today's revenue").filter({ hasText: euros(stats.todaysRevenue.amount) }),
      figure(incomeReport(page), 'Refunds').filter({
        hasText: euros(-income.summary.refunds),
      }),
      page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: /in cash outside any drawer/ }),
    ],
    stock: () => [page.getByText(/^\d+ in stock$/), page.getByText(/^\d+ in the last 7 days$/)],
    'stock?tab=alerts': () => [page.getByRole('tabpanel').getByRole('button', { name: /Saliva ejectors/ })],
    'stock?tab=transactions': () => [page.getByRole('row').nth(10)],
    'purchase-orders': () => [page.getByRole('row').nth(1)],
    staff: () => [page.getByRole('cell', { name: 'admin@demo.test', exact: true })],
    audit: () => [row(page, order.number).first()],
    'reports?tab=day-end': () => [
      page
        .getByRole('article')
        .getByRole('term')
        .filter({ hasText: /^Revenue/ })
        .locator('xpath=following-sibling::dd')
        .first()
        .filter({ hasText: euros(day.revenue) }),
    ],
    [`reports?tab=export&${filters}`]: () => [page.getByRole('button', { name: `Preview Data (${sales.total})` })],
    'stock?tab=inventory': () => [row(page, 'Alginate')],
    rooms: () => [room(page, 'Surgery').filter({ hasText: 'Occupied' })],
    expenses: () => [row(page, 'Magazines')],
  };
  const expectData = async (address: string) => {
    for (const part of shown[address]!(page)) await expect(part).toBeVisible({ timeout: 15_000 });
  };
  const visited = Object.keys(shown);
  for (const address of visited) {
    await page.goto(`/admin/${address}`);
    await expectData(address);
  }

  await test.step('the form of a stock item', async () => {
    await page.goto('/admin/stock?tab=inventory&item=new');
    for (const [label, text] of Object.entries({
      Name: 'Offline item',
      Supplier: 'Composa',
      'Supplier contact': 'x',
    }))
      await field(page, label).fill(text);
    await clinic.stop();
    await page.getByRole('button', { name: 'Create stock item' }).click();
    await expect(noConnection(page)).toBeVisible({ timeout: 15_000 });
    await expect(field(page, 'Name')).toHaveValue('Offline item');
    await page.keyboard.press('Escape');
    await page.reload();
    await expectData('stock?tab=inventory');
    await expect(page.getByText('The server cannot be reached')).toBeVisible();
    await expect(stoodThen(page)).toBeVisible();
    await page.getByRole('tab', { name: 'Dashboard' }).click();
    await expectData('stock');
  });

  for (const address of visited)
    await test.step(address, async () => {
      await page.goto(`/admin/${address}`);
      await expect(stoodThen(page)).toBeVisible({ timeout: 20_000 });
      await expect(page.getByText('The server cannot be reached')).toBeVisible();
      await expectData(address);
    });

  await test.step('no export without the server', async () => {
    await page.goto(`/admin/reports?tab=export&${filters}`);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(page.getByText(/^The server makes the exports/)).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole('button', { name: 'PDF', exact: true })).toBeDisabled();
  });

  const title = `Candles ${Date.now()}`;
  const expensesMade = async () =>
    (await clinic.api<ExpenseList>(`/expenses?search=${encodeURIComponent(title)}`)).expenses;
  await test.step('the form of an expense', async () => {
    await page.goto('/admin/expenses');
    await page.getByRole('button', { name: 'Add Expense' }).click();
    for (const [label, text] of Object.entries({ Title: title, Description: 'For the front desk', Amount: '12.40' }))
      await field(page, label).fill(text);
    const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f9e8f' } }).png();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'candles.png', mimeType: 'image/png', buffer: await picture.toBuffer() });
    await expect(page.getByText('it is not sent by itself')).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Create expense' }).click();
    await expect(noConnection(page)).toBeVisible({ timeout: 15_000 });
    await page.waitForTimeout(draftSavedMs);
    await page.reload();
    await expect(field(page, 'Title')).toHaveValue(title, { timeout: 15_000 });
    await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
    await expect(page.getByText('candles.png')).toBeVisible();
    await page.goBack();
    await expectData('expenses');
  });

  const recovery = `Recovery ${Date.now()}`;
  const form = page.getByRole('dialog');
  await test.step('the form of a room is sent by a tap when the server is back', async () => {
    await page.goto('/admin/rooms?room=new');
    await form.getByLabel('Number').fill(recovery);
    await form.getByRole('button', { name: 'Create room' }).click();
    await expect(noConnection(page)).toBeVisible();
    await page.reload();
    await expect(form.getByLabel('Number')).toHaveValue(recovery);
    await clinic.start();
    await form.getByRole('button', { name: 'Create room' }).click();
    await expect(room(page, recovery)).toContainText('Available', { timeout: 30_000 });
    await expect(stoodThen(page)).toHaveCount(0, { timeout: 30_000 });
  });

  await test.step('an expense is sent once, by a tap, though its reply and the page are lost', async () => {
    expect(await expensesMade()).toEqual([]);
    await page.goto('/admin/expenses');
    await page.getByRole('button', { name: 'Add Expense' }).click();
    await expect(field(page, 'Title')).toHaveValue(title);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(page.getByText('it is not sent by itself')).toHaveCount(0, { timeout: 15_000 });
    const replyAgain = await loseReplies(context, '**/api/expenses');
    const create = page.getByRole('button', { name: 'Create expense' });
    await create.click();
    await expect(page.getByText('It is not known whether this was saved.')).toBeVisible();
    await page.waitForTimeout(draftSavedMs);
    await replyAgain();
    await page.reload();
    await expect(field(page, 'Title')).toHaveValue(title);
    await create.click();
    await expect(page.getByText(`${title} was created`)).toBeVisible();
    const made = await expensesMade();
    expect(made).toHaveLength(1);
    expect(made[0]!.receipt_url).toMatch(/^\/api\/uploads\//);
  });
});
