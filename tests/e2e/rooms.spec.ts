import type { Locator, Page } from '@playwright/test';
import { ServerProcess } from '../support/server-process.ts';
import { processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

let clinic: ServerProcess;
test.beforeAll(async () => {
  clinic = await ServerProcess.create();
});
test.afterAll(() => clinic.destroy());

const room = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a manager adds, marks and deletes rooms; the form names missing values in both languages, and an occupied room is not deleted', async ({
  newTablet,
}) => {
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await expect(room(page, 'Room 3')).toContainText('Available');
  await expect(room(page, 'Room 4')).toContainText('Marked as occupied');

  await page.getByRole('button', { name: 'Add Room' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Places').fill('0');
  await form.getByRole('button', { name: 'Create room' }).click();
  await expect(form.getByText('Table number is required')).toBeVisible();
  await expect(form.getByText('Table must have at least 1 seat')).toBeVisible();
  await form.getByLabel('Places').fill('21');
  await expect(form.getByText('Maximum 20 seats per table')).toBeVisible();
  await tablet.useLanguage('sp');
  await form.getByLabel('Plazas').fill('21');
  await form.getByRole('button', { name: 'Crear gabinete' }).click();
  await expect(form.getByText('El número del gabinete es obligatorio')).toBeVisible();
  await expect(form.getByText('Como máximo 20 plazas por gabinete')).toBeVisible();
  await form.getByLabel('Plazas').fill('');
  await expect(form.getByText('El gabinete debe tener al menos 1 plaza')).toBeVisible();
  await form.getByLabel('Plazas').fill('3');
  await form.getByLabel('Número').fill('3');
  await form.getByLabel('Ubicación').fill('Ático');
  await form.getByRole('button', { name: 'Crear gabinete' }).click();
  await expect(page.getByText('Ya hay un gabinete con este número.')).toBeVisible();
  await form.getByLabel('Número').fill('12');
  await form.getByRole('button', { name: 'Crear gabinete' }).click();
  await expect(room(page, 'Gabinete 12')).toContainText('3 plazas');
  await expect(page.getByRole('heading', { name: 'Ático' })).toBeVisible();

  await page.getByRole('button', { name: 'Marcar Gabinete 12 como ocupado' }).click();
  await expect(room(page, 'Gabinete 12')).toContainText('Marcado como ocupado');
  await page.getByRole('button', { name: 'Eliminar Gabinete 12' }).click();
  await expect(page.getByText('El gabinete está ocupado. Libérelo primero.')).toBeVisible();
  await tablet.useLanguage('en');
  await page.getByRole('button', { name: 'Delete Room 12' }).click();
  await expect(page.getByText('Table is currently occupied. Please clear the table first.')).toBeVisible();
  // The toast covers the buttons of the lowest row.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Clear Room 12' }).click();
  await expect(room(page, 'Room 12')).toContainText('Available');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Delete Room 12' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(room(page, 'Room 12')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Ático' })).toHaveCount(0);
});

test('a treatment created offline occupies its room on another tablet once it is sent, until it is paid', async ({
  newTablet,
}) => {
  test.slow();
  const [tablet, office] = [await newTablet(clinic), await newTablet(clinic)];
  const { page, context } = tablet;
  await office.signIn('manager');
  await office.page.getByRole('link', { name: 'Rooms', exact: true }).click();
  const seen = room(office.page, 'X-ray');
  await expect(seen).toContainText('Available');
  await tablet.signIn('counter');
  await context.setOffline(true);
  await tablet.service('3D scan').click();
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^X-ray/ })
    .click();
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  await tablet.service('3D scan').click();
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^X-ray/ })).toContainText('Occupied');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(seen).toContainText('Available');

  await context.setOffline(false);
  await expect(seen).toContainText('Occupied', { timeout: 30_000 });
  await expect(seen).toContainText(/T-[A-Z]\d-\d{6}/);
  await seen.getByRole('button', { name: 'Delete X-ray' }).click();
  await expect(office.page.getByText('Table is currently occupied. Please clear the table first.')).toBeVisible();
  await seen.getByRole('button', { name: 'Clear X-ray' }).click();
  await expect(
    office.page.getByText(
      'A treatment is under way in this room. It becomes free when the treatment is paid or cancelled.',
    ),
  ).toBeVisible();

  await page.getByRole('tab', { name: /payment/i }).click();
  await page.getByRole('listitem').filter({ hasText: 'X-ray' }).getByText(/T-/).first().click();
  await expect(page.getByRole('region', { name: 'Payment' }).getByText('X-ray')).toBeVisible();
  const invoice = await processPayment(page);
  await expect(invoice.getByText('X-ray')).toBeVisible();
  await expect(seen).toContainText('Available', { timeout: 30_000 });
});

test('the rooms show their last data and their time while the server is down, and the form keeps its values', async ({
  newTablet,
}) => {
  test.slow();
  const own = await ServerProcess.create();
  const tablet = await newTablet(own);
  const { page } = tablet;
  await tablet.signIn('admin');
  await page.goto('/admin/rooms?room=new');
  const form = page.getByRole('dialog');
  await form.getByLabel('Number').fill('Recovery');
  await own.stop();
  await form.getByRole('button', { name: 'Create room' }).click();
  await expect(page.getByText('Please check your connection and try again.')).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('Number')).toHaveValue('Recovery');
  await expect(page.getByText(/This is how things stood on/)).toBeVisible({ timeout: 30_000 });
  await expect(room(page, 'Surgery')).toContainText('Occupied');
  await own.start();
  await form.getByRole('button', { name: 'Create room' }).click();
  await expect(room(page, 'Recovery')).toContainText('Available', { timeout: 30_000 });
  await expect(page.getByText(/This is how things stood on/)).toHaveCount(0, { timeout: 30_000 });
  await own.destroy();
});
