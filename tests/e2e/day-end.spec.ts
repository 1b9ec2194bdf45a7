import { printedBy } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { euros, sellService } from './elements.ts';
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { Page } from '@playwright/test';

const row = (page: Page, name: string | RegExp) =>
  page.getByRole('article').getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd').first();

/** A day as a person types it in English. */
const typed = (day: string): string => day.split('-').reverse().join('/');

test('the day-end summary shows the day’s totals, prints, and shows past days', async ({ desk, clinic }) => {
  const read = async (day = '') => (await clinic.api<{ data: DayEnd }>(`/reports/day-end${day && `?day=${day}`}`)).data;
  const before = await read();
  await sellService(clinic, 'Dental cleaning');
  const end = await read();
  expect(end.gross).toBe(before.gross + 60);

  const { page } = await desk('manager', '/reports');
  await page.getByRole('tab', { name: 'Day end' }).click();
  const day = page.getByLabel('Business day');
  await expect(day).toHaveValue(typed(end.day));
  await expect(page.getByText('The day is not over yet')).toBeVisible();
  await expect(row(page, 'Payments')).toHaveText(euros(end.gross));
  await expect(row(page, /^Revenue/)).toHaveText(euros(end.revenue));
  await expect(row(page, /^Cash/)).toHaveText(euros(end.byMethod.find(({ method }) => method === 'cash')!.amount));
  expect(end.cash.outside).toBeGreaterThanOrEqual(60);
  await expect(row(page, 'Outside any drawer')).toHaveText(euros(end.cash.outside));
  await expect(row(page, 'Treatments of the day')).toHaveText(String(end.orders));
  await expect(
    page.getByRole('article').getByRole('region', { name: 'Stock that needs attention' }).getByRole('term'),
  ).toHaveCount(end.shelf.length);

  const summary = await printedBy(page, () => page.getByRole('button', { name: 'Print' }).click());
  await expect(summary.getByRole('heading', { name: /^Day-end summary of/ })).toBeVisible();
  await expect(summary.getByText(euros(end.revenue)).first()).toBeVisible();
  await summary.close();

  // A future day is refused. A past day is marked as final, also after a reload.
  await day.fill('01/01/2999');
  await expect(day).toHaveValue(typed(end.day));
  await day.fill(typed(end.before.day));
  await expect(page.getByText(/^A device that was offline may still add/)).toBeVisible();
  await page.reload();
  await expect(day).toHaveValue(typed(end.before.day));
  await expect(row(page, /^Revenue/)).toHaveText(euros(end.before.revenue));
  await page.evaluate(() => localStorage.setItem('i18nextLng', 'sp'));
  await page.goto('/reports?tab=day-end');
  await expect(page.getByRole('tab', { name: 'Cierre del día' })).toHaveAttribute('aria-selected', 'true');
  await expect(row(page, /^Ingresos/)).toHaveText(euros(end.revenue));
});

test('a test email goes to the saved address, and a failure shows the reason @long', async ({ desk, clinic }) => {
  await clinic.api('/settings', { notification_email: '' }, 'PUT');
  const { page } = await desk('admin', '/admin/settings');
  const send = page.getByRole('button', { name: 'Send a test mail' });
  await expect(page.getByText(/^Save an address first/)).toBeVisible();
  await expect(send).toBeDisabled();
  await page.getByLabel('Notification email').fill('owner@clinic.test');
  await expect(page.getByText(/^Save the new address first/)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(send).toBeEnabled();
  await send.click();
  await expect(page.getByText('The test mail was not sent')).toBeVisible();
  await expect(page.getByText(/^This server cannot send mail yet/)).toBeVisible();

  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/settings/test-mail', async (route) => {
    await answered;
    await route.fulfill({
      status: 502,
      contentType: 'application/json',
      body: JSON.stringify({ success: false, code: 'MAIL_FAILED', message: '' }),
    });
  });
  await send.click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  answer();
  await expect(page.getByText('The mail server did not accept the message.')).toBeVisible();
  await page.unroute('**/settings/test-mail');
  await page.route('**/settings/test-mail', (route) =>
    route.fulfill({ json: { success: true, data: { to: 'owner@clinic.test' } } }),
  );
  await send.click();
  await expect(page.getByText('Test mail sent to owner@clinic.test')).toBeVisible();
  await clinic.api('/settings', { notification_email: '' }, 'PUT');
});
