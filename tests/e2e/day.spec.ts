/** A day on two tablets, one of them without the network for an hour: drawer and dashboard agree to the cent. */
import type { Page } from '@playwright/test';
import { formatMinor, minorFromWire } from '../../domain/money.ts';
import type { PaymentMethod } from '../../domain/order/vocabulary.ts';
import type { DeviceResource } from '../../domain/protocol/sync.ts';
import type { Analytics, DashboardStats, IncomeReport } from '../../domain/report/resources.ts';
import type { ReportedDrawer } from '../../server/modules/drawers/service.ts';
import { invoiceNumber, printedBy, processPayment } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';
import type { ServerProcess } from '../support/server-process.ts';

const minuteMs = 60_000;

/** The hour of a tablet's page, between the morning and now; the server and the workers have the true one. Somebody was there all the time. */
async function hourOf({ page }: Tablet, atMs: number): Promise<void> {
  await page.evaluate((touchedAt) => localStorage.setItem('touched-at', String(touchedAt)), atMs);
  await page.clock.setSystemTime(atMs);
}

const toDrawer = (page: Page) => page.getByRole('link', { name: 'Cash drawer' }).click();
const toCounter = (page: Page) => page.getByRole('link', { name: 'Counter/Checkout' }).click();

async function sell(tablet: Tablet, method?: 'Card'): Promise<string> {
  const { page } = tablet;
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  if (method) await page.getByRole('button', { name: method, exact: true }).click();
  const paper = await processPayment(page);
  const number = await invoiceNumber(paper);
  await paper.close();
  return number;
}

async function refund({ page }: Tablet, invoice: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  await page.getByRole('button', { name: `Refund ${invoice}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund' });
  await dialog.getByLabel('Amount to refund').fill(amount);
  await dialog.getByLabel('Reason').fill('Treatment was stopped');
  const paper = await printedBy(page, () => dialog.getByRole('button', { name: /^Refund EUR/ }).click());
  await paper.close();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Close recent sales' }).click();
}

async function putIn(page: Page, amount: string, reason: string): Promise<void> {
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
  await page.getByRole('button', { name: 'Create Expense' }).click();
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

/** Of the last seven days, so that a day which began before midnight counts whole. */
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

/** To the cent. */
const gain = (before: Takings, after: Takings): Takings =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      Math.round((value - before[name as keyof Takings]) * 100) / 100,
    ]),
  ) as unknown as Takings;

/** Method, expected, counted, difference. */
async function figures(page: Page): Promise<string[]> {
  const rows = await page.getByRole('dialog', { name: 'Z report' }).locator('tbody tr').allInnerTexts();
  return rows.map((row) => row.replace(/\s+/g, ' ').trim());
}

test('a drawer is opened, sold into by two tablets, closed while one is away, and adds up to the cent when that is back, as the dashboard does', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  test.slow();
  const before = await takings(clinic);
  const [desk, surgery] = [await newTablet(clinic), await newTablet(clinic)];
  const morning = Date.now() - 70 * minuteMs;
  for (const tablet of [desk, surgery]) {
    await tablet.page.emulateMedia({ reducedMotion: 'reduce' });
    await tablet.page.clock.install({ time: morning });
  }
  await desk.signIn('manager');
  await surgery.signIn('counter');

  await toDrawer(desk.page);
  for (const key of ['1', '0', '0', '00']) await desk.page.getByRole('button', { name: key, exact: true }).click();
  await expect(desk.page.getByLabel('Float')).toHaveValue('100.00');
  await desk.page.getByRole('button', { name: 'Open drawer' }).click();
  await expect(desk.page.getByText(/^Open since/)).toBeVisible();
  // What should be in it is not to be seen while it is open.
  await expect(desk.page.getByText('Expected', { exact: true })).toHaveCount(0);

  await toCounter(desk.page);
  await hourOf(desk, morning + 5 * minuteMs);
  const invoices = [await sell(desk), await sell(desk), await sell(desk), await sell(desk, 'Card')];
  await hourOf(surgery, morning + 8 * minuteMs);
  await sell(surgery);
  await sell(surgery);
  await toDrawer(surgery.page);
  await expect(surgery.page.getByText(/This drawer was opened on/)).toBeVisible();
  await toCounter(surgery.page);
  await expect(surgery.pill).toContainText('Online');

  await surgery.context.setOffline(true);
  await expect(surgery.pill).toContainText('Offline');
  await hourOf(surgery, morning + 12 * minuteMs);
  await sell(surgery);
  await hourOf(surgery, morning + 66 * minuteMs);
  await sell(surgery);

  await hourOf(desk, morning + 40 * minuteMs);
  await sell(desk);
  await sell(desk);
  await refund(desk, invoices[0]!, '60');
  // The one that was paid by card.
  await refund(desk, invoices[3]!, '12.35');
  await toDrawer(desk.page);
  await putIn(desk.page, '20', 'Change from the bank');
  await spendFromDrawer(desk.page, 'Postage stamps', '7.49');

  await hourOf(desk, Date.now());
  await toDrawer(desk.page);
  await desk.page.getByRole('button', { name: 'Close drawer' }).click();
  await desk.page.getByRole('button', { name: 'Count notes and coins' }).click();
  // What lies in it: the float, nine sales in cash, less what was given back and spent, with what was put in.
  for (const [piece, count] of [
    ['100,00', 5],
    ['50,00', 1],
    ['20,00', 2],
    ['2,00', 1],
    ['0,50', 1],
    ['0,01', 1],
  ] as const)
    await desk.page.getByLabel(`Pieces of EUR ${piece}`, { exact: true }).fill(String(count));
  await expect(desk.page.getByLabel('Cash', { exact: true })).toHaveValue('592.51');
  await desk.page.getByLabel('Card', { exact: true }).fill('47.65');
  // A reload loses none of it.
  await desk.page.reload();
  await expect(desk.page.getByLabel('Cash', { exact: true })).toHaveValue('592.51');
  await desk.page.getByRole('button', { name: 'Compare' }).click();
  await expect(desk.page.getByRole('row', { name: 'Cash 472,51 592,51 120,00' })).toBeVisible();

  const paper = await printedBy(desk.page, () => desk.page.getByRole('button', { name: 'Close and print' }).click());
  await expect(paper.getByText('PROVISIONAL')).toBeVisible({ timeout: 15_000 });
  const { data: tablets } = await clinic.api<{ data: DeviceResource[] }>('/devices');
  const { code } = tablets.reduce((last, each) => (each.id > last.id ? each : last));
  await expect(paper.getByText(code, { exact: true })).toBeVisible();
  const report = desk.page.getByRole('dialog', { name: 'Z report' });
  await expect(report.getByText(new RegExp(`^${code} has not reported since`))).toBeVisible();
  expect((await figures(desk.page))[0]).toBe('Cash 472,51 592,51 120,00');

  await paper.close();

  // It comes back, and the report completes before one's eyes.
  await surgery.context.setOffline(false);
  await expect(report.getByText('Final', { exact: true })).toBeVisible({ timeout: 30_000 });
  const complete = [
    'Cash 592,51 592,51 Exact',
    'Card 47,65 47,65 Exact',
    'Insurance 0,00 0,00 Exact',
    'Others 0,00 0,00 Exact',
    'Total 640,16 640,16 Exact',
  ];
  await expect.poll(() => figures(desk.page)).toEqual(complete);
  await expect(report.getByText('EUR -72,35')).toBeVisible();
  await expect(report.getByText('EUR 600,00')).toBeVisible();

  const final = await printedBy(desk.page, () => report.getByRole('button', { name: 'Print' }).click());
  await expect(final.getByText('Postage stamps')).toBeVisible();
  await expect(final.getByText('PROVISIONAL')).toHaveCount(0);
  await expect(final.getByText('COPY')).toHaveCount(0);

  await toDrawer(surgery.page);
  await surgery.page.getByRole('button', { name: /^Report of/ }).click();
  await expect.poll(() => figures(surgery.page)).toEqual(complete);
  await expect(surgery.page.getByText('Final', { exact: true }).first()).toBeVisible();

  const { data } = await clinic.api<{ data: ReportedDrawer[] }>('/drawers');
  // The one of today comes first; the demo's own are of the weeks before.
  expect(data[0]!.report).toMatchObject({
    expected: { cash: 592.51, card: 47.65, insurance: 0, others: 0 },
    difference: { cash: 0, card: 0, insurance: 0, others: 0 },
    sales: { count: 10, amount: 600 },
    refunds: { count: 2, amount: -72.35 },
    is_final: true,
  });
  expect(data[0]!.report.invoices.map(({ count }) => count)).toEqual([6, 4]);

  // A treatment whose money was given back whole is cancelled, and counts no more.
  const after = await takings(clinic);
  expect(gain(before, after)).toEqual({
    orders: 9,
    gross: 600,
    refunds: 72.35,
    net: 527.65,
    revenue: 527.65,
    cash: 480,
    card: 47.65,
  });
  await report.getByRole('button', { name: 'Done' }).click();
  await desk.page.getByRole('link', { name: 'Dashboard' }).click();
  await desk.page.getByRole('radio', { name: 'Week' }).click();
  await expect(desk.page.getByRole('region', { name: 'Income report' })).toContainText(
    formatMinor(minorFromWire(after.net)),
  );
});
