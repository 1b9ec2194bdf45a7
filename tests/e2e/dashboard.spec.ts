import type { Page } from '@playwright/test';
import { numberFormat } from '../../domain/number-format.ts';
import type { DashboardStats, IncomeReport } from '../../domain/report/resources.ts';
import { euros, figure, sellService, statCard } from './elements.ts';
import { expect, test } from './desk.ts';

const income = (page: Page) => page.getByRole('region', { name: 'Income report' });
const needsAttention = (page: Page) => page.getByRole('region', { name: 'Needs attention' });
const sameHour = (page: Page) => page.getByRole('region', { name: /^Today until/ });

test('the dashboard opens for a manager and follows sales and refunds of other tablets', async ({ desk, clinic }) => {
  const { data: before } = await clinic.api<{ data: DashboardStats }>('/admin/dashboard/stats');
  const { data: earned } = await clinic.api<{ data: IncomeReport }>('/admin/dashboard/income-report');
  const { page } = await desk('manager', '/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await expect(page).toHaveURL('/');
  for (const name of ['Main navigation', 'Sections'])
    await expect(page.getByRole('navigation', { name }).getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
      'aria-current',
      'page',
    );
  await expect(statCard(page, "Today's orders")).toContainText(String(before.todaysOrders.count));
  await expect(statCard(page, "Today's orders")).toContainText(before.todaysOrders.comparisonText);
  await expect(statCard(page, 'Active orders')).toContainText(String(before.activeOrders));

  for (let sale = 0; sale < 2; sale++) await sellService(clinic, 'Dental cleaning');
  const sold = await sellService(clinic, 'Dental cleaning');
  const revenue = before.todaysRevenue.amount + 180;
  await expect(statCard(page, "Today's revenue")).toContainText(euros(revenue), { timeout: 20_000 });
  await expect(statCard(page, "Today's orders")).toContainText(String(before.todaysOrders.count + 3));
  await expect(statCard(page, 'Active orders')).toContainText(String(before.activeOrders));
  await expect(page.getByRole('table', { name: 'Revenue of the last 7 days' }).getByRole('row').last()).toContainText(
    euros(revenue),
  );
  await expect(figure(income(page), 'Gross income')).toHaveText(euros(earned.summary.grossIncome + 180));
  // The sales were in cash, and no drawer was open.
  const outside = needsAttention(page).getByRole('link', { name: /in cash outside any drawer/ });
  await expect(outside).toHaveAttribute('href', '/drawer');
  await expect(sameHour(page)).toContainText(euros(revenue));
  const { refunds } = earned.summary;
  if (refunds === 0) await expect(income(page).getByRole('columnheader', { name: 'Refunds' })).toHaveCount(0);

  // Refunds have their own column and reduce the net.
  await clinic.api(`/orders/${sold.id}/refunds`, { amount: 12.35, reason: 'Stopped early' });
  await expect(figure(income(page), 'Refunds')).toHaveText(euros(-refunds - 12.35), { timeout: 20_000 });
  await expect(figure(income(page), 'Net income')).toHaveText(euros(earned.summary.netIncome + 180 - 12.35));
  await expect(income(page).getByRole('columnheader')).toHaveText([
    'Period',
    'Orders',
    'Gross',
    'Refunds',
    'Service charge',
    'Net',
  ]);
  const { data: stats } = await clinic.api<{ data: DashboardStats }>('/admin/dashboard/stats');
  await expect(statCard(page, "Today's revenue")).toContainText(stats.todaysRevenue.comparisonText);
  await expect(statCard(page, 'Revenue growth')).toContainText(stats.todaysRevenue.comparisonText.split(' ')[0]!);
});

test('the dashboard opens for an administrator, keeps its period after a reload, and shows the first rows of long reports', async ({
  desk,
  clinic,
}) => {
  const tablet = await desk('admin', '/');
  const { page } = tablet;
  await expect(page).toHaveURL('/admin/dashboard');
  await page.goto('/admin');
  await expect(page).toHaveURL('/admin/dashboard');
  await page.goto('/counter');
  await expect(page).toHaveURL('/admin/counter');
  await page.goto('/admin/dashboard');

  await expect(page.getByRole('radio', { name: 'Today' })).toBeChecked();
  await page.getByRole('radio', { name: 'Month' }).click();
  const { data: month } = await clinic.api<{ data: IncomeReport }>('/admin/dashboard/income-report?period=month');
  await expect(figure(income(page), 'Total orders')).toHaveText(numberFormat().format(month.summary.totalOrders));
  await expect(figure(income(page), 'Net income')).toHaveText(euros(month.summary.netIncome));
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Month' })).toBeChecked();
  const rows = page.getByRole('table').last().getByRole('row');
  const first = Math.min(10, month.breakdown.length);
  await expect(rows).toHaveCount(first + 1);
  await expect(rows.nth(1)).toContainText(euros(month.breakdown[0]!.gross));

  await page.setViewportSize({ width: 390, height: 844 });
  const cards = page.getByRole('list', { name: 'Income by period' }).getByRole('listitem');
  await expect(cards).toHaveCount(Math.min(5, month.breakdown.length));
  if (month.breakdown.length > 5) {
    await page.getByRole('button', { name: `Show all ${month.breakdown.length}` }).click();
    await expect(cards).toHaveCount(month.breakdown.length);
  }

  await page.setViewportSize({ width: 1180, height: 820 });
  await page.getByRole('button', { name: 'Revenue of the last 7 days as a table' }).click();
  await expect(page.getByRole('table', { name: 'Revenue of the last 7 days' }).getByRole('row')).toHaveCount(8);
  for (const [name, path] of [
    ['Stock', 'stock'],
    ['Expenses', 'expenses'],
    ['Staff', 'staff'],
    ['Reports', 'reports'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name }).click();
    await expect(page).toHaveURL(`/admin/${path}`);
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Dashboard' }).click();
  }

  await tablet.useLanguage('sp');
  await expect(page.getByRole('heading', { level: 1, name: 'Panel' })).toBeVisible();
  await expect(statCard(page, 'Ingresos de hoy')).toContainText(/\s% respecto a ayer$/);
  await expect(page.getByRole('radio', { name: 'Semana' })).toBeVisible();
});
