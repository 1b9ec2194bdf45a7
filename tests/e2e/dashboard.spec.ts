import type { Page } from '@playwright/test';
import type { DashboardStats, IncomeReport } from '#domain/report/resources.ts';
import { euros, figure, incomeReport, sellService, statCard } from './elements.ts';
import { expect, test } from './desk.ts';
import { expectNoLayoutShift } from './layout-shift.ts';

const needsAttention = (page: Page) => page.getByRole('region', { name: 'Needs attention' });
/** An amount as the figure of a panel or card, which is a paragraph; tables and notes have other elements. */
const figureOf = (page: Page, amount: number) =>
  page
    .getByRole('main')
    .getByRole('paragraph')
    .filter({ hasText: new RegExp(`^${euros(amount)}$`) });
const revenueOf = (page: Page) => page.getByRole('region', { name: "Today's revenue" });

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
  await expect(figure(incomeReport(page), 'Gross income')).toHaveText(euros(earned.summary.grossIncome + 180));
  // The sales were in cash, and no drawer was open.
  const outside = needsAttention(page).getByRole('link', { name: /in cash outside any drawer/ });
  await expect(outside).toHaveAttribute('href', '/drawer');
  // The revenue of today is stated once; a bar compares it with the same weekdays until this time.
  await expect(revenueOf(page)).toContainText(/Usual until \d\d:\d\d: EUR/);
  await expect(revenueOf(page).getByRole('term')).toHaveCount(5);
  await expect(figureOf(page, revenue)).toHaveCount(1);
  const { refunds } = earned.summary;
  if (refunds === 0) await expect(incomeReport(page).getByRole('columnheader', { name: 'Refunds' })).toHaveCount(0);

  // Refunds have their own column and reduce the net.
  await clinic.api(`/orders/${sold.id}/refunds`, { amount: 12.35, reason: 'Stopped early' });
  await expect(figure(incomeReport(page), 'Refunds')).toHaveText(euros(-refunds - 12.35), { timeout: 20_000 });
  await expect(figure(incomeReport(page), 'Net income')).toHaveText(euros(earned.summary.netIncome + 180 - 12.35));
  await expect(incomeReport(page).getByRole('columnheader')).toHaveText([
    'Period',
    'Orders',
    'Gross',
    'Refunds',
    'Service charge',
    'Net',
  ]);
  const { data: stats } = await clinic.api<{ data: DashboardStats }>('/admin/dashboard/stats');
  await expect(statCard(page, 'Revenue growth')).toContainText(euros(stats.todaysRevenue.previous));
  // Compared with nothing, the text begins "New:".
  const growth = /^[^ :]+/.exec(stats.todaysRevenue.comparisonText)![0];
  await expect(statCard(page, 'Revenue growth')).toContainText(growth);
});

test('on a phone nothing moves while the dashboard opens, however late its figures come @long', async ({
  desk,
  clinic,
}) => {
  const { page } = await desk('manager', '/', 'sp');
  await page.setViewportSize({ width: 390, height: 844 });
  // Cash outside any drawer has a title of two lines.
  await sellService(clinic, 'Dental cleaning');
  await page.context().route('**/api/admin/dashboard/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800));
    await route.continue();
  });
  await expectNoLayoutShift(page, async () => {
    await page.reload();
    await expect(page.getByText(/en efectivo fuera de caja/)).toBeVisible();
  });
  await page.context().unrouteAll();
});

test('a month has a target: a line in the charts, values at a touch, and amounts in one line on a phone @long', async ({
  freshClinic,
  newTablet,
}) => {
  await freshClinic.api('/settings', { month_target: 85_000 }, 'PUT');
  const tablet = await newTablet(freshClinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  await page.goto('/');
  const { data } = await freshClinic.api<{ data: DashboardStats }>('/admin/dashboard/stats');
  await expect(statCard(page, 'Month target')).toContainText(`${euros(data.target!.reached)} of ${euros(85_000)}`);
  const week = page.getByRole('region', { name: 'Revenue of the last 7 days' });
  await expect(week).toContainText(`Target of a day: ${euros(data.target!.day)}`);
  await expect(week).toContainText('Revenue (EUR)');
  // A finger that is lifted leaves the values where they are.
  const first = data.week[0]!;
  const column = week.locator('[data-column]').first();
  const { x, y, width, height } = (await column.boundingBox())!;
  await column.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: x + width / 2, clientY: y + height / 2 });
  await column.dispatchEvent('pointerleave', { pointerType: 'touch' });
  const note = week.locator('p', { hasText: /^\w{3},? \d+ \w{3}$/ }).locator('xpath=..');
  await expect(note).toContainText(euros(first.revenue));
  await expect(note).toContainText(euros(first.compared!.revenue));

  await page.setViewportSize({ width: 390, height: 844 });
  const amount = figureOf(page, data.todaysRevenue.amount);
  const [box, line] = await Promise.all([
    amount.boundingBox(),
    amount.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight)),
  ]);
  expect(box!.height).toBeLessThan(1.9 * line);
});
