import type { Page } from '@playwright/test';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { chooseAction, field, storedIn } from './elements.ts';

const newEmail = () => `person${Date.now()}@clinic.test`;
const staffRow = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email });

test('the form names the problem of each field and keeps its values after a reload, except the password @long', async ({
  desk,
}) => {
  const { page } = await desk('admin', '/admin/staff');
  const fill = (label: string, text: string) => field(page, label).fill(text);
  const create = page.getByRole('button', { name: 'Create user', exact: true });
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  await fill('Name', 'Al');
  await fill('Email', 'nobody');
  await fill('Password', '12345');
  await create.click();
  for (const problem of [
    'Name must be at least 3 characters',
    'Invalid email format',
    'Password must be at least 6 characters',
  ])
    await expect(page.getByText(problem)).toBeVisible();

  await fill('Name', 'Alba Torres');
  await fill('Email', 'counter@demo.test');
  await fill('Password', 'sol y sombra');
  await create.click();
  await expect(page.getByText('Someone else has this email')).toBeVisible();
  await expect(field(page, 'Name')).toHaveValue('Alba Torres');

  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  await expect(field(page, 'Name')).toHaveValue('Alba Torres');
  await expect(field(page, 'Password')).toHaveValue('');
  const stored = await storedIn(page, 'drafts');
  expect(stored).toContain('staff:new');
  expect(stored).not.toMatch(/Alba Torres|sombra/);
});

test('a new user can sign in, changes the password with the present one, and is signed out when deactivated', async ({
  desk,
  tablet: other,
}) => {
  const { page } = await desk('admin', '/admin/staff');
  const email = newEmail();
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  await field(page, 'Name').fill('Íñigo Ñúñez');
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill('sol y sombra');
  await page.getByRole('button', { name: 'Create user', exact: true }).click();
  await expect(page.getByText('Íñigo Ñúñez was added')).toBeVisible();

  await other.page.goto('/login');
  await other.submitSignIn(email, 'sol y sombra');
  await expect(other.page.locator('[data-tile]').first()).toBeVisible({ timeout: 20_000 });
  await other.page.getByRole('button', { name: /Account of Íñigo/ }).click();
  await other.page.getByRole('link', { name: 'Profile' }).click();
  const change = other.page.getByRole('button', { name: 'Change password' });
  await other.page.getByLabel('Current password').fill('not it');
  await other.page.getByLabel('New password').fill('123');
  await change.click();
  await expect(other.page.getByText('Password must be at least 6 characters')).toBeVisible();
  await other.page.getByLabel('New password').fill('luna y mar');
  await change.click();
  await expect(other.page.getByText('Wrong current password')).toBeVisible();
  await other.page.getByLabel('Current password').fill('sol y sombra');
  await change.click();
  await expect(other.page.getByText('Your password was changed')).toBeVisible();
  await other.page.goto('/');

  await page.getByLabel('Search by name or email').fill('inigo');
  const row = staffRow(page, email);
  await expect(row).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  await chooseAction(row, 'Íñigo Ñúñez', 'Edit');
  await page.getByLabel('Status').selectOption('inactive');
  await page.getByRole('button', { name: 'Update user', exact: true }).click();
  await expect(page.getByText('Íñigo Ñúñez was updated')).toBeVisible();

  // The counter keeps selling and asks to sign in. A page that calls the server redirects to the sign-in page.
  await other.page.reload();
  await expect(other.pill).toContainText('Sign in', { timeout: 20_000 });
  await other.page.goto('/profile');
  await other.page.getByLabel('Name', { exact: true }).fill('Somebody Else');
  await other.page.getByRole('button', { name: 'Save' }).click();
  await expect(other.page).toHaveURL(/\/login/);

  await page.getByLabel('Search by name or email').fill('inigo');
  await chooseAction(staffRow(page, email), 'Íñigo Ñúñez', 'Delete');
  const asked = page.getByRole('dialog', { name: 'Delete user?' });
  await expect(asked).toContainText(`Íñigo Ñúñez (${email})`);
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Íñigo Ñúñez was deleted')).toBeVisible();
  await expect(page.getByText('No one found')).toBeVisible();
});

test('a manager can edit the staff, but no administrator @long', async ({ desk }) => {
  const { page } = await desk('manager', '/staff');
  await expect(staffRow(page, 'counter@demo.test').getByRole('button', { name: /^Actions for/ })).toBeVisible();
  await expect(staffRow(page, 'admin@demo.test')).toBeVisible();
  await expect(staffRow(page, 'admin@demo.test').getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: 'Add staff' }).first().click();
  await expect(page.getByLabel('Role').locator('option')).toHaveText(['Manager', 'Counter', 'Clinician', 'Assistant']);
});

test('saved settings appear on the invoice of another tablet', async ({ desk, clinic }) => {
  const { data: before } = await clinic.api<{ data: ClinicSettings }>('/settings');
  const counter = await desk('counter', '/');
  const { page } = await desk('admin', '/admin/staff');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Practice name').fill('');
  await page.getByLabel('Order timeout (minutes)').fill('121');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('This field is required')).toBeVisible();
  await expect(page.getByText('Enter 1 to 120 minutes')).toBeVisible();
  await page.getByLabel('Practice name').fill('Clínica Sol');
  await page.getByLabel('Order timeout (minutes)').fill('45');
  const footer = `Hasta pronto ${Date.now()}`;
  await page.getByLabel('Receipt footer').fill(footer);
  await expect(page.getByRole('region', { name: 'Preview of an invoice' }).getByText(footer)).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect.poll(() => storedIn(counter.page, 'settings')).toContain(footer);
  const invoice = await counter.sellForCash();
  await expect(invoice.getByText(footer)).toBeVisible();
  const { practice_name, order_timeout_minutes, receipt_footer } = before;
  await clinic.api('/settings', { practice_name, order_timeout_minutes, receipt_footer }, 'PUT');
});

test.describe('a browser in neither language', () => {
  test.use({ locale: 'fr-FR' });

  test('starts in the clinic’s language and keeps it @long', async ({ tablet, clinic }) => {
    const { page } = tablet;
    await clinic.api('/settings', { default_language: 'sp' }, 'PUT');
    await page.goto('/login');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
    await clinic.api('/settings', { default_language: 'en' }, 'PUT');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-ES');
  });
});
