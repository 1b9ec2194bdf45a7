/** Treatments that are agreed and paid as another device would, and their refunds at the counter and on paper. */
import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { OrderResource } from '#domain/order/resource.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { printedBy } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { newId } from '../support/unique.ts';
import { openDrawerSection } from './elements.ts';

export const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Refund' });
export const sales = (page: Page): Locator => page.getByRole('dialog', { name: 'Recent sales' });
export const amount = (page: Page): Locator => dialogOf(page).getByLabel('Amount to refund');
export const stillOwed = (page: Page): Locator =>
  dialogOf(page).getByRole('checkbox', { name: 'Taken by mistake: still to be paid' });

/** Adds a service and returns its id. */
export async function addService(clinic: ServerProcess, name: string, tax = 'E1', price = 100): Promise<number> {
  return (await clinic.api<{ data: { id: number } }>('/products', { name, price, tax })).data.id;
}

/** Creates a treatment as another device would. Returns its id. */
export async function agree(clinic: ServerProcess, services: number[], about: object): Promise<string> {
  const order_id = newId();
  const items = services.map((product_id) => ({ product_id, quantity: 1 }));
  await clinic.api('/orders', { order_id, items, ...about });
  return order_id;
}

export const pay = (clinic: ServerProcess, id: string, paid: number) =>
  clinic.api(`/orders/${id}/payments`, { payment_method: 'cash', amount: paid });

export const orderOf = async (clinic: ServerProcess, id: string): Promise<OrderResource> =>
  (await clinic.api<{ data: OrderResource }>(`/orders/${id}`)).data;

/** Opens the refund of a treatment in Recent sales. */
export async function openRefund({ page }: Tablet, customer: string): Promise<void> {
  if (!(await sales(page).isVisible())) await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  await page.getByLabel('Search by number, patient or amount').fill(customer);
  await sales(page)
    .getByRole('listitem')
    .filter({ hasText: customer })
    .getByRole('button', { name: /^Refund/ })
    .first()
    .click();
}

/** Completes the refund dialog. Returns the window of the credit note. */
export async function refund({ page }: Tablet, reason = 'Not satisfied'): Promise<Page> {
  await dialogOf(page).getByRole('button', { name: reason }).click();
  return printedBy(page, () =>
    dialogOf(page)
      .getByRole('button', { name: /^Refund EUR/ })
      .click(),
  );
}

export const linesOf = async (text: Locator): Promise<string[]> =>
  (await text.innerText()).split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());

/** Returns what a document says, without the time of its issue. */
export function said(lines: string[]): string[] {
  const texts = lines.filter((line) => line !== '');
  // On a strip the label and the time are one line, on A4 two.
  return texts.filter((text, index) => !text.startsWith('Issued') && texts[index - 1] !== 'Issued');
}

/** Opens a drawer with this float at the tablet. */
export async function openDrawer({ page }: Tablet, float: string): Promise<void> {
  await openDrawerSection(page);
  await page.getByLabel('Float').fill(float);
  await page.getByRole('button', { name: 'Open drawer' }).click();
  await expect(page.getByText(/^Open since/)).toBeVisible();
}

/** Closes the open drawer with this cash. Returns what its Z report prints, as one text. */
export async function printedZ({ page }: Tablet, cash: string): Promise<string> {
  await openDrawerSection(page);
  await page.getByRole('button', { name: 'Close drawer' }).click();
  await page.getByLabel('Cash', { exact: true }).fill(cash);
  await page.getByRole('button', { name: 'Compare' }).click();
  const paper = await printedBy(page, () => page.getByRole('button', { name: 'Close and print' }).click());
  await expect(paper.getByText('Z report')).toBeVisible({ timeout: 15_000 });
  const printed = said(await linesOf(paper.locator('body'))).join(' ');
  await paper.close();
  return printed;
}
