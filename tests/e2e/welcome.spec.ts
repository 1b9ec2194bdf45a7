import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { starterServices } from '#domain/stock/starter.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { ServerProcess } from '../support/server-process.ts';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';
import { watchLayoutShifts } from './layout-shift.ts';

/** What is usual, without the crown and with the floss. */
const added = starterServices.filter(({ isUsual }) => isUsual).length;

test('a new clinic is led to its first sale, and continues after a reload where it was left', async ({ newTablet }) => {
  test.slow();
  const clinic = await ServerProcess.first(await mkdtemp(path.join(tmpdir(), 'dental-counter-new-')), { DEMO: '0' });
  try {
    const tablet = await newTablet(clinic);
    const { page, context } = tablet;
    page.setDefaultTimeout(15_000);
    await tablet.signInFirst();
    await expect(page.getByRole('heading', { name: 'Welcome', level: 1 })).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/welcome/);
    const step = (name: string) => page.getByRole('form', { name, exact: true });
    const next = (name: string) => step(name).getByRole('button', { name: 'Continue' }).click();

    await next('Your clinic');
    await expect(page.getByText('This field is required')).toBeVisible();
    await page.getByLabel('Practice name').fill('Clínica Sol');
    await page.getByLabel('Address').fill('Calle Mayor 1, Madrid');
    await page.getByLabel('Tax number').fill('NIF B12345674');
    // What is typed survives a reload, and so does the step.
    await page.waitForTimeout(draftSavedMs);
    await page.goto('/');
    await expect(page.getByLabel('Tax number')).toHaveValue('NIF B12345674');
    await next('Your clinic');

    await page.getByLabel('Default language').selectOption('sp');
    await page.getByLabel('Tax profile').selectOption('ES');
    await next('Currency, language and tax');
    await expect(page.getByText('This is not a valid NIF, NIE or CIF')).toBeVisible();
    await page.getByLabel('Legal name').fill('Clínica Sol, S.L.');
    await page.getByLabel('NIF', { exact: true }).fill('B12345674');
    await page.getByLabel('Postal code').fill('28013');
    await page.getByLabel('City').fill('Madrid');
    await next('Currency, language and tax');
    // Names of services are in the clinic's language.
    await expect(step('Services').getByRole('checkbox')).toHaveCount(starterServices.length);
    await page.reload();
    await expect(step('Services').locator('img')).toHaveCount(starterServices.length);
    await step('Services').getByLabel('Corona de cerámica', { exact: true }).uncheck();
    await step('Services').getByRole('checkbox', { name: 'Hilo dental' }).check();
    await page.getByLabel('Price of Limpieza dental').fill('62,50');
    await step('Services')
      .getByRole('button', { name: `Add ${added} services` })
      .click();

    await step('Staff').getByLabel('Name').fill('Marta Ruiz');
    await step('Staff').getByLabel('Email').fill('marta@sol.test');
    await step('Staff').getByLabel('Password').fill('una frase larga');
    await next('Staff');
    await expect(step('Staff').getByText('marta@sol.test')).toBeVisible();
    await next('Staff');

    await watchLayoutShifts(context);
    await page.reload();
    await expect(step('Cash drawer')).toBeVisible();
    expect(await page.evaluate(() => window.layoutShifts)).toEqual([]);
    await page.getByLabel('Float', { exact: true }).fill('100');
    await step('Cash drawer').getByRole('button', { name: 'Open drawer and finish' }).click();
    await expect(page).toHaveURL(/\/admin\/dashboard/);
    await page.goto('/admin/welcome');
    await expect(page).toHaveURL(/\/admin\/dashboard/);

    const token = await page.evaluate(() => decodeURIComponent(/pos_token=([^;]+)/.exec(document.cookie)![1]!));
    const read = async <T>(address: string) => {
      const reply = await fetch(`${clinic.url}/api${address}`, { headers: { authorization: `Bearer ${token}` } });
      return (await reply.json()) as T;
    };
    const { data: settings } = await read<{ data: ClinicSettings }>('/settings');
    expect(settings).toMatchObject({
      practice_name: 'Clínica Sol',
      address: 'Calle Mayor 1, Madrid',
      tax_number: 'NIF B12345674',
      tax_profile: 'ES',
      tax_id: 'B12345674',
      default_language: 'sp',
      setup_finished: true,
    });
    const { stocks } = await read<{ stocks: StockResource[] }>('/stock?per_page=50');
    expect(stocks).toHaveLength(added);
    expect(stocks.find(({ name }) => name === 'Limpieza dental')).toMatchObject({
      cost_per_unit: 62.5,
      is_stocked: false,
      tax: 'E1',
      image_url: expect.stringContaining('/uploads/') as unknown as string,
    });
    expect(stocks.find(({ name }) => name === 'Hilo dental')).toMatchObject({ tax: 'standard' });
    const { data: staff } = await read<{ data: UserClaims[] }>('/users');
    expect(staff.map((person) => person.email)).toContain('marta@sol.test');
    await tablet.counterReady();
    await page.getByRole('link', { name: 'Cash drawer', exact: true }).click();
    await expect(page.getByText('EUR 100,00').first()).toBeVisible();
  } finally {
    await clinic.destroy();
  }
});

test.describe('in a Spanish browser', () => {
  test.use({ locale: 'es-ES' });

  test('a new clinic gets Spanish services, also where its language is never asked for @long', async ({
    newTablet,
  }) => {
    test.slow();
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-new-'));
    const clinic = await ServerProcess.first(folder, { DEMO: '0', CLINIC_LANGUAGE: 'en' });
    try {
      const tablet = await newTablet(clinic);
      const { page } = tablet;
      await tablet.signInFirst();
      const skip = page.getByRole('button', { name: 'Omitir', exact: true });
      await expect(page.getByRole('form', { name: 'Su clínica' })).toBeVisible();
      await skip.click();
      await skip.click();
      await expect(page.getByRole('checkbox', { name: 'Limpieza dental' })).toBeVisible();
      await page.getByRole('button', { name: 'Volver' }).click();
      await expect(page.getByLabel('Idioma predeterminado')).toHaveValue('sp');
    } finally {
      await clinic.destroy();
    }
  });
});
