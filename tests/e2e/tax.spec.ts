/** A clinic with a tax profile: settings, items, and a full invoice on a tablet without a network. */
import type { Page } from '@playwright/test';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import { invoiceNumber, printedBy, processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test('an administrator chooses the profile, and the counter sells above 400 euros with a full invoice, offline', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  const office = await newTablet(clinic);
  await office.signIn('admin');
  const { page } = office;
  await page.goto('/admin/settings');
  const section = page.getByRole('region', { name: 'Tax and invoices' });
  await expect(section.getByRole('textbox')).toHaveCount(0);
  await section.getByLabel('Tax profile').selectOption('ES');
  await section.getByLabel('Legal name').fill('Clínica Dental Luz, S.L.');
  await section.getByLabel('NIF').fill('B65410012');
  await section.getByLabel('Postal code').fill('48001');
  await expect(section.getByText(/TicketBAI/)).toBeVisible();
  await section.getByLabel('City').fill('Madrid');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(section.getByText('This is not a valid NIF, NIE or CIF')).toBeVisible();
  await section.getByLabel('NIF').fill('b-65410011');
  await section.getByLabel('Postal code').fill('28013');
  // A demo has no VERI*FACTU, without which only a clinic of SII issues invoices.
  await page.getByRole('checkbox', { name: /SII/ }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  const { id } = (
    await clinic.api<{ data: { id: number } }>('/products', { name: 'Crown of zirconia', price: 620 }, 'POST')
  ).data;
  await clinic.api('/products', { name: 'Sonic toothbrush', price: 48.4, tax: 'standard' }, 'POST');
  await clinic.api('/products', { name: 'Full arch on six implants', price: 7200 }, 'POST');
  expect(id).toBeGreaterThan(0);

  await page.goto('/');
  await office.counterReady();
  for (const name of ['Crown of zirconia', 'Sonic toothbrush']) {
    await page.getByRole('searchbox').fill(name);
    await office.service(name).click();
  }
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Card', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Invoice now' })).toBeVisible();
  await office.loseNetwork();
  await page.getByRole('button', { name: 'Process Payment', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Full invoice' });
  await asked.getByLabel('Name').fill('Eva Ruiz');
  await asked.getByRole('button', { name: 'Full invoice' }).click();
  await expect(asked.getByText('This is not a valid NIF, NIE or CIF')).toBeVisible();
  await asked.getByLabel('NIF').fill('12345678z');
  await asked.getByLabel('Address').fill('Calle Sol 2');
  await asked.getByLabel('Postal code').fill('28013');
  await asked.getByLabel('City').fill('Madrid');
  const paper = await printedBy(page, () => asked.getByRole('button', { name: 'Full invoice' }).click());
  for (const text of [/^F-/, 'Eva Ruiz', '12345678Z', 'Taxable base 21 %', 'EUR 40,00', 'EUR 8,40', 'EUR 668,40'])
    await expect(paper.getByText(text).first()).toBeVisible();
  await expect(paper.locator('.paper-qr')).toHaveCount(0);
  await paper.close();

  // Without the data the money is taken, and the treatment waits for its full invoice.
  await page.getByRole('searchbox').fill('Full arch');
  await office.service('Full arch on six implants').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Cash', exact: true }).click();
  await page.getByRole('button', { name: 'Process Payment', exact: true }).click();
  await expect(asked.getByText(/the law asks for a full invoice/)).toBeVisible();
  await asked.getByRole('button', { name: 'Take the money, invoice later' }).click();
  // So much cash is forbidden.
  const warned = page.getByRole('dialog', { name: 'Cash of 1,000 € or more?' });
  await warned.getByRole('button', { name: 'Correct the amount' }).click();
  await page.getByRole('button', { name: 'Card', exact: true }).click();
  const receipt = await printedBy(page, () =>
    page.getByRole('button', { name: 'Process Payment', exact: true }).click(),
  );
  await expect(receipt.getByText('EUR 7.200,00').first()).toBeVisible();
  await expect(receipt.getByText(/^(INV|F)-/)).toHaveCount(0);
  await receipt.close();

  await office.context.setOffline(false);
  await expect(office.pill).toContainText('Online', { timeout: 30_000 });
  await office.openOutbox();
  const waits = page
    .getByRole('region', { name: 'For a manager' })
    .getByRole('listitem')
    .filter({ hasText: 'Paid, not invoiced' });
  await waits.getByRole('button', { name: 'Invoice now' }).click();
  const full = await printedBy(page, () => fillRecipient(page));
  await expect(full.getByText(/^F-/).first()).toBeVisible();
});

const issuer = {
  tax_profile: 'ES',
  books_by_sii: true,
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};
/** As long as a name on a tile may be. */
const longName = 'Sonic toothbrush with six heads, a travel case and a charger';

async function fillRecipient(page: Page): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Full invoice' });
  for (const [label, value] of [
    ['Name', 'Eva Ruiz'],
    ['NIF', '12345678z'],
    ['Address', 'Calle Sol 2'],
    ['Postal code', '28013'],
    ['City', 'Madrid'],
  ] as const)
    await asked.getByLabel(label).fill(value);
  await asked.getByRole('button', { name: 'Full invoice' }).click();
}

test('offline, a simplified invoice is exchanged, and an invoiced treatment is cancelled by a corrective invoice @long', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  await clinic.api('/settings', issuer, 'PUT');
  await clinic.api('/products', { name: longName, price: 48.4, tax: 'standard' }, 'POST');
  const tablet = await newTablet(clinic);
  await tablet.signIn('manager');
  const { page } = tablet;
  const plan = async () => {
    await page.getByRole('searchbox').first().fill('Sonic');
    await tablet.service(longName).click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
  };
  await tablet.openCounter();
  await plan();
  await tablet.loseNetwork();
  const simplified = await processPayment(page);
  const number = await invoiceNumber(simplified);
  await simplified.close();

  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  const sales = page.getByRole('dialog', { name: 'Recent sales' });
  const exchange = sales.getByRole('button', { name: `Exchange ${number} for a full invoice` });
  await exchange.click();
  const full = await printedBy(page, () => fillRecipient(page));
  for (const text of [/^F-/, 'Eva Ruiz', new RegExp(`^${number}`), 'EUR 48,40'])
    await expect(full.getByText(text).first()).toBeVisible();
  await full.close();
  await expect(exchange).toHaveCount(0);
  // The full invoice is refunded, not the one that it took the place of.
  await expect(sales.getByText(/^Exchanged for F-/)).toHaveCount(1);
  await expect(sales.getByRole('button', { name: `Refund ${number}` })).toHaveCount(0);
  await sales.getByRole('button', { name: 'Close recent sales' }).click();

  await plan();
  const invoiced = await printedBy(page, () => page.getByRole('button', { name: 'Invoice now' }).click());
  const second = await invoiceNumber(invoiced);
  await invoiced.close();
  await page.getByRole('button', { name: 'Cancel Treatment' }).click();
  await expect(page.getByText(/A corrective invoice takes back what is invoiced/)).toBeVisible();
  const corrective = await printedBy(page, () =>
    page.getByRole('dialog').getByRole('button', { name: 'Cancel Treatment' }).click(),
  );
  for (const text of ['Corrective invoice', /^R-/, new RegExp(`^${second}`), 'EUR -40,00', 'EUR -8,40'])
    await expect(corrective.getByText(text).first()).toBeVisible();
  await corrective.close();

  await tablet.context.setOffline(false);
  await expect(tablet.pill).toContainText('Online', { timeout: 30_000 });
  const taxes = async () => (await clinic.api<{ data: { taxes: TaxTotalPayload[] } }>('/reports/day-end')).data.taxes;
  await expect.poll(taxes).toContainEqual({ rate: 21, base: 40, tax: 8.4, gross: 48.4 });
  await page.goto('/reports?tab=day-end');
  await expect(page.getByRole('region', { name: 'Tax by rate' })).toBeVisible();
  await page.goto('/reports?tab=export');
  await expect(page.getByRole('region', { name: 'Tax by rate' })).toBeVisible();
});
