/** One invoice to a payer over treatments of a month, from the choice to the issued invoice. */
import { businessDay } from '#domain/business-day.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { startFiscalClinic } from '../support/fiscal-clinic.ts';
import type { FiscalClinic } from '../support/fiscal-clinic.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expect, test as base } from './fixtures.ts';

const test = base.extend<object, { fiscal: FiscalClinic }>({
  fiscal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
      const fiscal = await startFiscalClinic();
      await use(fiscal);
      await fiscal.destroy();
    },
    { scope: 'worker' },
  ],
});

test('a manager bills an insurer for treatments of a month', async ({ newTablet, fiscal: { clinic } }) => {
  test.setTimeout(120_000);
  const product = await clinic.api<{ data: { id: number } }>('/products', { name: 'Bridge', price: 500 }, 'POST');
  const items = [{ product_id: product.data.id, quantity: 1 }];
  const numbers: string[] = [];
  for (const customer_name of ['Ana Gil', 'Luis Prado', 'Ana Gil']) {
    const made = await clinic.api<{ data: { number: string } }>('/orders', { items, customer_name }, 'POST');
    numbers.push(made.data.number);
  }
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/reports?tab=collective');
  await page.getByLabel('Month').selectOption(businessDay(Date.now(), defaultSettings.time_zone).slice(0, 7));
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByText('Choose at least one treatment.')).toBeVisible();

  await page.getByRole('button', { name: 'New payer' }).click();
  const asked = page.getByRole('dialog', { name: 'Payer' });
  const payer = {
    Name: 'Seguros Norte',
    NIF: 'A58818501',
    Address: 'Gran Vía 10',
    'Postal code': '28013',
    City: 'Madrid',
  };
  for (const [label, value] of Object.entries(payer)) await asked.getByLabel(label, { exact: true }).fill(value);
  await asked.getByRole('button', { name: 'Use this payer' }).click();
  await page.getByRole('searchbox', { name: 'Search by patient or number' }).fill('ana gil');
  await expect(page.getByRole('checkbox', { name: numbers[1]! })).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'All 2' }).check();
  await page.getByLabel('Income tax withheld (%)').fill('15');
  await expectAccessible(page);
  await expect(page.getByText('2 treatments · EUR 1.000,00')).toBeVisible();
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview' });
  await expect(preview.getByText('Seguros Norte')).toBeVisible();
  await preview.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(page.getByText(/^Invoice F-[A-Z]+0-\d{6} issued$/)).toBeVisible();
  await expect(page.getByRole('checkbox', { name: numbers[0]! })).toHaveCount(0);

  const row = page.getByRole('region', { name: 'Issued invoices' }).getByRole('listitem');
  await expect(row).toContainText('EUR 1.000,00 due');
});

test('of more treatments than one invoice takes, the first ones are chosen at once @long', async ({
  newTablet,
  fiscal: { clinic },
}) => {
  test.setTimeout(120_000);
  const product = await clinic.api<{ data: { id: number } }>('/products', { name: 'Check-up', price: 30 }, 'POST');
  const items = [{ product_id: product.data.id, quantity: 1 }];
  for (let at = 0; at < 205; at++) await clinic.api('/orders', { items }, 'POST');
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/reports?tab=collective');
  await page.getByLabel('Month').selectOption(businessDay(Date.now(), defaultSettings.time_zone).slice(0, 7));
  await page.getByRole('checkbox', { name: 'The first 200' }).check();
  await expect(page.getByText(/^200 treatments · /)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Preview' })).toBeEnabled();
  await page.getByRole('checkbox', { name: /^T-/ }).nth(201).check();
  await expect(page.getByText('At most 200 treatments stand on one invoice.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Preview' })).toBeDisabled();
});

test('the tab that an address names is in view, also where tabs come later @long', async ({
  newTablet,
  fiscal: { clinic },
}) => {
  const tablet = await newTablet(clinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/reports?tab=collective');
  await expect(page.getByRole('tab')).toHaveCount(6);
  await expect(page.getByRole('tab', { name: 'Payers' })).toBeInViewport({ ratio: 0.99 });
});
