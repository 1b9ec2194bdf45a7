import { numberFormat } from '#domain/number-format.ts';
import type { IncomeReport } from '#domain/report/resources.ts';
import { expect, test } from '../e2e/desk.ts';
import { euros, figure, incomeReport, statCard } from '../e2e/elements.ts';

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
  await expect(figure(incomeReport(page), 'Total orders')).toHaveText(numberFormat().format(month.summary.totalOrders));
  await expect(figure(incomeReport(page), 'Net income')).toHaveText(euros(month.summary.netIncome));
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
  await expect(statCard(page, 'Ingresos de hoy')).toContainText(/Lo habitual hasta las \d+:\d{2}: EUR/);
  // On the day after a closed one there is nothing to compare with.
  await expect(statCard(page, 'Tratamientos de hoy')).toContainText(/\s% respecto a|Nuevo: /);
  await expect(page.getByRole('radio', { name: 'Semana' })).toBeVisible();
});
