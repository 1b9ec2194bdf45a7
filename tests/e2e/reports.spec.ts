import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import readExcel from 'read-excel-file/node';
import type { Analytics, SalesPreview } from '#domain/report/resources.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { euros, field, figure, sellService, statCard } from './elements.ts';

const orders = (page: Page) => page.getByRole('table', { name: 'Orders' });

const dayOf = (iso: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(Date.parse(iso));

const percent = (value: number, decimals: number) => `${value.toFixed(decimals).replace('.', ',')} %`;

test('the analytics add up to the sales, and each treatment opens to its items @long', async ({ desk, clinic }) => {
  const read = async (period: string) =>
    (await clinic.api<{ data: Analytics }>(`/reports/analytics?period=${period}`)).data;
  const before = await read('today');
  // The prices of a cleaning, and of a cleaning with a scan.
  const [alone, both] = [60, 170];
  await sellService(clinic, 'Dental cleaning');
  await sellService(clinic, ['Dental cleaning', '3D scan'], 'card');
  expect((await read('today')).completedOrders).toBe(before.completedOrders + 2);

  const { page } = await desk('manager', '/reports');
  await expect(page.getByRole('tab', { name: 'Analytics' })).toHaveAttribute('aria-selected', 'true');
  await expect(statCard(page, 'Total revenue')).toContainText(euros(before.totalRevenue.amount + alone + both));
  await expect(statCard(page, 'Completed orders')).toContainText(String(before.completedOrders + 2));
  await expect(figure(page, 'Net profit')).toHaveCount(0);
  const sum = (analytics: Analytics, method: string) =>
    analytics.byMethod.find((each) => each.method === method)?.amount ?? 0;
  const methods = page.getByRole('region', { name: 'Payment methods' });
  await expect(methods.getByRole('listitem').filter({ hasText: 'Cash' })).toContainText(
    euros(sum(before, 'cash') + alone),
  );
  await expect(methods.getByRole('listitem').filter({ hasText: 'Card' })).toContainText(
    euros(sum(before, 'card') + both),
  );

  const newest = orders(page).getByRole('row').nth(1);
  await expect(newest).toContainText(euros(both));
  await expect(newest).toContainText('Completed');
  await newest.getByRole('button', { name: /^Show the items of T-/ }).click();
  const items = orders(page).getByRole('table').getByRole('row');
  await expect(items).toHaveText(['NameQtyUnit costPrice', /^Dental cleaning.*1EUR 60,00EUR 60,00$/, /^3D scan/]);

  await page.getByRole('radio', { name: 'Month' }).click();
  const month = await read('month');
  await expect(figure(page, month.netProfit.isPositive ? 'Net profit' : 'Net loss')).toHaveText(
    euros(Math.abs(month.netProfit.amount)),
  );
  await expect(figure(page, 'Total expenses (approved)')).toHaveText(euros(month.totalExpenses.amount));
  await expect(figure(page, 'Profit margin')).toHaveText(percent(month.netProfit.margin, 2));
  const types = page.getByRole('region', { name: 'Sales by type' }).getByRole('listitem');
  await expect(types).toHaveCount(month.byType.length);
  await expect(types.first()).toContainText(percent(month.byType[0]!.share, 1));
  await expect(page.getByRole('region', { name: 'Top 5 products' }).getByRole('listitem')).toHaveCount(
    month.topProducts.length,
  );

  // A long list renders only its visible rows, and scrolls to the last one.
  await page.getByRole('button', { name: 'Show more' }).click();
  const { pagination } = await clinic.api<{ pagination: { total: number } }>(
    `/reports/orders?startDate=${month.dateRange.start}&endDate=${month.dateRange.end}`,
  );
  await expect(orders(page)).toHaveAttribute('aria-rowcount', String(Math.min(200, pagination.total) + 1));
  expect(await orders(page).getByRole('row').count()).toBeLessThan(60);
  await orders(page)
    .locator('xpath=..')
    .evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await expect(orders(page).locator(`[aria-rowindex="${Math.min(200, pagination.total) + 1}"]`)).toBeVisible();
});

const openFilters = (page: Page) => page.getByRole('button', { name: /^Filters/ }).click();

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
}

test('the filters name their problems, show as chips, survive a reload, and match the server’s results @long', async ({
  desk,
  clinic,
}) => {
  const { page } = await desk('manager', '/reports?tab=export');
  await openFilters(page);
  await fill(page, {
    'Start date': '2026-11-20',
    'End date': '2026-11-19',
    'Min amount': '20',
    'Max amount': '10',
  });
  await expect(field(page, 'End date')).toHaveAccessibleDescription('Report end date cannot precede start date');
  await page.getByRole('button', { name: 'Open the calendar' }).last().click();
  const calendar = page.getByRole('dialog', { name: 'End date' });
  await expect(calendar.getByRole('button', { name: /\b19 November 2026$/ })).toBeDisabled();
  await expect(calendar.getByRole('button', { name: /\b20 November 2026$/ })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(field(page, 'Max amount')).toHaveAccessibleDescription('The highest amount cannot be below the lowest');
  await expect(page.getByRole('button', { name: /^Preview Data/ })).toBeDisabled();

  const find = async (query: string) =>
    (await clinic.api<{ data: SalesPreview }>(`/reports/sales/preview?${query}`)).data;
  const {
    data: [any],
  } = await find('size=1&status=completed');
  const last = dayOf(any!.created_at);
  await page.goto('/reports?tab=export');
  await openFilters(page);
  await fill(page, { 'End date': last, 'Min amount': '50' });
  await field(page, 'Status').selectOption('Completed');
  await field(page, 'Order type').selectOption('Walk-In');
  const found = await find(`endDate=${last}&minAmount=50&status=completed&orderType=walk_in`);
  await expect(page.getByRole('button', { name: 'Filters (4)' })).toBeVisible();
  await page.getByRole('button', { name: `Preview Data (${found.total})` }).click();
  await expect(page.getByText(`${found.total} orders found`)).toBeVisible();
  await expect(figure(page, 'Total of the orders')).toHaveText(euros(found.sums.total));
  const list = page.getByRole('table', { name: 'Preview' });
  await expect(list.getByRole('row').nth(1)).toContainText(found.data[0]!.number);
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText(/^Showing 21 to /)).toBeVisible();
  await expect(list.getByRole('row').nth(1)).not.toContainText(found.data[0]!.number);

  await page.reload();
  await expect(page.getByText(`${found.total} orders found`)).toBeVisible();
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expect(chips.getByRole('button')).toHaveText([
    /^To: /,
    'Type: Walk-In',
    'Status: Completed',
    'At least EUR 50,00',
    'Remove all',
  ]);
  await chips.getByRole('button', { name: 'Remove filter Type: Walk-In' }).click();
  const { total: wider } = await find(`endDate=${last}&minAmount=50&status=completed`);
  await expect(page.getByRole('button', { name: `Preview Data (${wider})` })).toBeVisible();
  await expect(page).not.toHaveURL(/orderType/);

  await field(page, 'Search treatments, invoices, patients').fill('a');
  await expect(page.getByText('Enter at least 2 letters or digits')).toBeVisible();
  await field(page, 'Search treatments, invoices, patients').fill(any!.number);
  await chips.getByRole('button', { name: 'Remove all' }).click();
  await expect(chips).toHaveCount(0);
  await field(page, 'Search treatments, invoices, patients').fill(any!.number);
  await expect(page.getByText('1 order found')).toBeVisible();
  await field(page, 'Search treatments, invoices, patients').fill('no customer has this name');
  await expect(page.getByText('No orders match')).toBeVisible();
});

async function exported({ page }: Tablet, kind: 'PDF' | 'Excel'): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: kind, exact: true }).click(),
  ]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

test('a report exports as PDF and Excel, and an export can be cancelled and explains a failure', async ({
  desk,
  clinic,
}) => {
  const tablet = await desk('manager', '/reports?tab=export&status=completed&minAmount=100');
  const { page, context } = tablet;
  const { data: found } = await clinic.api<{ data: SalesPreview }>(
    '/reports/sales/preview?status=completed&minAmount=100',
  );
  await expect(page.getByRole('button', { name: `Preview Data (${found.total})` })).toBeVisible();
  const open = page.getByRole('button', { name: 'Export', exact: true });

  await open.click();
  const pdf = await exported(tablet, 'PDF');
  expect(pdf.name).toBe(`sales_report_${dayOf(new Date().toISOString())}.pdf`);
  expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-');
  await expect(page.getByText('The PDF was downloaded')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Excel', exact: true })).toHaveCount(0);

  await open.click();
  const excel = await exported(tablet, 'Excel');
  expect(excel.name).toBe(`sales_report_${dayOf(new Date().toISOString())}.xlsx`);
  const cells = JSON.stringify(await readExcel(excel.content));
  for (const { number } of found.data) expect(cells).toContain(number);
  await expect(page.getByText('The Excel file was downloaded')).toBeVisible();

  // A cancelled export shows no error and can be started again.
  await context.route('**/reports/sales/export/pdf', () => undefined);
  await open.click();
  await page.getByRole('button', { name: 'PDF', exact: true }).click();
  await expect(page.getByText('The server is preparing the file')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Excel', exact: true })).toBeDisabled();
  const stopped = page.waitForEvent('requestfailed');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  expect((await stopped).url()).toContain('/reports/sales/export/pdf');
  await expect(page.getByRole('button', { name: 'PDF', exact: true })).toBeEnabled();

  await context.unroute('**/reports/sales/export/pdf');
  await context.route('**/reports/sales/export/pdf', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/json',
      body: JSON.stringify({ success: false, code: 'EXPORT_TOO_LONG', message: '' }),
    }),
  );
  await page.getByRole('button', { name: 'PDF', exact: true }).click();
  await expect(page.getByText('The PDF was not exported')).toBeVisible();
  await expect(page.getByText(/^A PDF holds at most 5,000/)).toBeVisible();
});
