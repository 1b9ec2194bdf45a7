import { expect, test } from './fixtures.ts';
import { euros } from './elements.ts';
import { addService, agree, pay, sales } from './owed.ts';
import { printedBy } from '../support/tablet.ts';

test('recent sales stand below their day, with the method and what each payment took, and keep the chosen row @long', async ({
  clinic,
  tabletOf,
}) => {
  const service = await addService(clinic, 'Implant crown in two parts', 'E1', 100);
  const customer = 'Remedios Quintanilla';
  const id = await agree(clinic, [service], { customer_name: customer });
  await pay(clinic, id, 30);
  await clinic.api(`/orders/${id}/payments`, { payment_method: 'card', amount: 70 });
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  const today = sales(page).getByRole('region', { name: 'Today' });
  const invoice = today.getByRole('listitem').filter({ hasText: customer }).filter({ hasText: 'Card' });
  // The invoice is of 100, and the card paid 70 of it: the amounts of the rows add up to what was taken.
  await expect(invoice).toContainText(euros(70));
  await expect(invoice).toContainText(`Document: ${euros(100)}`);

  // The amounts stand below each other, whatever can be done with a sale.
  const rightEdges = await today
    .getByText(/^EUR -?[\d.]+,\d\d$/)
    .evaluateAll((amounts) => [...new Set(amounts.map((amount) => Math.round(amount.getBoundingClientRect().right)))]);
  expect(rightEdges).toHaveLength(1);

  // Actions are words, and the row that was used stays marked when others come.
  await expect(invoice.getByText('Reprint', { exact: true })).toBeVisible();
  await expect(invoice.getByText('Refund', { exact: true })).toBeVisible();
  const copy = await printedBy(page, () => invoice.getByRole('button', { name: /^Reprint INV-/ }).click());
  await copy.close();
  await expect(invoice).toHaveAttribute('aria-current', 'true');
  const other = await agree(clinic, [service], { customer_name: 'Somebody else' });
  await pay(clinic, other, 100);
  await expect(today.getByRole('listitem').filter({ hasText: 'Somebody else' })).toBeVisible({ timeout: 30_000 });
  await expect(invoice).toHaveAttribute('aria-current', 'true');
  await expect(invoice).toBeInViewport();
});
