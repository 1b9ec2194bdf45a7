/** Cash drawers that a test leaves or finds, and how a person closes one. */
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import type { DrawerResource } from '#domain/drawer/resource.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { printedBy } from '../support/tablet.ts';

/** Closes every open drawer of the clinic. */
export async function closeDrawers(clinic: ServerProcess): Promise<void> {
  const { data } = await clinic.api<{ data: DrawerResource[] }>('/drawers?per_page=200');
  const counted = { cash: 0, card: 0, insurance: 0, others: 0 };
  for (const { id, closed_at } of data) if (closed_at === null) await clinic.api(`/drawers/${id}/close`, { counted });
}

/** Counts the cash of the open drawer, closes it, and closes the window of its report. */
export async function countAndClose(page: Page, cash: string): Promise<void> {
  await page.getByRole('button', { name: 'Close drawer' }).click();
  await page.getByLabel('Cash', { exact: true }).fill(cash);
  await page.getByRole('button', { name: 'Compare' }).click();
  const report = await printedBy(page, () => page.getByRole('button', { name: 'Close and print' }).click());
  await expect(report.getByText('Z report')).toBeVisible({ timeout: 15_000 });
  await report.close();
  await page.getByRole('button', { name: 'Done' }).click();
}
