/** A day on two tablets, one of which is offline for an hour. The drawer and the dashboard agree to the cent. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import type { DeviceResource } from '#domain/protocol/sync.ts';
import type { Analytics, DashboardStats, IncomeReport } from '#domain/report/resources.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';
import { invoiceNumber, printedBy, processPayment } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { euros, openDrawerSection } from '../e2e/elements.ts';
import { expect, test as base } from '../e2e/fixtures.ts';
import { ServerProcess } from '../support/server-process.ts';

const minuteMs = 60_000;

/** Returns a time zone in which it is between two and three in the afternoon. */
function afternoonZone(): string {
  const east = 14 - new Date().getUTCHours();
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

const test = base.extend({
  /** A clinic in the afternoon: the demo's day leaves its last hour to the visitor, unless it is young. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern.
  freshClinic: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-day-'));
    const clinic = await ServerProcess.first(folder, { CLINIC_TIME_ZONE: afternoonZone() });
    await use(clinic);
    await clinic.destroy();
  },
});

/** Sets the clock of a tablet's page. The server and the service workers keep the real time. */
async function setClock({ page }: Tablet, atMs: number): Promise<void> {
  await page.evaluate((touchedAt) => localStorage.setItem('touched-at', String(touchedAt)), atMs);
  await page.clock.setSystemTime(atMs);
}

const tabTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name }).click();
const openCounter = (page: Page) => tabTo(page, 'Counter/Checkout');

async function sell(tablet: Tablet, method?: 'Card'): Promise<string> {
  const { page } = tablet;
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  if (method) await page.getByRole('button', { name: method, exact: true }).click();
  const invoice = await processPayment(page);
  const number = await invoiceNumber(invoice);
  await invoice.close();
  return number;
}

async function refund({ page }: Tablet, invoice: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  await page.getByRole('button', { name: `Refund ${invoice}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByLabel('Amount to refund').fill(amount);
  await dialog.getByLabel('Reason').fill('Treatment was stopped');
  const creditNote = await printedBy(page, () => dialog.getByRole('button', { name: /^Refund EUR/ }).click());
  await creditNote.close();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Close recent sales' }).click();
}

async function putMoneyIn(page: Page, amount: string, reason: string): Promise<void> {
  const name = 'Put money in';
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name }).click();
  await expect(dialog).toBeHidden();
}

async function spendFromDrawer(page: Page, title: string, amount: string): Promise<void> {
  await page.getByRole('link', { name: 'Expenses' }).click();
  await page.getByRole('button', { name: 'Add Expense' }).click();
  for (const [field, text] of [
    ['Title', title],
    ['Description', 'For the front desk'],
    ['Amount', amount],
  ] as const)
    await page.getByLabel(field, { exact: true }).fill(text);
  await page.getByRole('checkbox', { name: 'Paid from the cash drawer' }).check();
  await page.getByRole('button', { name: 'Create expense' }).click();
  await expect(page.getByText(`${title} was created`)).toBeVisible();
}

interface Takings {
  orders: number;
  gross: number;
  refunds: number;
  net: number;
  revenue: number;
  cash: number;
  card: number;
}

/** Returns the totals of the last seven days, so that a day that began before midnight counts in full. */
async function takings(clinic: ServerProcess): Promise<Takings> {
  const [{ data: income }, { data: analytics }, { data: stats }] = await Promise.all([
    clinic.api<{ data: IncomeReport }>('/admin/dashboard/income-report?period=week'),
    clinic.api<{ data: Analytics }>('/reports/analytics?period=week'),
    clinic.api<{ data: DashboardStats }>('/admin/dashboard/stats'),
  ]);
  const { totalOrders: orders, grossIncome: gross, refunds, netIncome: net } = income.summary;
  const by = (wanted: PaymentMethod) => analytics.byMethod.find(({ method }) => method === wanted)?.amount ?? 0;
  return {
    orders,
    gross,
    refunds,
    net,
    revenue: stats.week.reduce((sum, day) => sum + day.revenue, 0),
    cash: by('cash'),
    card: by('card'),
  };
}

/** Returns the differences, rounded to cents. */
const increase = (before: Takings, after: Takings): Takings =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      Math.round((value - before[name as keyof Takings]) * 100) / 100,
    ]),
  ) as unknown as Takings;

/** Returns the rows of the report: method, expected, counted, difference. */
async function reportRows(page: Page): Promise<string[]> {
  const rows = await page.getByRole('dialog', { name: 'Z report' }).locator('tbody tr').allInnerTexts();
  return rows.map((row) => row.replace(/\s+/g, ' ').trim());
}

test('a drawer that is closed while one of its tablets is offline adds up to the cent once that tablet is back, and so does the dashboard', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  test.slow();
  const before = await takings(clinic);
  const [desk, surgery] = [await newTablet(clinic), await newTablet(clinic)];
  const morning = Date.now() - 70 * minuteMs;
  for (const tablet of [desk, surgery]) {
    await tablet.page.clock.install({ time: morning });
  }
  await desk.signIn('manager');
  await surgery.signIn('counter');

  await openDrawerSection(desk.page);
  for (const key of ['1', '0', '0', '00']) await desk.page.getByRole('button', { name: key, exact: true }).click();
  await expect(desk.page.getByLabel('Float')).toHaveValue('100,00');
  await desk.page.getByRole('button', { name: 'Open drawer' }).click();
  await expect(desk.page.getByText(/^Open since/)).toBeVisible();
  // An open drawer does not show its expected amount.
  await expect(desk.page.getByText('Expected', { exact: true })).toHaveCount(0);

  await openCounter(desk.page);
  await setClock(desk, morning + 5 * minuteMs);
  const invoices = [await sell(desk), await sell(desk), await sell(desk), await sell(desk, 'Card')];
  await setClock(surgery, morning + 8 * minuteMs);
  await sell(surgery);
  await sell(surgery);
  await openDrawerSection(surgery.page);
  await expect(surgery.page.getByText(/This drawer was opened on/)).toBeVisible();
  await openCounter(surgery.page);
  await expect(surgery.pill).toContainText('Online');

  await surgery.loseNetwork();
  await setClock(surgery, morning + 12 * minuteMs);
  await sell(surgery);
  await setClock(surgery, morning + 66 * minuteMs);
  await sell(surgery);

  await setClock(desk, morning + 40 * minuteMs);
  await sell(desk);
  await sell(desk);
  await refund(desk, invoices[0]!, '60');
  // This sale was paid by card.
  await refund(desk, invoices[3]!, '12.35');
  await openDrawerSection(desk.page);
  await putMoneyIn(desk.page, '20', 'Change from the bank');
  await spendFromDrawer(desk.page, 'Postage stamps', '7.49');

  await setClock(desk, Date.now());
  await openDrawerSection(desk.page);
  await desk.page.getByRole('button', { name: 'Close drawer' }).click();
  await desk.page.getByRole('button', { name: 'Count notes and coins' }).click();
  // The float, nine cash sales and the money put in, less the refund and the expense.
  for (const [piece, count] of [
    ['100,00', 5],
    ['50,00', 1],
    ['20,00', 2],
    ['2,00', 1],
    ['0,50', 1],
    ['0,01', 1],
  ] as const)
    await desk.page.getByLabel(`Pieces of EUR ${piece}`, { exact: true }).fill(String(count));
  await expect(desk.page.getByLabel('Cash', { exact: true })).toHaveValue('592,51');
  await desk.page.getByLabel('Card', { exact: true }).fill('47.65');
  // A reload keeps the count.
  await desk.page.reload();
  await expect(desk.page.getByLabel('Cash', { exact: true })).toHaveValue('592,51');
  await desk.page.getByRole('button', { name: 'Compare' }).click();
  await expect(desk.page.getByRole('row', { name: 'Cash 472,51 592,51 120,00' })).toBeVisible();

  const provisional = await printedBy(desk.page, () =>
    desk.page.getByRole('button', { name: 'Close and print' }).click(),
  );
  await expect(provisional.getByText(/^PROVISIONAL: sales may be missing from/)).toBeVisible({ timeout: 15_000 });
  const { data: tablets } = await clinic.api<{ data: DeviceResource[] }>('/devices');
  const { code } = tablets.reduce((last, each) => (each.id > last.id ? each : last));
  await expect(provisional.getByText(new RegExp(`^PROVISIONAL: .*\\b${code}\\b`))).toBeVisible();
  const report = desk.page.getByRole('dialog', { name: 'Z report' });
  await expect(report.getByText(new RegExp(`^${code} has not connected since`))).toBeVisible();
  expect((await reportRows(desk.page))[0]).toBe('Cash 472,51 592,51 120,00');

  await provisional.close();

  // The report completes while it is open.
  await surgery.context.setOffline(false);
  await expect(report.getByText('Final', { exact: true })).toBeVisible({ timeout: 30_000 });
  const complete = [
    'Cash 592,51 592,51 Exact',
    'Card 47,65 47,65 Exact',
    'Insurance 0,00 0,00 Exact',
    'Others 0,00 0,00 Exact',
    'Total 640,16 640,16 Exact',
  ];
  await expect.poll(() => reportRows(desk.page)).toEqual(complete);
  await expect(report.getByText('EUR -72,35')).toBeVisible();
  await expect(report.getByText('EUR 600,00')).toBeVisible();

  const final = await printedBy(desk.page, () => report.getByRole('button', { name: 'Print' }).click());
  await expect(final.getByText('Postage stamps')).toBeVisible();
  await expect(final.getByText(/PROVISIONAL/)).toHaveCount(0);
  await expect(final.getByText('COPY')).toHaveCount(0);

  await openDrawerSection(surgery.page);
  await surgery.page.getByRole('button', { name: /^Report of/ }).click();
  await expect.poll(() => reportRows(surgery.page)).toEqual(complete);
  await expect(surgery.page.getByText('Final', { exact: true }).first()).toBeVisible();

  const { data } = await clinic.api<{ data: ReportedDrawer[] }>('/drawers');
  // Today's drawer comes first. The demo's drawers are weeks old.
  expect(data[0]!.report).toMatchObject({
    expected: { cash: 592.51, card: 47.65, insurance: 0, others: 0 },
    difference: { cash: 0, card: 0, insurance: 0, others: 0 },
    sales: { count: 10, amount: 600 },
    refunds: { count: 2, amount: -72.35 },
    is_final: true,
  });
  expect(data[0]!.report.invoices.map(({ count }) => count)).toEqual([6, 4]);

  // A fully refunded treatment is cancelled and no longer counts.
  const after = await takings(clinic);
  expect(increase(before, after)).toEqual({
    orders: 9,
    gross: 600,
    refunds: 72.35,
    net: 527.65,
    revenue: 527.65,
    cash: 480,
    card: 47.65,
  });
  await report.getByRole('button', { name: 'Done' }).click();
  await tabTo(desk.page, 'Dashboard');
  await desk.page.getByRole('radio', { name: 'Week' }).click();
  await expect(desk.page.getByRole('region', { name: 'Income report' })).toContainText(euros(after.net));
});
