import { readFile } from 'node:fs/promises';
import { expect, test } from './desk.ts';

test('the audit log is filtered and paged, and exports as CSV in Spanish @long', async ({ desk, clinic }) => {
  const tablet = await desk('admin', '/admin/audit');
  const { page } = tablet;
  const stamp = Date.now();
  const box = (number: number) => `Box ${stamp}-${number}`;
  const add = async (number: number) => {
    const { data } = await clinic.api<{ data: { id: number } }>('/tables', { number: box(number), capacity: 2 });
    return data.id;
  };
  // One page holds 50 entries. Those between the oldest and the newest may come in any order.
  const ids = [await add(1), await add(2)];
  ids.push(...(await Promise.all(Array.from({ length: 49 }, (_, at) => add(at + 3)))), await add(52));
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible();

  await page.getByLabel('Kind').selectOption({ label: 'Settings and rooms' });
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(51);
  await page.reload();
  await expect(page.getByLabel('Kind')).toHaveValue('settings');
  await expect(rows).toHaveCount(51);
  await expect(rows.nth(1)).toContainText('Added a room');
  await expect(rows.nth(1)).toContainText(box(52));
  await page.getByRole('button', { name: 'Older' }).click();
  for (const number of [1, 2])
    await expect(page.getByRole('table').getByText(box(number), { exact: true })).toBeVisible();
  // Other tests may have added further pages.
  const older = page.getByRole('button', { name: 'Older' });
  while (await older.isVisible()) {
    const first = (await rows.nth(1).textContent())!;
    await older.click();
    await expect(rows.nth(1)).not.toHaveText(first);
  }
  await expect(older).toHaveCount(0);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect(rows).toHaveCount(51);

  await page.getByRole('button', { name: 'Dates: Any date' }).click();
  await page.getByLabel('From').fill('2020-02-02');
  await page.getByLabel('To', { exact: true }).fill('2020-02-01');
  await expect(page.getByText('This is before the first day')).toBeVisible();
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
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
  await Promise.all(ids.map((id) => clinic.api(`/tables/${id}`, undefined, 'DELETE')));
});
