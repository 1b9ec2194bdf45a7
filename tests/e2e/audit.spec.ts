import { readFile } from 'node:fs/promises';
import { expect, test } from './fixtures.ts';

test('the audit log is filtered and paged, and exports as CSV in Spanish', async ({ tablet }) => {
  const { page, clinic } = tablet;
  await tablet.signIn('admin');
  // One page holds 50 entries.
  for (let number = 1; number <= 52; number++) await clinic.api('/tables', { number: `Box ${number}`, capacity: 2 });
  await page.goto('/admin/audit');
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible();

  await page.getByLabel('Kind').selectOption({ label: 'Settings, rooms and devices' });
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(51);
  await page.reload();
  await expect(page.getByLabel('Kind')).toHaveValue('settings');
  await expect(rows).toHaveCount(51);
  await expect(rows.nth(1)).toContainText('Added a room');
  await expect(rows.nth(1)).toContainText('Box 52');
  await page.getByRole('button', { name: 'Older' }).click();
  for (const number of [1, 2])
    await expect(page.getByRole('table').getByText(`Box ${number}`, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Older' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(rows).toHaveCount(51);

  await page.getByLabel('From').fill('2020-02-02');
  await page.getByLabel('To', { exact: true }).fill('2020-02-01');
  await expect(page.getByText('This is before the first day')).toBeVisible();
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(rows.nth(1)).toBeVisible();

  await tablet.useLanguage('sp');
  await expect(page.getByRole('heading', { name: 'Registro de auditoría' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar CSV' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^audit_log_\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('Añadió un gabinete');
  await page.getByRole('button', { name: 'Actualizar' }).click();
  await expect(rows.filter({ hasText: 'Exportó el registro de auditoría' }).first()).toBeVisible();

  await clinic.stop();
  await page.reload();
  await expect(page.getByText('No se puede contactar con el servidor')).toBeVisible();
  await expect(rows.filter({ hasText: 'Añadió un gabinete' }).first()).toBeVisible();
  await clinic.start();
});
